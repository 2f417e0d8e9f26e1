//===- Workspace.h - The folder for builds and runs -------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//
// A suite's folder is never written: all of it is copied, and the copy is
// built. Beside the copy is a folder that looks like a CUDA toolkit and
// contains our compiler, headers and runtime.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "apps/Suite/Compare.h"

#include <filesystem>
#include <string>
#include <vector>

namespace regrain::suite {

struct Workspace {
  std::filesystem::path root;    ///< contains the following folders
  std::filesystem::path tree;    ///< the copy of the suite
  std::filesystem::path toolkit; ///< bin/nvcc, include, lib64
  std::filesystem::path logs;    ///< output of makes and runs
};

/// Copies `suite` and sets up the toolkit from the installation of the running
/// executable. Throws std::filesystem::filesystem_error.
Workspace makeWorkspace(const std::filesystem::path &root, const std::filesystem::path &suite);

/// Returns the folders that are programs, `folder` itself or below it, in
/// order. A program has a Makefile, and also a run script, a target of that
/// name in its Makefile, or a .cu file beside it; folders below a program
/// belong to it.
std::vector<std::filesystem::path> findPrograms(const std::filesystem::path &folder,
                                                const std::string &runName);

/// Returns the Makefile of a folder, by the first of make's names that exists, or
/// empty.
std::filesystem::path makefileIn(const std::filesystem::path &folder);

/// Returns the run script of a folder: `name` or `name`.sh, or empty.
std::filesystem::path runScriptIn(const std::filesystem::path &folder, const std::string &name);

/// Returns whether a Makefile itself, without its includes, has a rule for
/// `target`.
bool hasTarget(const std::filesystem::path &makefile, const std::string &target);

/// The files of a folder at one moment, kept so that a run's files can be found
/// and removed, and changed ones be restored.
class Snapshot {
public:
  Snapshot(std::filesystem::path folder, std::filesystem::path copy);

  /// Returns the files that were written, changed or removed since.
  std::map<std::string, FileMark> changes() const;

  /// Restores the folder.
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

/// Returns the last `lines` lines of a file, joined by line breaks; empty if there is
/// no file.
std::string tailOf(const std::filesystem::path &file, size_t lines);

} // namespace regrain::suite
