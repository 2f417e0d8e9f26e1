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

/// Returns the rule by which an alternative's variant is launched; an empty one if it is none.
[[nodiscard]] inline LaunchRule ruleOf(const image::Alternative &alternative) {
  LaunchRule rule;
  if (alternative.rule())
    for (const image::RuleStep *step : *alternative.rule())
      rule.steps.push_back({RuleOp(step->op()), step->bits(), step->first(), step->second(),
                            step->third(), step->value()});
  if (alternative.rule_results())
    rule.results.assign(alternative.rule_results()->begin(), alternative.rule_results()->end());
  return rule;
}

} // namespace regrain
