//===- Print.h - printf and assert on AMD -----------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/IR/Module.h"

namespace regrain::amdgpu {

/// Turns calls of vprintf and __assertfail into those of OCKL, through which a lane asks
/// the host to print and waits until it has. printf gives the number of its arguments, as
/// in CUDA (CUDA C++ Programming Guide, "Formatted Output"); a failed assertion prints to
/// standard output, where CUDA's goes to standard error, and ends the kernel.
///
/// A call whose format is not a constant, or whose arguments do not lie in a structure of
/// their own, stays as it is: which of them are strings is not known.
void lowerPrinting(llvm::Module &module);

} // namespace regrain::amdgpu
