//===- Workspace.h - Where a suite is built and run -------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//
// A suite's folder is never written to: the whole of it is copied, and the copy
// is built. Beside the copy lies a folder that looks like a CUDA toolkit and
// holds our compiler, headers and runtime.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "apps/Suite/Compare.h"

#include <filesystem>
#include <string>
#include <vector>

namespace regrain::suite {

struct Workspace {
  std::filesystem::path root;    ///< holds what follows
  std::filesystem::path tree;    ///< the copy of the suite
  std::filesystem::path toolkit; ///< bin/nvcc, include, lib64
  std::filesystem::path logs;    ///< what makes and runs print
};

/// Copies `suite` and sets up the toolkit from the tree that the running
/// executable belongs to. Throws std::filesystem::filesystem_error.
Workspace makeWorkspace(const std::filesystem::path &root, const std::filesystem::path &suite);

/// The folders with a Makefile that are programs, below `folder` or `folder`
/// itself, in order. A program has a run script, a target of that name in its
/// Makefile, or a .cu file beside it; what lies below a program belongs to it.
std::vector<std::filesystem::path> findPrograms(const std::filesystem::path &folder,
                                                const std::string &runName);

/// The Makefile of a folder under the first of make's names that is there, or empty.
std::filesystem::path makefileIn(const std::filesystem::path &folder);

/// The run script of a folder: `name` or `name`.sh, or empty.
std::filesystem::path runScriptIn(const std::filesystem::path &folder, const std::string &name);

/// Whether a Makefile itself, without what it includes, has a rule for `target`.
bool hasTarget(const std::filesystem::path &makefile, const std::string &target);

/// The files of a folder at one moment, kept so that a run's files can be found
/// and removed, and changed ones be put back.
class Snapshot {
public:
  Snapshot(std::filesystem::path folder, std::filesystem::path copy);

  /// The files that were written, changed or removed since.
  std::map<std::string, FileMark> changes() const;

  /// Puts the folder back to what it was.
  void restore() const;

private:
  struct State {
    std::filesystem::file_time_type time;
    uintmax_t bytes = 0;
    friend bool operator==(const State &, const State &) = default;
  };
  static std::map<std::string, State> statesIn(const std::filesystem::path &folder);

  std::filesystem::path folder, copy;
  std::map<std::string, State> known;
};

} // namespace regrain::suite
