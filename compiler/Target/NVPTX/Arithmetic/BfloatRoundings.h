//===- BfloatRoundings.h - Floats that are rounded to bf16 ------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   cvt.rn.bf16.f32 h, x; cvt.u32.u16 r, h; shl.b32 r, r, 16; mov.b32 y, r
//     =>  cvt.rn.bf16x2.f32 r, x, 0; mov.b32 y, r
//
// ptxas converts one float by F2F, of which a multiprocessor starts 16 in a cycle, and a pair by
// F2FP, of which it starts four times as many. Many programs compute with floats that they round
// to bf16: the rounded float is the number in the upper half of a pair, with 0 in the lower half.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/IR/PassManager.h"

namespace regrain::nvptx {

/// Rounds floats to bf16 in the upper half of a pair, if they are used as floats again. The result
/// is the same for all floats, what is no number included. A number that is used in 16 bits as well
/// is taken from the pair; one that is only used so is left to ptxas, which pairs neighbours.
struct RoundInWords : llvm::PassInfoMixin<RoundInWords> {
  /// Whether devices of this compute capability have the instruction.
  static bool areOf(unsigned capability) { return capability >= 80; }

  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &);
};

} // namespace regrain::nvptx
