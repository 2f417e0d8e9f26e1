//===- Progress.h - The line that shows what is tuned -----------*- C++ -*-===//
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
  std::string kernel;    ///< short
  std::string candidate; ///< that was seen last
  std::string best;      ///< of the kernel's class, so far; empty: nothing beats the original
  double bestRatio = 1;
  double secondsLeft = 0; ///< of the budget
};

/// What a session's database says: of what is underway or, where nothing is, of what
/// was measured last. Nothing where neither is.
std::optional<ProgressState> progressOf(const std::vector<Underway> &underway,
                                        const std::vector<Measurement> &measurements);

/// One line of fewer than `width` columns. What does not fit is cut from the kernel's
/// name first, then from the end.
std::string progressText(const ProgressState &state, size_t width);

/// A line on a terminal that is drawn over itself. Gives text to write; draws again
/// after a tenth of a second at the earliest.
class ProgressLine {
public:
  /// `now` in seconds of any clock.
  std::string update(const ProgressState &state, size_t width, double now);
  /// Takes the line away, before anything else is written.
  std::string erase();

private:
  std::string shown; ///< empty: no line stands there
  double drawn = -1;
};

/// "scale" of "void scale<float>(float *, int)".
std::string shortName(const std::string &kernelName);

} // namespace regrain::tune
