//===- library.cpp - A library of ROCm, loaded at run time ----------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/libraries/hip/library.h"

#include "runtime/cudart/device_kind.h"

#include <cstdio>
#include <dlfcn.h>
#include <mutex>
#include <set>

namespace regrain::libraries {

int hipMajor() {
  // A process without Regrain's runtime has no such function.
  return regrain_hip_version ? regrain_hip_version() / 1000 : 0;
}

HipLibrary::HipLibrary(const char *name, std::span<const HipFile> files) {
  int hip = hipMajor();
  std::string reason = "no version of it is known for HIP " + std::to_string(hip);
  for (const HipFile &each : files) {
    if (each.hipMajor != hip)
      continue;
    file = std::string("lib") + name + ".so." + std::to_string(each.number);
    fileNumber = each.number;
    // The library is never closed: it has threads and state of its own.
    handle = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (handle)
      return;
    const char *error = dlerror();
    reason = error ? error : "it cannot be loaded";
  }
  std::fprintf(stderr, "regrain: lib%s.so of ROCm is needed on this device: %s\n", name,
               reason.c_str());
}

void *HipLibrary::find(const std::string &entry) const {
  return handle ? dlsym(handle, entry.c_str()) : nullptr;
}

void *HipLibrary::findOrReport(const std::string &entry, const char *user) const {
  void *found = find(entry);
  static std::mutex mutex;
  static auto *reported = new std::set<std::string>;
  std::lock_guard lock(mutex);
  if (!found && reported->insert(entry).second)
    std::fprintf(stderr, "regrain: %s has no %s, which %s needs on this device\n", file.c_str(),
                 entry.c_str(), user);
  return found;
}

} // namespace regrain::libraries
