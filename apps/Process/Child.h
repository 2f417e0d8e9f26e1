//===- Child.h - A program that this process starts -------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "apps/Process/Ending.h"

#include <chrono>
#include <csignal>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace regrain::process {

struct StartOptions {
  std::vector<std::string> command;         ///< the program's name and its arguments
  std::string file = {};                    ///< the program; empty: searched for in PATH
  std::vector<std::string> environment;     ///< "NAME=value", complete
  std::filesystem::path folder = {};        ///< working folder; empty: this process's own
  int input = -1, output = -1, errors = -1; ///< descriptors; -1: this process's own
  bool ownGroup = false;                    ///< the program leads a process group of its own
  std::optional<sigset_t> blocked = {};     ///< signals that are blocked in the program
  std::optional<sigset_t> defaults = {};    ///< signals that are not ignored in the program
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
  /// Waits for the end; returns false if it has not come when the time is over.
  [[nodiscard]] bool waitFor(std::chrono::milliseconds time) const;
  void send(int signal) const;
  /// Kills the group that the process leads, including descendants that it left. The process
  /// must not have been reaped, so that the group's number is still its own.
  void killGroup() const;
  /// Waits for the end.
  Ending reap() { return process::reap(process); }

private:
  pid_t process = -1;
  int file = -1;
};

/// Returns `added` ("NAME=value") and the variables of this process, without those that `added`
/// has and those whose name `isHidden` rejects.
[[nodiscard]] std::vector<std::string>
environmentWith(const std::vector<std::string> &added,
                const std::function<bool(std::string_view)> &isHidden);

} // namespace regrain::process
