//===- Print.h - printf and assert on AMD -----------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/IR/Module.h"

namespace regrain::amdgpu {

/// Turns calls of vprintf and __assertfail into those of OCKL, through which a lane asks the host
/// to print and waits until it has done so. printf returns the number of its arguments, as in CUDA
/// (CUDA C++ Programming Guide, "Formatted Output"). A failed assertion prints to standard output,
/// whereas CUDA's prints to standard error, and ends the kernel.
///
/// A call is kept if its format is not a constant, or its arguments are not in a structure of their
/// own, because it is not known which of them are strings.
void lowerPrinting(llvm::Module &module);

} // namespace regrain::amdgpu
