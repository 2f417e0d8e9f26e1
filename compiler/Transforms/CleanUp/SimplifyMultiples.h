//===- SimplifyMultiples.h - Neighbours of a multiple -----------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "mlir/IR/PatternMatch.h"

namespace regrain {

/// Adds rewrites of the neighbours of a multiple of 2^k: of `a + c` with 0 < c < 2^k, where `a` and
/// `d` are multiples of 2^k. Threads that are joined as neighbours have such numbers, and are in
/// one block, and all or none of them in the grid, if 2^k of them are joined.
///
///   (a + c) / d  =>  a / d        (a + c) % d  =>  a % d + c        a + c < d  =>  a < d
///
/// What a mask keeps of a multiple is 0 if the mask is below 2^k: a test of whether an address is
/// aligned is decided where that is known of a parameter and of the distance from it.
///
/// All are unsigned. A multiple modulo 2^n is a multiple, so nothing is asked of overflow.
void populateSimplifyMultiples(mlir::RewritePatternSet &patterns);

} // namespace regrain
