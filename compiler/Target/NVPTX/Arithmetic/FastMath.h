//===- FastMath.h - The effects of -use_fast_math ---------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// nvcc's -use_fast_math stands for --ftz=true --prec-div=false --prec-sqrt=false --fmad=true, for
// single precision. It does not allow operations to be reordered.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/IR/Module.h"

namespace regrain::nvptx {

/// Flushes subnormal single-precision results to zero, in the module's functions and in the math
/// library if it is linked afterwards.
void flushToZero(llvm::Module &module);

/// Turns single-precision divisions and square roots into the hardware's approximations. Call this
/// after the optimiser, which knows the exact operations.
void approximateDivisions(llvm::Module &module);

} // namespace regrain::nvptx
