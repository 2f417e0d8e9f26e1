//===- own_threads.h - Threads that are not the program's -------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tuning has to know whether the thread that it holds is the only one that can run
// code of the program's: another may store to managed memory at any time. Threads that
// this runtime starts say so themselves. Those of a driver cannot be asked; where the
// process had no other thread of the program before a call of the driver, threads that
// are new after it are the driver's.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <sys/types.h>
#include <vector>

namespace regrain {

/// While it lives, the calling thread is the runtime's.
class OwnThread {
public:
  OwnThread();
  ~OwnThread();
  OwnThread(const OwnThread &) = delete;
  OwnThread &operator=(const OwnThread &) = delete;
};

/// Around a call of a driver. Threads that it starts are the driver's, where that is
/// certain. Does nothing where the process does not tune.
class DriverCall {
public:
  DriverCall();
  ~DriverCall();
  DriverCall(const DriverCall &) = delete;
  DriverCall &operator=(const DriverCall &) = delete;

private:
  bool isCertain = false;
};

/// Threads of the process without the calling one, the runtime's and those of `others`:
/// they may run code of the program's. Nothing where the system does not say which there
/// are: then there is one, of the number 0.
[[nodiscard]] std::vector<pid_t> programThreadsBeside(const std::vector<pid_t> &others);

} // namespace regrain
