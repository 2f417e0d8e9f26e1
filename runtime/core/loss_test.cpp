//===- loss_test.cpp - A test for losses of a chosen grain ----------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/core/loss_test.h"

#include <algorithm>
#include <cmath>

namespace regrain {

LossTest::Verdict LossTest::add(double original, double chosen) {
  if (isDecided)
    *this = LossTest();
  double ratio = original / chosen;
  if (!(std::isfinite(ratio) && ratio > 0))
    ratio = 1;
  ratios[count % ratios.size()] = float(ratio);
  losses += ratio * leastLoss < 1;
  if (++count != nextLook)
    return Verdict::Open;
  nextLook *= 2;
  Verdict verdict = look();
  isDecided = verdict != Verdict::Open;
  return verdict;
}

/// If both outcomes of a pair are equally probable, the number of losses has a standard
/// deviation of sqrt(count) / 2.
LossTest::Verdict LossTest::look() const {
  double above = 2.0 * losses - count;
  if (above <= 0)
    return Verdict::Holds;
  if (above * above >= 3.3 * 3.3 * count)
    return Verdict::Loses;
  return count < lastLook ? Verdict::Open : Verdict::Holds;
}

double LossTest::ratio() const {
  std::array<float, 64> sorted = ratios;
  auto end = sorted.begin() + std::min<size_t>(count, sorted.size());
  auto middle = sorted.begin() + (end - sorted.begin()) / 2;
  std::nth_element(sorted.begin(), middle, end);
  return *middle;
}

} // namespace regrain
