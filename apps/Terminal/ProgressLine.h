//===- ProgressLine.h - A line that is redrawn in place ---------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include <string>

namespace regrain::terminal {

/// Returns whether a line can be redrawn behind the descriptor: it is a terminal, and no dumb one.
[[nodiscard]] bool canRedraw(int descriptor);

/// Returns "about 40 s left" or "about 3 min left" when `done` of `all` steps took so many seconds;
/// nothing as long as that says little.
[[nodiscard]] std::string timeLeft(size_t done, size_t all, double seconds);

/// Returns the columns of the terminal behind the descriptor; 80 if that is not known.
[[nodiscard]] size_t widthOf(int descriptor);

/// Returns the text, of which the end is replaced by ".." if it has more than `width` bytes.
[[nodiscard]] std::string cut(std::string text, size_t width);

/// A line on a terminal that is redrawn in place. Its functions return the text to
/// write; it is redrawn after a tenth of a second at the earliest.
class ProgressLine {
public:
  /// `text` must be shorter than the terminal's line; `now` is in seconds of any clock.
  [[nodiscard]] std::string update(const std::string &text, double now);
  /// Erases the line, before other output.
  [[nodiscard]] std::string erase();

private:
  std::string shown; ///< empty: there is no line
  double drawn = -1;
};

} // namespace regrain::terminal
