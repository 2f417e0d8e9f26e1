//===- CodedQuotients.h - Quotients that become 8-bit numbers ---*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels that quantise divide many numbers by one scale, and convert the quotients to 8-bit
// floating-point numbers. An exact division takes about fifteen instructions, two of them of the
// slow unit for reciprocals. If the reciprocal is at hand, three are enough, and two more keep the
// cases right in which they have no result.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/IR/PassManager.h"

namespace regrain::nvptx {

/// Computes quotients by a common divisor from its reciprocal, if nothing but a conversion to e4m3
/// or e5m2 uses them, directly or behind a clamp. The codes are the same, bit by bit:
///   - With z the rounded reciprocal of y, and q the product x z, q - (q y - x) z is the rounded
///     quotient (Markstein), if nothing overflows and no bit of q y - x is lost.
///   - A power of two, by which x and y are multiplied, brings y between 2^-85 and 2^64, so that
///     bits are lost only if the quotient's code is 0. It has y's sign, so that zeros keep theirs.
///   - A q beyond what codes distinguish is brought back to their border, so that infinity becomes
///     the largest code. On the side whose bound a clamp has for what is no number, it may become
///     none instead.
/// Divisors that serve fewer than four quotients outside of loops keep their divisions, as does
/// code that flushes subnormal numbers. A lower or upper bound behind another one, which the
/// conversion has as well, is removed.
struct ShareReciprocals : llvm::PassInfoMixin<ShareReciprocals> {
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace regrain::nvptx
