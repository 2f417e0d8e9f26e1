//===- tuning.cpp - Search for the tuning library -------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/core/tuning.h"

#include "runtime/core/companion.h"
#include "runtime/core/settings.h"
#include "runtime/tuning/database.h"

#include <dlfcn.h>
#include <unistd.h>

extern "C" __attribute__((weak)) regrain::Tuning *
regrainTuning(uint32_t interfaceVersion, regrain::Gate &gate, std::string &reason);

namespace regrain {

static Tuning *openTuning(std::string &reason) {
  if (regrainTuning)
    return regrainTuning(tuningInterfaceVersion, Gate::get(), reason);
  void *library = openCompanion("libregrain-tuning.so", RTLD_LOCAL, reason);
  if (!library)
    return nullptr;
  using Entry = Tuning *(*)(uint32_t, Gate &, std::string &);
  auto entry = reinterpret_cast<Entry>(dlsym(library, "regrainTuning"));
  if (!entry) {
    reason = "libregrain-tuning.so has no entry regrainTuning";
    return nullptr;
  }
  return entry(tuningInterfaceVersion, Gate::get(), reason);
}

Tuning *findTuning() {
  static Tuning *found = [] {
    bool isAsked = Settings::get().isTuning;
    OrError<std::string> place = Database::defaultPath();
    if (!isAsked && (!place || place->empty() || access(place->c_str(), R_OK) != 0))
      return static_cast<Tuning *>(nullptr);
    std::string reason;
    Tuning *tuning = openTuning(reason);
    if (!tuning)
      say("what was tuned is not used: " + reason);
    return tuning;
  }();
  return found;
}

} // namespace regrain
