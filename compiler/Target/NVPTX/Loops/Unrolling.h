//===- Unrolling.h - How loops are unrolled ---------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM unrolls a loop completely if that gives at most 300 instructions, counting those that
// address memory and the loop's own. nvcc takes loops of more than twice that size: 64 steps with a
// condition and a load, 144 that load and add. Then the conditions of the steps become constants,
// and ptxas predicates what they guard. Beyond that, which factor is faster differs from kernel to
// kernel, so it is a grain (docs/decisions/0078).
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/Passes/PassBuilder.h"

namespace regrain::nvptx {

/// The most instructions of a loop that is unrolled completely in every kernel, before what becomes
/// constant is removed. Address computations, conversions of integers and the loop's counter are
/// not counted: they become offsets of accesses. nvcc unrolls loops up to about this size.
inline constexpr uint64_t mostOfShortLoop = 450;
/// The same for `unroll=full`. Such a loop takes 32 KiB of machine code, a quarter of the
/// instruction cache of a multiprocessor.
inline constexpr uint64_t mostOfFullLoop = 2048;

/// The most instructions of a loop that is unrolled in part in every kernel, with those of
/// addresses, except extensions of indices of shared arrays, whose addresses have 32 bits. nvcc
/// takes the largest power of two that divides a known length, or up to 4 iterations if the length
/// is not known. A loop whose counter may wrap around, as far as the program says, in steps that are
/// not known stays as it is.
inline constexpr uint64_t mostOfPartialLoop = 200;

/// How loops are unrolled for which the program gives no pragma.
struct Unrolling {
  uint64_t mostOfFull = mostOfShortLoop; ///< instructions of a loop that is unrolled completely
  /// Iterations at a time of innermost loops that are not unrolled completely; 0: by their size,
  /// 1: no loop is unrolled.
  unsigned factor = 0;
  bool searches = false; ///< loops that look for an element pass over whole lines (SearchLoops.h)

  /// Returns whether a grain asks for long loops to be unrolled completely.
  [[nodiscard]] bool isAsked() const { return mostOfFull == mostOfFullLoop; }

  /// Reads the value of the attribute regrain-unroll; the default if it is empty.
  static Unrolling of(llvm::StringRef word);
};

/// Makes the pipelines of `builder` unroll loops in that way. Loops that call functions are not
/// unrolled completely.
void chooseUnrolling(llvm::PassBuilder &builder, Unrolling unrolling);

} // namespace regrain::nvptx
