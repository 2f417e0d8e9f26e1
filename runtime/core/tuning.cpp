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
#include "runtime/tuning/tune_request.h"

#include <cstdlib>
#include <dlfcn.h>
#include <fstream>
#include <unistd.h>

extern "C" __attribute__((weak)) regrain::Tuning *
regrainTuning(uint32_t interfaceVersion, regrain::Gate &gate, std::string &reason);

namespace regrain {

static OrError<Tuning *> openTuning() {
  auto *entry = regrainTuning;
  if (!entry) {
    OrError<void *> library = openCompanion("libregrain-tuning.so", RTLD_LOCAL);
    if (!library)
      return tl::unexpected(library.error());
    entry = reinterpret_cast<decltype(entry)>(dlsym(*library, "regrainTuning"));
  }
  if (!entry)
    return tl::make_unexpected("libregrain-tuning.so has no entry regrainTuning");
  std::string reason;
  if (Tuning *tuning = entry(tuningInterfaceVersion, Gate::get(), reason))
    return tuning;
  return tl::unexpected(std::move(reason));
}

/// Says why the process is not measured, also to `regrain tune`, which asked for it.
static void reportUntuned(const std::string &database, const std::string &reason) {
  say("the program is not tuned: " + reason);
  constexpr std::string_view key = "session=";
  const char *variable = std::getenv("REGRAIN_TUNE");
  std::string request = variable ? variable : "";
  if (!request.starts_with(key))
    return;
  std::string session = request.substr(key.size(), request.find(',') - key.size());
  std::ofstream note(untunedNotePath(database, session));
  if (!(note << reason << std::endl))
    say("regrain tune is not told, because a file beside the database cannot be written");
}

Tuning *findTuning() {
  static Tuning *found = [] {
    bool isAsked = Settings::get().isTuning;
    OrError<std::string> place = Database::defaultPath();
    if (!isAsked && (!place || place->empty() || access(place->c_str(), R_OK) != 0))
      return static_cast<Tuning *>(nullptr);
    OrError<Tuning *> tuning = openTuning();
    if (!tuning && isAsked)
      reportUntuned(place.value_or(""), tuning.error());
    else if (!tuning)
      say("the tuning database is not used: " + tuning.error());
    return tuning.value_or(nullptr);
  }();
  return found;
}

} // namespace regrain
