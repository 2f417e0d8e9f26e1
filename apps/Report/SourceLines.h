//===- SourceLines.h - The lines of source files ----------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "apps/Report/FileReport.h"

#include <map>
#include <string>
#include <vector>

namespace regrain::report {

/// Quotes sources, each of which is read once.
class SourceLines {
public:
  /// Sources that are newer than `built` are not quoted: they may have changed since.
  explicit SourceLines(std::string built) : built(std::move(built)) {}

  /// Returns the line at the position without the blanks at its ends; empty if it cannot be told.
  std::string at(const SourcePosition &where);

  /// Returns the line as it is; empty if it cannot be told.
  const std::string &whole(const SourcePosition &where);

  /// Returns the number of lines that can be told.
  size_t count(const std::string &file) { return linesOf(file).size(); }

  /// Returns a name that a file has only one of: debug information has paths of its own.
  std::string uniqueName(const std::string &file) const;

private:
  const std::vector<std::string> &linesOf(const std::string &file);

  std::string built;
  std::map<std::string, std::vector<std::string>> files;
};

/// Adds the source to the code of the kernels in the report: the lines of the kernel, and those
/// that instructions of it name.
void addSource(FileReport &report);

} // namespace regrain::report
