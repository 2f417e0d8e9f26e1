//===- device_calls.cpp - Functions that CPU code calls -------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/plugins/cpu/device_calls.h"

#include "runtime/plugins/cpu/cluster_special.h"
#include "runtime/plugins/cpu/device_heap.h"
#include "runtime/plugins/cpu/execution.h"
#include "runtime/plugins/cpu/fault.h"
#include "runtime/plugins/cpu/fault_message.h"
#include "runtime/plugins/cpu/format.h"

#include <csignal>
#include <cstdio>
#include <fstream>
#include <string>

using namespace regrain::cpu;

/// Returns whether a debugger controls the process.
static bool isDebugged() {
  std::ifstream status("/proc/self/status");
  for (std::string field; status >> field;)
    if (field == "TracerPid:")
      return status >> field && field != "0";
  return false;
}

#define REGRAIN_DEVICE_CALL extern "C" __attribute__((visibility("default")))

REGRAIN_DEVICE_CALL int regrain_cpu_vprintf(const char *format, const void *args) {
  if (!format)
    return -1;
  std::string text;
  int arguments = formatPacked(format, args, text);
  NoFaults writing;
  // The text is written in one piece, so that the lines of different blocks do
  // not mix.
  std::fwrite(text.data(), 1, text.size(), stdout);
  return arguments;
}

REGRAIN_DEVICE_CALL void *regrain_cpu_malloc(size_t bytes) {
  NoFaults allocating;
  return DeviceHeap::get().allocate(bytes);
}

REGRAIN_DEVICE_CALL void regrain_cpu_free(void *pointer) {
  NoFaults freeing;
  DeviceHeap::get().free(pointer);
}

REGRAIN_DEVICE_CALL int regrain_cpu_is_local(const void *pointer) {
  return Worker::get().owns(pointer);
}

REGRAIN_DEVICE_CALL void regrain_cpu_assertfail(const char *message, const char *file,
                                                unsigned line, const char *function,
                                                size_t charSize) {
  Worker &worker = Worker::get();
  std::fprintf(stderr, "%s:%u: %s: %s Assertion `%s` failed.\n", file, line, function,
               describeAsserting(worker.currentBlock()).c_str(), message);
  worker.stop(cudaErrorAssert, "", 0);
}

REGRAIN_DEVICE_CALL void regrain_cpu_trap(const char *message) {
  // The call itself is in front of the address to which it would return.
  auto call = uintptr_t(__builtin_return_address(0)) - 1;
  Worker::get().stop(cudaErrorLaunchFailure, message ? message : "__trap() was called", call);
}

REGRAIN_DEVICE_CALL void regrain_cpu_breakpoint() {
  auto call = uintptr_t(__builtin_return_address(0)) - 1;
  if (!isDebugged())
    Worker::get().stop(cudaErrorLaunchFailure, "__brkpt() was called without a debugger", call);
  std::raise(SIGTRAP);
}

REGRAIN_DEVICE_CALL void regrain_cpu_pause() { Worker::get().pause(); }

REGRAIN_DEVICE_CALL unsigned long regrain_cpu_grid_workspace() {
  return reinterpret_cast<unsigned long>(Worker::get().workspace());
}

REGRAIN_DEVICE_CALL uint32_t regrain_cpu_cluster_special(uint32_t which) {
  return Worker::get().clusterSpecial(which);
}

REGRAIN_DEVICE_CALL void *regrain_cpu_cluster_map(const void *pointer, uint32_t rank) {
  auto call = uintptr_t(__builtin_return_address(0)) - 1;
  return Worker::get().mapShared(pointer, rank, call);
}

REGRAIN_DEVICE_CALL uint32_t regrain_cpu_cluster_rank(const void *pointer) {
  return Worker::get().rankOf(pointer).value_or(REGRAIN_NO_CLUSTER_RANK);
}

REGRAIN_DEVICE_CALL void regrain_cpu_cluster_arrive() { Worker::get().arriveAtCluster(); }

REGRAIN_DEVICE_CALL void regrain_cpu_cluster_wait() { Worker::get().waitForCluster(); }

REGRAIN_DEVICE_CALL void regrain_cpu_enter_thread(uint32_t thread) {
  Worker::get().fibers.enter(thread);
}

REGRAIN_DEVICE_CALL void regrain_cpu_leave_thread() { Worker::get().fibers.leave(); }

REGRAIN_DEVICE_CALL void regrain_cpu_meet(uint32_t thread, int isFirst) {
  Worker::get().fibers.meet(thread, isFirst);
}
