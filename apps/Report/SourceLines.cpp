//===- SourceLines.cpp - The lines of source files ------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "apps/Report/SourceLines.h"

#include "compiler/Listing/Words.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>

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
    found->second.push_back(line);
  return found->second;
}

const std::string &SourceLines::whole(const SourcePosition &where) {
  static const std::string unknown;
  const std::vector<std::string> &lines = linesOf(where.file);
  return where.line >= 1 && where.line <= lines.size() ? lines[where.line - 1] : unknown;
}

std::string SourceLines::at(const SourcePosition &where) {
  return std::string(listing::trimmed(whole(where)));
}

namespace {

/// Longer kernels are quoted in part.
constexpr uint32_t mostLines = 1000;

/// Returns the line at which the kernel ends, as nearly as its layout tells: that of the first
/// brace in the first column.
uint32_t endOf(SourceLines &sources, const KernelReport &kernel) {
  uint32_t last = std::min<size_t>(sources.count(kernel.file), kernel.line + mostLines);
  for (uint32_t line = kernel.line; line <= last; ++line)
    if (sources.whole({kernel.file, line}).starts_with('}'))
      return line;
  return kernel.line;
}

void addSource(SourceLines &sources, KernelReport &kernel) {
  std::set<std::pair<std::string, uint32_t>> wanted;
  for (const CodeSide &side : kernel.code->sides)
    for (const listing::Instruction &each : side.listing.instructions)
      if (each.where.line)
        wanted.emplace(each.where.file, each.where.line);
  if (!kernel.file.empty() && kernel.line)
    for (uint32_t line = kernel.line, end = endOf(sources, kernel); line <= end; ++line)
      wanted.emplace(kernel.file, line);
  for (const auto &[file, line] : wanted)
    if (line <= sources.count(file))
      kernel.code->source.push_back({file, line, sources.whole({file, line})});
}

} // namespace

void addSource(FileReport &report) {
  SourceLines sources(report.file);
  for (ImageReport &image : report.images)
    for (KernelReport &kernel : image.kernels)
      if (kernel.code)
        addSource(sources, kernel);
}

} // namespace regrain::report
