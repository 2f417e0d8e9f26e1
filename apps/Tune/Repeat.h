//===- Repeat.h - Output of a program that was started again ----*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "apps/Tune/Spool.h"

#include <string_view>

namespace regrain::tune {

/// Tells what of a run's output the runs before it have already put out. Once a run
/// differs, it is itself what the next is compared with.
class Repeat {
public:
  /// A new run begins at its first byte.
  void restart() {
    position = 0;
    differs = false;
  }
  /// The rest of `bytes`, the next ones of this run, from the first new one on.
  std::string_view unseen(std::string_view bytes);

  /// The run ends; whether it came to an end before all that was put out came again.
  [[nodiscard]] bool isShort() const { return position < record.size(); }
  /// Whether this run has put out something else than those before.
  [[nodiscard]] bool hasDiffered() const { return differs; }
  /// Whether all of the output could be kept for comparison.
  [[nodiscard]] bool isComplete() const { return record.isComplete(); }

private:
  Spool record;
  uint64_t position = 0; ///< in this run; behind it lies what runs before put out
  bool differs = false;
};

} // namespace regrain::tune
