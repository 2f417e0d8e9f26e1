//===- Repeat.h - Output of a restarted program -----------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "apps/Tune/Spool.h"

#include <string_view>

namespace regrain::tune {

/// Separates the new part of a run's output from the part that earlier runs have
/// already written. After a run that differs, the next one is compared with that
/// run.
class Repeat {
public:
  /// Begins a new run, whose output starts at the first byte.
  void restart() {
    position = 0;
    differs = false;
  }
  /// Takes the next `bytes` of this run; returns their rest from the first new
  /// one on.
  std::string_view unseen(std::string_view bytes);

  /// Returns, at the end of a run, whether it ended before it repeated all earlier
  /// output.
  [[nodiscard]] bool isShort() const { return position < kept.size(); }
  /// Returns whether this run's output differs from that of earlier runs.
  [[nodiscard]] bool hasDiffered() const { return differs; }
  /// Returns whether all output could be kept for comparison.
  [[nodiscard]] bool isComplete() const { return kept.isComplete(); }

private:
  Spool kept;
  uint64_t position = 0; ///< in this run; the output of earlier runs may go beyond it
  bool differs = false;
};

} // namespace regrain::tune
