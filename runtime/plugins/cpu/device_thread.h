//===- device_thread.h - Threads of the CPU device --------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include <sys/types.h>
#include <vector>

namespace regrain::cpu {

/// The calling thread executes only work of streams during the lifetime of this
/// object.
class DeviceThread {
public:
  DeviceThread();
  ~DeviceThread();
  DeviceThread(const DeviceThread &) = delete;
  DeviceThread &operator=(const DeviceThread &) = delete;

  static void addAll(std::vector<pid_t> &out);
};

} // namespace regrain::cpu
