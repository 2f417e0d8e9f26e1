//===- device_thread.cpp - Threads of the CPU device ----------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/plugins/cpu/device_thread.h"

#include "runtime/core/thread_list.h"

namespace regrain::cpu {

/// A thread that runs blocks for a stream is registered twice.
static ThreadList &known() {
  static ThreadList *list = new ThreadList; // threads end after static destruction
  return *list;
}

DeviceThread::DeviceThread() { known().addCalling(); }

DeviceThread::~DeviceThread() { known().removeCalling(); }

void DeviceThread::addAll(std::vector<pid_t> &out) {
  std::vector<pid_t> all = known().all();
  out.insert(out.end(), all.begin(), all.end());
}

} // namespace regrain::cpu
