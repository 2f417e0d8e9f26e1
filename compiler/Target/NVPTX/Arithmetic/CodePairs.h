//===- CodePairs.h - Conversions of pairs of 8-bit numbers ------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The device converts 8-bit floating-point numbers in pairs. A program that converts one at a time
// wastes half of each instruction: the other number is 0. Where neighbours are stored or loaded
// together, one instruction converts both. The bits are the same: the two halves of the instruction
// are independent of each other (docs/decisions/0087).
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/IR/Function.h"

namespace regrain::nvptx {

/// Pairs the conversions to 8-bit numbers whose results are stored as one vector, and those from
/// 8-bit numbers that were loaded as one. It expects what LLVM's load-store vectoriser leaves. What
/// has another use, or is not an element of such a vector, stays. Returns whether anything has
/// changed.
bool pairCodes(llvm::Function &function);

} // namespace regrain::nvptx
