//===- Run.h - Run a command with a time limit ------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace regrain::process {

struct Command {
  std::vector<std::string> arguments;   ///< the first is searched for in the new PATH's folders
  std::filesystem::path folder;         ///< working folder
  std::vector<std::string> environment; ///< "NAME=value", complete
  std::filesystem::path out, error;     ///< files for its output; may be the same
  unsigned limit = 0;                   ///< seconds
};

struct Ended {
  bool succeeded = false;
  bool inTime = true;
  double seconds = 0;
  /// "exit status 2", "signal 11 (Segmentation fault)" or "still running after 60 s"; empty on
  /// success.
  std::string how = {};
};

/// Runs the command in a process group of its own, which is killed when the
/// limit is reached, and also when the command ends, for processes that it
/// left. It reads nothing.
Ended run(const Command &command);

} // namespace regrain::process
