//===- image_rule.h - The rule of a variant in an image ---------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "image_generated.h"
#include "runtime/image/launch_rule.h"

namespace regrain {

/// Returns the rule by which an alternative's variant is launched; an empty one if it is none. The
/// rules of older images say nothing of clusters, which their launches do not have.
[[nodiscard]] inline LaunchRule ruleOf(const image::Alternative &alternative) {
  LaunchRule rule;
  if (alternative.rule())
    for (const image::RuleStep *step : *alternative.rule())
      rule.steps.push_back({RuleOp(step->op()), step->bits(), step->first(), step->second(),
                            step->third(), step->value()});
  if (alternative.rule_results())
    rule.results.assign(alternative.rule_results()->begin(), alternative.rule_results()->end());
  bool isOlder = rule.results.size() == clusterExtents || rule.results.size() == 2 * clusterExtents;
  if (isOlder) {
    rule.steps.push_back({.op = RuleOp::Constant, .value = 1});
    for (size_t end = rule.results.size(); end > 0; end -= clusterExtents)
      rule.results.insert(rule.results.begin() + ptrdiff_t(end), launchExtents - clusterExtents,
                          uint32_t(rule.steps.size() - 1));
  }
  return rule;
}

} // namespace regrain
