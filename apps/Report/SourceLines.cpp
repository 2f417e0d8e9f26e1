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
#include <map>

namespace regrain::report {
namespace {

/// Returns where a file of the compiler's command line is now: relative paths are those of the
/// folder of that command, which is often the present one, or that of the built file.
std::filesystem::path placeOf(const std::string &file, const std::string &built) {
  std::filesystem::path path = file;
  std::error_code error;
  if (path.is_relative() && !std::filesystem::exists(path, error))
    return std::filesystem::path(built).parent_path() / path;
  return path;
}

} // namespace

const std::vector<std::string> &SourceLines::linesOf(const std::string &file) {
  auto [found, isNew] = files.try_emplace(file);
  std::error_code error, builtError;
  std::filesystem::path place = placeOf(file, built);
  auto changed = std::filesystem::last_write_time(place, error);
  if (!isNew || error || changed > std::filesystem::last_write_time(built, builtError) ||
      builtError)
    return found->second;
  std::ifstream stream(place);
  for (std::string line; std::getline(stream, line);)
    found->second.push_back(line);
  return found->second;
}

std::string SourceLines::uniqueName(const std::string &file) const {
  std::error_code error;
  std::filesystem::path path = std::filesystem::weakly_canonical(placeOf(file, built), error);
  return error ? file : path.string();
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
  std::map<std::pair<std::string, uint32_t>, std::string> wanted; ///< to the name in the code
  for (const CodeSide &side : kernel.code->sides)
    for (const listing::Instruction &each : side.listing.instructions)
      if (each.where.line)
        wanted.try_emplace({sources.uniqueName(each.where.file), each.where.line}, each.where.file);
  if (!kernel.file.empty() && kernel.line)
    for (uint32_t line = kernel.line, end = endOf(sources, kernel); line <= end; ++line)
      wanted.try_emplace({sources.uniqueName(kernel.file), line}, kernel.file);
  for (const auto &[place, file] : wanted)
    if (place.second <= sources.count(file))
      kernel.code->source.push_back({file, place.second, sources.whole({file, place.second})});
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
