//===- FastMath.h - What -use_fast_math asks for ----------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// nvcc's -use_fast_math is --ftz=true --prec-div=false --prec-sqrt=false
// --fmad=true, for single precision. It allows no reordering of operations.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/IR/Module.h"

namespace regrain::nvptx {

/// Makes single-precision results below the normal range zero, in the module's
/// functions and in the math library, if it is linked afterwards.
void flushToZero(llvm::Module &module);

/// Turns single-precision divisions and square roots into the machine's
/// approximations. To be run after the optimiser, which knows the exact ones.
void approximateDivisions(llvm::Module &module);

} // namespace regrain::nvptx
