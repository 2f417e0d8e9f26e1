//===- RankedGrains.h - The order of the grains of a kernel -----*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Alternatives/Tiers.h"

#include <vector>

namespace regrain {

/// Orders the grains of one kernel by their tiers, and within a tier by the prediction. Space.h
/// says what adds to a tier.
class RankedGrains {
public:
  explicit RankedGrains(const Tiers &tiers) : tiers(tiers) {}

  void add(const Grain &grain);
  [[nodiscard]] std::vector<Grain> inOrder() &&;

private:
  /// A grain with its place in the enumeration, which decides between equals.
  struct Entry {
    Grain grain;
    int tier;
    double cycles;
    size_t order;

    bool operator<(const Entry &other) const;
  };

  void spread();

  const Tiers &tiers;
  std::vector<Entry> entries;
};

} // namespace regrain
