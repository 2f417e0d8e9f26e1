//===- SharedAlignment.cpp - alignas behind __shared__ --------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Frontend/SharedAlignment.h"

#include <algorithm>

using namespace llvm;

namespace regrain {
namespace {

constexpr StringLiteral blanks = " \t";

/// Returns the length of "alignas(...)" at the start of `text`; 0 if it does not start so, or goes
/// on in the next line.
size_t alignmentLength(StringRef text) {
  StringRef rest = text;
  if (!rest.consume_front("alignas"))
    return 0;
  size_t position = text.size() - rest.ltrim(blanks).size(), depth = 0;
  for (; position < text.size() && text[position] != '\n'; ++position) {
    if (text[position] == '(')
      ++depth;
    else if (text[position] == ')' && --depth == 0)
      return position + 1;
    if (depth == 0)
      return 0;
  }
  return 0;
}

} // namespace

std::optional<std::string> moveAlignments(StringRef text) {
  std::optional<std::string> changed;
  constexpr StringLiteral word = "__shared__";
  for (size_t at = text.find(word); at != StringRef::npos; at = text.find(word, at + 1)) {
    StringRef after = text.substr(at + word.size()), behind = after.ltrim(blanks);
    size_t blankCount = after.size() - behind.size(), length = alignmentLength(behind);
    if (blankCount == 0 || length == 0)
      continue;
    if (!changed)
      changed = text.str();
    std::string moved = (behind.take_front(length) + after.take_front(blankCount) + word).str();
    std::copy(moved.begin(), moved.end(), changed->begin() + at);
  }
  return changed;
}

} // namespace regrain
