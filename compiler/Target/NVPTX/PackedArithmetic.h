//===- PackedArithmetic.h - Sums and products of pairs ----------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A register holds two numbers of 16 bits, and an instruction computes with both. LLVM's SLP
// vectoriser uses that where the results are stored side by side, but not where each is converted
// first, as in float(a[i] * b[i]). This pass pairs what begins with neighbours in one register. A
// half of a packed instruction rounds like the scalar one, so the bits are the same
// (docs/decisions/0087).
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/IR/Function.h"

namespace regrain::nvptx {

/// Pairs sums, differences, products and fused products of half and bfloat numbers whose operands
/// are neighbouring elements of vectors, or common to both. Nothing else is moved: a pair is
/// computed where the first of the two was. `capability` is the chip's, for what it packs. Returns
/// whether anything has changed.
bool packArithmetic(llvm::Function &function, unsigned capability);

} // namespace regrain::nvptx
