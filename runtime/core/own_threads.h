//===- own_threads.h - Threads that run no code of the program --*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tuning has to know whether the thread that it holds is the only one that can run
// code of the program: another one may store to managed memory at any time. Threads
// that this runtime starts register themselves. A driver's threads do not; if the
// process had no other thread of the program before a call of the driver, the threads
// that are new after the call are the driver's.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <sys/types.h>
#include <vector>

namespace regrain {

/// The calling thread is the runtime's during the lifetime of this object.
class OwnThread {
public:
  OwnThread();
  ~OwnThread();
  OwnThread(const OwnThread &) = delete;
  OwnThread &operator=(const OwnThread &) = delete;
};

/// Encloses a call of a driver. Threads that start meanwhile count as the driver's
/// if that is certain. Does nothing if the process does not tune.
class DriverCall {
public:
  DriverCall();
  ~DriverCall();
  DriverCall(const DriverCall &) = delete;
  DriverCall &operator=(const DriverCall &) = delete;

private:
  bool isCertain = false;
};

/// Returns the threads of the process that may run code of the program: all but the
/// calling one, the runtime's and those of `others`. If the system does not list the
/// threads, returns one thread with the number 0.
[[nodiscard]] std::vector<pid_t> programThreadsBeside(const std::vector<pid_t> &others);

} // namespace regrain
