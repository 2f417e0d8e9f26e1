//===- plugin.cpp - Entry of the CPU plugin -------------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/plugins/cpu/cpu_device.h"

#include <charconv>
#include <cstdlib>
#include <cstring>
#include <oneapi/tbb/info.h>

namespace regrain::cpu {
namespace {

constexpr int maxThreads = 4096;
constexpr int driverVersion = 13000; // the version of the API that it implements

/// Returns REGRAIN_NUM_THREADS, by default one thread for each processor that
/// the process may use. Returns 0 and a reason if the variable is not a valid
/// number.
int threadCount(std::string &reason) {
  const char *text = std::getenv("REGRAIN_NUM_THREADS");
  if (!text || !*text)
    return tbb::info::default_concurrency();
  int count = 0;
  const char *end = text + std::strlen(text);
  auto [stop, failed] = std::from_chars(text, end, count);
  if (failed == std::errc() && stop == end && count >= 1 && count <= maxThreads)
    return count;
  reason = std::string("REGRAIN_NUM_THREADS=") + text +
           " is not a number of threads between 1 and " + std::to_string(maxThreads);
  return 0;
}

cudaError_t probe(std::string &reason) {
  return threadCount(reason) ? cudaSuccess : cudaErrorInvalidValue;
}

cudaError_t open(int ordinal, std::unique_ptr<Device> &out, std::string &reason) {
  int threads = threadCount(reason);
  if (ordinal != 0 || threads == 0)
    return cudaErrorInvalidDevice;
  static const int exitHandler = std::atexit(CpuDevice::shutDownOpenOne);
  if (exitHandler != 0) {
    reason = "atexit failed: the CPU device could not be shut down when the process exits";
    return cudaErrorOperatingSystem;
  }
  out = std::make_unique<CpuDevice>(threads);
  return cudaSuccess;
}

} // namespace
} // namespace regrain::cpu

extern "C" __attribute__((visibility("default"))) const regrain::DevicePlugin *regrainCpuPlugin() {
  static const regrain::DevicePlugin plugin = {
      regrain::deviceInterfaceVersion,
      "cpu",
      regrain::cpu::probe,
      [] { return 1; },
      regrain::cpu::open,
      [] { return regrain::cpu::driverVersion; },
      [] { return regrain::cpu::driverVersion; },
  };
  return &plugin;
}
