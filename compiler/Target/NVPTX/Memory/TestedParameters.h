//===- TestedParameters.h - Parameters whose alignment is asked -*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM does not find that a function only reads through a pointer that it also makes a number of,
// as in
//
//   if (reinterpret_cast<uintptr_t>(p) % 16 == 0)
//
// and the code generator writes ld.global.nc only with that. ptxas moves such loads in front of
// stores, so that all of them are waited for at once.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/IR/Module.h"

namespace regrain::nvptx {

/// Says of pointers of kernels that have `noalias` that nobody writes through them, if their
/// addresses only reach loads and comparisons. Kernels that wait for the launch in front of them
/// stay as they are: the memory may change until then. To be called after optimisation, which has
/// inlined the functions that ask.
void markTestedParameters(llvm::Module &module);

} // namespace regrain::nvptx
