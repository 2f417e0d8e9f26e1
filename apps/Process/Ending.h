//===- Ending.h - The end of a process --------------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include <string>
#include <sys/types.h>

namespace regrain::process {

/// The end of a process.
struct Ending {
  int signal = 0; ///< 0: it exited normally
  int code = 0;   ///< its exit code in that case
  [[nodiscard]] bool isSuccess() const { return signal == 0 && code == 0; }
  /// Returns the exit code in the convention of shells.
  [[nodiscard]] int exitCode() const { return signal ? 128 + signal : code; }
  /// Returns the signal that ended the process, or, by the convention of shells, its last
  /// descendant; otherwise 0.
  [[nodiscard]] int lastSignal() const;
};

/// Waits until the child process has ended, and releases its number.
Ending reap(pid_t process);

/// Returns "exit status 2" or "signal 11 (Segmentation fault)"; empty for a success.
[[nodiscard]] std::string describe(const Ending &ending);

/// Returns whether a process gets the signal as a consequence of its own code.
[[nodiscard]] bool isCrash(int signal);

/// Returns "SIGSEGV"; "signal 42" if it has no name.
[[nodiscard]] std::string nameOfSignal(int number);

} // namespace regrain::process
