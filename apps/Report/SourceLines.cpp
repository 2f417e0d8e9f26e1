//===- SourceLines.cpp - The lines of source files ------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "apps/Report/SourceLines.h"

#include "compiler/Listing/Words.h"

#include <filesystem>
#include <fstream>

namespace regrain::report {

const std::vector<std::string> &SourceLines::linesOf(const std::string &file) {
  auto [found, isNew] = files.try_emplace(file);
  std::error_code error, builtError;
  auto changed = std::filesystem::last_write_time(file, error);
  if (!isNew || error || changed > std::filesystem::last_write_time(built, builtError) ||
      builtError)
    return found->second;
  std::ifstream stream(file);
  for (std::string line; std::getline(stream, line);)
    found->second.emplace_back(listing::trimmed(line));
  return found->second;
}

const std::string &SourceLines::at(const SourcePosition &where) {
  static const std::string unknown;
  const std::vector<std::string> &lines = linesOf(where.file);
  return where.line >= 1 && where.line <= lines.size() ? lines[where.line - 1] : unknown;
}

} // namespace regrain::report
