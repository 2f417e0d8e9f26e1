//===- profiler_ranges.cpp - Ranges in NVIDIA's and AMD's profilers -------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/tuning/profiler_ranges.h"

#include "runtime/tuning/say.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <dlfcn.h>
#include <iterator>

namespace regrain {
namespace {

using Push = int (*)(const char *name);
using Pop = int (*)();

/// Ranges nest per thread, and an activity begins and ends in one thread.
class ProfilerRanges final : public ActivityListener {
public:
  ProfilerRanges(Push push, Pop pop) : push(push), pop(pop) {}
  void begin(const std::string &name, const Details &) override { push(name.c_str()); }
  void end(const Details &) override { pop(); }

private:
  Push push;
  Pop pop;
};

//===--- NVTX -------------------------------------------------------------===//
//
// The profiler's library gets a function that returns tables by number. One of them has a function
// that returns, for a group of NVTX's functions, an array of pointers to where the profiler writes
// the functions that it wants called. A profiler asks for all groups and declines if one is not
// there, so there are places for all, of which the core's alone are read.

using AnyFunction = void (*)();
constexpr unsigned coreGroup = 1, pushNumber = 9, popNumber = 11;
/// By number: none, the core, CUDA, OpenCL, CUDA's runtime, domains, synchronisation. Number 0 of a
/// group has no function.
constexpr unsigned groupSizes[] = {0, 16, 9, 15, 7, 16, 7};
constexpr unsigned groups = std::size(groupSizes), largestGroup = 16;
constexpr uint32_t callbacksTable = 1, versionTable = 3;
constexpr uint32_t reportedVersion = 3;

AnyFunction written[groups][largestGroup];
AnyFunction *places[groups][largestGroup + 1]; ///< null ends the array

int functionsOf(unsigned group, AnyFunction ***table, unsigned *size) {
  if (group == 0 || group >= groups)
    return 0;
  for (unsigned number = 1; number < groupSizes[group]; ++number)
    places[group][number] = &written[group][number];
  if (table)
    *table = places[group];
  if (size)
    *size = groupSizes[group];
  return 1;
}

struct Callbacks {
  size_t bytes;
  int (*functionsOf)(unsigned group, AnyFunction ***table, unsigned *size);
};

struct Version {
  size_t bytes;
  uint32_t version, reserved;
  void (*takeVersionOfProfiler)(uint32_t version);
};

const void *findTable(uint32_t number) {
  static const Callbacks callbacks = {sizeof(Callbacks), functionsOf};
  static const Version version = {sizeof(Version), reportedVersion, 0, [](uint32_t) {}};
  return number == callbacksTable ? static_cast<const void *>(&callbacks)
         : number == versionTable ? &version
                                  : nullptr;
}

/// Lets the profiler's library write its functions; returns why that is not possible, or nothing.
std::string initialise(const char *path) {
  void *library = dlopen(path, RTLD_LAZY);
  if (!library)
    return dlerror();
  constexpr const char *name = "InitializeInjectionNvtx2";
  using Initialise = int (*)(const void *(*findTable)(uint32_t));
  auto function = reinterpret_cast<Initialise>(dlsym(library, name));
  if (!function)
    return std::string("it has no ") + name;
  return function(findTable) ? "" : "it declines";
}

/// Returns null if no profiler of NVIDIA's asks for ranges.
std::unique_ptr<ActivityListener> makeNvtxRanges() {
  const char *path = std::getenv("NVTX_INJECTION64_PATH");
  if (!path || !*path)
    return nullptr;
  if (std::string why = initialise(path); !why.empty()) {
    sayTuning(std::string("the profiler's library ") + path +
              " cannot be used, so it sees no ranges: " + why);
    return nullptr;
  }
  AnyFunction push = written[coreGroup][pushNumber], pop = written[coreGroup][popNumber];
  if (!push || !pop)
    return nullptr; // the profiler does not want ranges
  return std::make_unique<ProfilerRanges>(reinterpret_cast<Push>(push), reinterpret_cast<Pop>(pop));
}

//===--- roctx ------------------------------------------------------------===//

constexpr const char *roctxNames[] = {"librocprofiler-sdk-roctx.so.1",
                                      "librocprofiler-sdk-roctx.so.0", "libroctx64.so.4"};

/// A profiler of AMD's loads the library into the process before the program starts. Without a
/// profiler it is not loaded, and not needed.
std::unique_ptr<ActivityListener> makeRoctxRanges() {
  for (const char *name : roctxNames)
    if (void *library = dlopen(name, RTLD_LAZY | RTLD_NOLOAD)) {
      auto push = reinterpret_cast<Push>(dlsym(library, "roctxRangePushA"));
      auto pop = reinterpret_cast<Pop>(dlsym(library, "roctxRangePop"));
      if (push && pop)
        return std::make_unique<ProfilerRanges>(push, pop);
    }
  return nullptr;
}

} // namespace

std::unique_ptr<ActivityListener> makeProfilerRanges() {
  std::unique_ptr<ActivityListener> ranges = makeNvtxRanges();
  return ranges ? std::move(ranges) : makeRoctxRanges();
}

} // namespace regrain
