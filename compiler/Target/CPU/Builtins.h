//===- Builtins.h - CUDA built-ins to library calls -------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rewrites in a device module for nvptx64:
// - llvm.nvvm.a.b to the device library's nvvm_a_b;
// - conversions between address spaces, cached loads, NVVM atomics and llvm.fmuladd (a
//   multiplication and an addition) to plain instructions;
// - LLVM's math intrinsics that are not exact to SLEEF's functions;
// - inline PTX assembly that is known to calls or instructions;
// - vprintf, malloc, free, __assertfail and traps to the plugin's functions.
//
// It leaves alone what it does not know; Unresolved.h then finds the kernels that need it.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/IR/Module.h"

namespace regrain::cpu {

void lowerBuiltins(llvm::Module &module);

} // namespace regrain::cpu
