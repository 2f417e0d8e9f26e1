//===- CodesByBits.h - 8-bit numbers computed from bits ---------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// PyTorch converts floats to 8-bit numbers by arithmetic on their bits, with two branches for each
// number. Devices of compute capability 8.9 and later have an instruction for that, and the headers
// of CUDA use it in inline PTX.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/IR/PassManager.h"

namespace regrain::nvptx {

/// Replaces arithmetic that rounds a float to an 8-bit number of four exponent and three mantissa
/// bits (e4m3) by the device's conversion. It is recognised by its results: with the float's sign
/// put aside, and as far as its lower 8 bits are used, a value is
///   127                                       from 480 on and for what is no number,
///   the bits of the sum with 2^14             below 2^-6, and
///   the bits with another bias, rounded to 3 bits of mantissa and shifted, in between.
/// The device's instruction has the same results up to 464, and saturates from there on. The value
/// 127 is selected for larger floats, unless the float is known to be no larger.
struct UseCodeConversions : llvm::PassInfoMixin<UseCodeConversions> {
  /// Whether devices of this compute capability have the instruction.
  static bool areOf(unsigned capability) { return capability >= 89; }

  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace regrain::nvptx
