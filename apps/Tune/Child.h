//===- Child.h - The program that is tuned ----------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// These are the supervisor's operations on processes. The program stays in the process
// group of `regrain tune`, so that the terminal treats it as it would without the
// supervisor: it can read the terminal, and signals of the keyboard reach it. It
// therefore has no group of its own to kill. Instead, the supervisor adopts the
// orphans of its descendants (PR_SET_CHILD_SUBREAPER), and kills every process below
// itself.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <csignal>
#include <string>
#include <sys/types.h>
#include <vector>

namespace regrain::tune {

/// The end of a process.
struct Ending {
  int signal = 0; ///< 0: it exited normally
  int code = 0;   ///< its exit code in that case
  /// Returns the exit code in the convention of shells.
  [[nodiscard]] int exitCode() const { return signal ? 128 + signal : code; }
  /// Returns the signal that ended the process, or, by the convention of shells, its last
  /// descendant; otherwise 0.
  [[nodiscard]] int lastSignal() const;
};

/// Returns whether a process gets the signal as a consequence of its own code.
[[nodiscard]] bool isCrash(int signal);

struct StartOptions {
  std::vector<std::string> command;     ///< the first is searched for in PATH
  std::vector<std::string> environment; ///< "NAME=value", complete
  int input = -1, output = -1;          ///< descriptors; -1: this process's own
  sigset_t blocked;                     ///< signals that are blocked in the program
  sigset_t defaults;                    ///< signals that are not ignored in the program
};

/// A process from its start until it is reaped.
class Child {
public:
  Child() = default;
  Child(const Child &) = delete;
  ~Child();

  /// Returns 0 or an errno.
  [[nodiscard]] int start(const StartOptions &options);
  [[nodiscard]] pid_t id() const { return process; }
  /// Returns a descriptor that is readable once the process has ended.
  [[nodiscard]] int descriptor() const { return file; }
  /// Waits for the end.
  Ending reap();

private:
  pid_t process = -1;
  int file = -1;
};

/// Returns this process's environment without `names`, and with `added`
/// ("NAME=value").
std::vector<std::string> environmentWith(const std::vector<std::string> &added,
                                         const std::vector<std::string> &names);

/// Makes orphans below this process its children.
void adoptOrphans();

/// Reaps adopted orphans that have ended before `program`.
void reapOrphans(pid_t program);

/// Returns whether the process is below this one and alive (not a zombie).
bool isLivingDescendant(pid_t process);

/// Kills every living process below this one.
void killDescendants();

/// Reaps the killed descendants, and waits for them.
void reapDescendants();

/// Returns "SIGSEGV"; "signal 42" if it has no name.
std::string nameOfSignal(int number);

} // namespace regrain::tune
