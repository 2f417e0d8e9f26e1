//===- InlineCalls.h - Kernels that call no functions -----------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ptxas's code for sm_90 has been wrong where one side of a branch calls a function
// (docs/decisions/0049), so kernels call as few as can be.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/IR/Module.h"

namespace regrain::nvptx {

/// Has LLVM inline the functions of `module` wherever they are called directly,
/// `__noinline__` or not. Functions that call themselves stay, as do those whose
/// copies would make the module too large. To be asked before libdevice is linked, whose slow
/// paths are calls with every compiler.
void inlineCalls(llvm::Module &module);

/// Divides numbers of fewer than 32 bits as numbers of 32: ptxas calls a routine of
/// its own for 16. To be run after LLVM's passes, which make divisions narrow.
void widenDivisions(llvm::Module &module);

} // namespace regrain::nvptx
