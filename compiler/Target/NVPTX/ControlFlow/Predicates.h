//===- Predicates.h - Conditions as the machine computes them ---*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A condition is a predicate register, and the machine combines three of them in one instruction.
// LLVM's NVPTX target selects between two conditions in 32-bit registers, which takes a selection
// for each of the three and a comparison; and it asks for the bits of a number whether it is
// finite, where one comparison of its absolute value answers that.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/IR/Function.h"
#include "llvm/Pass.h"

namespace regrain::nvptx {

/// Replaces selections between conditions by logic, and questions whether a `float` or `double` is
/// finite by comparisons. Returns whether the function has changed.
bool usePredicates(llvm::Function &function);

/// Returns a pass over LLVM IR for directly before the instructions are selected.
llvm::FunctionPass *createUsePredicates();

} // namespace regrain::nvptx
