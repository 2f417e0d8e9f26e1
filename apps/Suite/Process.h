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
  std::vector<std::string> arguments;   ///< the first is searched for in the new PATH's folders
  std::filesystem::path folder;         ///< working folder
  std::vector<std::string> environment; ///< "NAME=value", in addition to the caller's
  std::filesystem::path out, error;     ///< files for its output; may be the same
  unsigned limit = 0;                   ///< seconds
};

struct Ended {
  bool succeeded = false;
  bool inTime = true;
  double seconds = 0;
  std::string how =
      {}; ///< Returns "exit status 2", "signal 11" or "still running after 60 s"; empty on success.
};

/// Runs the command in a process group of its own, which is killed when the
/// limit is reached, and also when the command ends, for processes that it
/// left. The caller's NVCC_* and REGRAIN_* variables are not passed on.
Ended run(const Command &command);

/// Returns the last `lines` lines of a file, joined by line breaks; empty if there is
/// no file.
std::string tailOf(const std::filesystem::path &file, size_t lines);

} // namespace regrain::suite
