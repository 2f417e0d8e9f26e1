//===- device_thread.cpp - Threads of the CPU device ----------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/plugins/cpu/device_thread.h"

#include <mutex>
#include <set>
#include <unistd.h>

namespace regrain::cpu {
namespace {

/// A thread that runs blocks for a stream is registered twice.
struct Known {
  std::mutex mutex;
  std::multiset<pid_t> threads;

  static Known &get() {
    static Known *known = new Known; // threads end after static destruction
    return *known;
  }
};

} // namespace

DeviceThread::DeviceThread() {
  Known &known = Known::get();
  std::lock_guard lock(known.mutex);
  known.threads.insert(gettid());
}

DeviceThread::~DeviceThread() {
  Known &known = Known::get();
  std::lock_guard lock(known.mutex);
  known.threads.erase(known.threads.find(gettid()));
}

void DeviceThread::addAll(std::vector<pid_t> &out) {
  Known &known = Known::get();
  std::lock_guard lock(known.mutex);
  out.insert(out.end(), known.threads.begin(), known.threads.end());
}

} // namespace regrain::cpu
