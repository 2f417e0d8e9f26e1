//===- launch_rule.h - How a variant of a kernel is launched ----*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The source gives the rule as a function (include/cuda/regrain/variants.h). The compiler makes of
// it a list of steps, which the image holds and the runtime evaluates with each launch
// (docs/decisions/0123-alternatives-that-the-source-offers.md).
//
//===----------------------------------------------------------------------===//
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace regrain {

/// What a step computes of the results of earlier steps. The numbers are part of the format.
enum class RuleOp : uint8_t {
  Constant, ///< `value`
  Given,    ///< extent number `first` of the program's launch
  Argument, ///< the integer of `bits` at byte `second` of argument `first`
  Add,
  Subtract,
  Multiply,
  DivideUnsigned,
  DivideSigned,
  RemainderUnsigned,
  RemainderSigned,
  And,
  Or,
  Xor,
  ShiftLeft,
  ShiftRightUnsigned,
  ShiftRightSigned,
  Resize,       ///< to `bits`: by zeros, or without the upper ones
  ExtendSigned, ///< to `bits`
  Equal,
  LessUnsigned,
  LessSigned,
  Select, ///< `second` if `first` is 1, otherwise `third`
};
inline constexpr uint8_t ruleOps = uint8_t(RuleOp::Select) + 1;

/// Returns how many of `first`, `second` and `third` name earlier steps.
[[nodiscard]] constexpr unsigned operandsOf(RuleOp op) {
  if (op <= RuleOp::Argument)
    return 0;
  if (op == RuleOp::Resize || op == RuleOp::ExtendSigned)
    return 1;
  return op == RuleOp::Select ? 3 : 2;
}

struct RuleStep {
  RuleOp op = RuleOp::Constant;
  uint8_t bits = 64; ///< of the result, from 1 to 64
  uint32_t first = 0, second = 0, third = 0;
  uint64_t value = 0;
  friend auto operator<=>(const RuleStep &, const RuleStep &) = default;
};

/// The extents of a launch, in this order: the grid, the block, the bytes of dynamic shared memory,
/// and the blocks of a cluster.
inline constexpr size_t launchExtents = 10, sharedExtent = 6, clusterExtents = 7;
using LaunchExtents = std::array<uint64_t, launchExtents>;

/// More steps are no rule.
inline constexpr size_t mostRuleSteps = 4096;

struct LaunchRule {
  std::vector<RuleStep> steps;
  /// The steps whose results are the extents of the variant's launch. Where the rule says how the
  /// original is launched as well, those extents follow.
  std::vector<uint32_t> results;

  bool empty() const { return results.empty(); }
  bool saysOriginal() const { return results.size() == 2 * launchExtents; }
  friend auto operator<=>(const LaunchRule &, const LaunchRule &) = default;
};

/// Lets the rule say the clusters of the variant's launch, or of the original's if `ofOriginal`.
void setClusters(LaunchRule &rule, bool ofOriginal, const std::array<uint32_t, 3> &blocks);

/// Returns what is wrong with the rule of a kernel whose parameters have these sizes, as one
/// clause; null if nothing is. A rule with which nothing is wrong can be evaluated.
[[nodiscard]] const char *findWrong(const LaunchRule &rule,
                                    std::span<const uint32_t> parameterBytes);

/// Returns what a step reads that reads an argument.
[[nodiscard]] uint64_t readArgument(const RuleStep &step, void *const *arguments);

/// Evaluates the rule. Returns nothing if a result depends on a division by zero or on a shift by
/// more bits than a number has.
[[nodiscard]] std::optional<std::vector<uint64_t>>
evaluate(const LaunchRule &rule, const LaunchExtents &given, void *const *arguments);

} // namespace regrain
