//===- Tiers.h - Which grains come first ------------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Space.h says what adds to the tier of a grain.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Alternatives/Statistics.h"
#include "runtime/image/grain.h"

#include <array>
#include <optional>
#include <vector>

namespace regrain {

inline unsigned product(const Factors &factors) { return factors[0] * factors[1] * factors[2]; }

/// Returns which of the keys with candidates the grain uses.
[[nodiscard]] std::vector<bool> candidatesIn(const Grain &grain);

/// Determines the tiers of the grains of one kernel.
class Tiers {
public:
  explicit Tiers(const Statistics &statistics);

  struct Place {
    int tier;
    double cycles; ///< predicted
  };
  [[nodiscard]] Place placeOf(const Grain &grain) const;

  [[nodiscard]] bool isTiny() const;

  /// Returns whether the form for the seen block is better: threads exchange less if that block is
  /// launched, or the launched block is one warp. Reshaped blocks are no longer those seen.
  [[nodiscard]] bool isBetterForBlock(const Grain &grain) const;

  /// Returns the grain for blocks that leave a thread more registers, if it may need them.
  [[nodiscard]] std::optional<Grain> boundedForm(Grain grain) const;

  /// Returns whether accesses become wider if the pointers are known to be aligned.
  [[nodiscard]] bool joinsAccesses() const;

private:
  bool isMarchedShape(const Grain &grain) const;
  std::optional<int> tierOfForm(const Grain &grain) const;
  int tierOf(const Grain &grain) const;
  int tierOfPrediction(double cycles) const;
  int tierOfLikeness(const Grain &grain) const;

  const Statistics &statistics;
  double original; ///< cycles
  /// Per dimension, the share of the accesses that blocks differing only in it have in common.
  std::array<double, 3> common;
  unsigned seenThreads = 0; ///< of the seen block; 0 if none is seen
};

} // namespace regrain
