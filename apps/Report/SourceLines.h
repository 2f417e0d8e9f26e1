//===- SourceLines.h - The lines of source files ----------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Refusal/SourcePosition.h"

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
  const std::string &at(const SourcePosition &where);

private:
  const std::vector<std::string> &linesOf(const std::string &file);

  std::string built;
  std::map<std::string, std::vector<std::string>> files;
};

} // namespace regrain::report
