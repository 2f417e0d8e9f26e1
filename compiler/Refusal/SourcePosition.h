//===- SourcePosition.h - A place in the program's source -------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This header needs no LLVM. Refuse.h and DebugPosition.h say where the position of an operation
// and of an LLVM instruction comes from.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <string>

namespace regrain {

struct SourcePosition {
  std::string file;    ///< empty if the position is unknown
  unsigned line = 0;   ///< 0 if unknown
  unsigned column = 0; ///< 0 if unknown

  bool isKnown() const { return !file.empty(); }
  friend bool operator==(const SourcePosition &, const SourcePosition &) = default;
};

/// Returns "k.cu:12:3" as far as it is known.
inline std::string toString(const SourcePosition &where) {
  std::string text = where.file;
  if (where.isKnown() && where.line) {
    text += ":" + std::to_string(where.line);
    if (where.column)
      text += ":" + std::to_string(where.column);
  }
  return text;
}

/// Returns " (k.cu:12)", which can follow a clause; empty if the position is unknown.
inline std::string inParentheses(const SourcePosition &where) {
  return where.isKnown() ? " (" + toString({where.file, where.line}) + ")" : "";
}

} // namespace regrain
