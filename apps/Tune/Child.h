//===- Child.h - The program that is tuned ----------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Processes, as the supervisor sees them. The program stays in the process group of
// `regrain tune`, so that the terminal treats it as it would without: it reads the
// terminal, and what the keyboard sends reaches it. So there is no group of its own to
// kill. Instead the supervisor adopts what its descendants leave behind
// (PR_SET_CHILD_SUBREAPER), and kills every process below itself.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <csignal>
#include <string>
#include <sys/types.h>
#include <vector>

namespace regrain::tune {

/// How a process ended.
struct Ending {
  int signal = 0; ///< 0: it exited by itself
  int code = 0;   ///< its exit code, where it did
  /// As a shell tells it.
  [[nodiscard]] int exitCode() const { return signal ? 128 + signal : code; }
  /// The signal that ended the process, or, as a shell tells it, the last one below it; else 0.
  [[nodiscard]] int lastSignal() const;
};

/// Whether a process gets the signal for what its own code does.
[[nodiscard]] bool isCrash(int signal);

struct StartOptions {
  std::vector<std::string> command;     ///< the first is looked up in PATH
  std::vector<std::string> environment; ///< "NAME=value", all of it
  int input = -1, output = -1;          ///< descriptors; -1: this process's own
  sigset_t blocked;                     ///< signals that the program shall find blocked
  sigset_t defaults;                    ///< signals that it shall not find ignored
};

/// A started process, until it is reaped.
class Child {
public:
  Child() = default;
  Child(const Child &) = delete;
  ~Child();

  /// 0 or an errno.
  [[nodiscard]] int start(const StartOptions &options);
  [[nodiscard]] pid_t id() const { return process; }
  /// Readable once the process has ended.
  [[nodiscard]] int descriptor() const { return file; }
  /// Waits for the end.
  Ending reap();

private:
  pid_t process = -1;
  int file = -1;
};

/// This process's environment without `names`, and with `added` ("NAME=value").
std::vector<std::string> environmentWith(const std::vector<std::string> &added,
                                         const std::vector<std::string> &names);

/// Orphans below this process become its children.
void adoptOrphans();

/// Reaps those of them that have ended, where they come before `program` has.
void reapOrphans(pid_t program);

/// Whether the process is below this one and alive (not a zombie).
bool isLivingDescendant(pid_t process);

/// Kills every living process below this one.
void killDescendants();

/// Reaps what is left of killed descendants; waits for them.
void reapDescendants();

/// "SIGSEGV"; "signal 42" where it has no name.
std::string nameOfSignal(int number);

} // namespace regrain::tune
