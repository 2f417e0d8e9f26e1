//===- Progress.h - The progress line of tuning -----------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/tuning/database.h"

#include <optional>
#include <string>
#include <vector>

namespace regrain::tune {

struct ProgressState {
  std::string kernel;    ///< its short name
  std::string candidate; ///< the latest one
  std::string best;      ///< of the kernel's class, so far; empty: the original
  double bestRatio = 1;
  double secondsLeft = 0; ///< of the budget
};

/// Reads the state from a session's database: the candidate that is running or, if
/// there is none, the latest measurement. Returns nothing if there is neither.
std::optional<ProgressState> progressOf(const std::vector<Underway> &underway,
                                        const std::vector<Measurement> &measurements);

/// Returns one line of fewer than `width` columns. If it is too long, the kernel's
/// name is shortened first, then the end.
std::string progressText(const ProgressState &state, size_t width);

/// A line on a terminal that is redrawn in place. Its functions return the text to
/// write; it is redrawn after a tenth of a second at the earliest.
class ProgressLine {
public:
  /// `now` is in seconds of any clock.
  std::string update(const ProgressState &state, size_t width, double now);
  /// Erases the line, before other output.
  std::string erase();

private:
  std::string shown; ///< empty: there is no line
  double drawn = -1;
};

/// Returns "scale" for "void scale<float>(float *, int)".
std::string shortName(const std::string &kernelName);

} // namespace regrain::tune
