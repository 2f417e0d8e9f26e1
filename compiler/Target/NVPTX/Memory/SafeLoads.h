//===- SafeLoads.h - Loads that cannot fault --------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/IR/ConstantRange.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PassManager.h"
#include <optional>

namespace llvm {
class ScalarEvolution;
} // namespace llvm

namespace regrain::nvptx {

/// Proves for loads of one function that they cannot fault where their operands are computed,
/// whatever conditions hold there. The proofs hold while the function does not change.
class SafeLoads {
public:
  SafeLoads(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);

  /// Returns whether the load is neither volatile nor atomic, and all bytes that it can name are
  /// aligned and belong to an object whose size is known.
  bool isSafe(const llvm::LoadInst &load) const;

private:
  /// Returns the values that `value` can take; nothing if flags of its operations may make it
  /// poison, because what excludes that may be the guard.
  std::optional<llvm::ConstantRange> rangeOf(const llvm::Value &value, unsigned depth = 0) const;
  llvm::ConstantRange rangeOfCounter(const llvm::PHINode &phi) const;

  const llvm::DataLayout &layout;
  llvm::ScalarEvolution &evolution;
};

} // namespace regrain::nvptx
