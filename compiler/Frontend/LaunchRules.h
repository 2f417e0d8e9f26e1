//===- LaunchRules.h - Functions that say how a kernel is launched -*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Refusal/Refusal.h"
#include "runtime/image/launch_rule.h"
#include "llvm/IR/Module.h"
#include <map>
#include <string>

namespace regrain {

/// A function is no rule that the image can hold.
struct NoRule {
  std::string reason; ///< one clause
  SourcePosition where;
};

/// Returns the steps of a function that a rule of include/cuda/regrain/variants.h became: its
/// parameters are the extents of the given launch, pointers to those of the result, and pointers to
/// the kernel's arguments. The function has been simplified, and calls nothing.
[[nodiscard]] std::variant<LaunchRule, NoRule> readRule(const llvm::Function &function);

/// Simplifies copies of `functions`, with all that they call, and returns a module with these under
/// their names.
[[nodiscard]] std::unique_ptr<llvm::Module>
simplifyRules(const llvm::Module &module, llvm::ArrayRef<const llvm::Function *> functions);

/// Returns a rule with the results of two, which are rules of the same kernel.
[[nodiscard]] LaunchRule joinRules(LaunchRule first, const LaunchRule &second);

} // namespace regrain
