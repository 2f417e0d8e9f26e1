//===- Process.h - Run a command with a time limit --------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace regrain::suite {

struct Command {
  std::vector<std::string> arguments;   ///< the first is looked up in the new PATH's folders
  std::filesystem::path folder;         ///< where it runs
  std::vector<std::string> environment; ///< "NAME=value", over the caller's
  std::filesystem::path out, error;     ///< files that its output goes to; may be the same
  unsigned limit = 0;                   ///< seconds
};

struct Ended {
  bool succeeded = false;
  bool inTime = true;
  double seconds = 0;
  std::string how =
      {}; ///< "exit status 2", "signal 11", "still running after 60 s"; empty on success
};

/// Runs the command in a process group of its own, which is killed when the
/// limit is reached and, for what the command left behind, when it ends. The
/// caller's NVCC_* and REGRAIN_* variables are not passed on.
Ended run(const Command &command);

/// The last `lines` lines of a file, joined by line breaks; empty where there is none.
std::string tailOf(const std::filesystem::path &file, size_t lines);

} // namespace regrain::suite
