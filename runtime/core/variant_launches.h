//===- variant_launches.h - The launches of a variant -----------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/core/alternative.h"
#include "runtime/core/recent_answers.h"

namespace regrain {

/// The launches of a variant, by the source's rule. The rule has dozens of steps, and its result
/// depends on the program's launch and on the arguments that it reads, so it is not evaluated again
/// for those. Any threads may use it at once.
class VariantLaunches {
public:
  explicit VariantLaunches(LaunchRule rule);

  /// Returns launchOfVariant of the rule.
  [[nodiscard]] tl::expected<LaunchShape, Misfit> of(const LaunchShape &program,
                                                     void *const *arguments);

private:
  /// A rule that reads more arguments is evaluated for each launch.
  static constexpr size_t mostRead = 32;

  LaunchRule rule;
  std::vector<RuleStep> read; ///< the steps that read arguments
  RecentAnswers known;        ///< of the extents of the program's launch, and what is read
};

} // namespace regrain
