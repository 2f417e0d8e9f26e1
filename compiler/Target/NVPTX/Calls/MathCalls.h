//===- MathCalls.h - Calls of mathematical functions ------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A sine or an exponential is dozens of instructions with branches once it is inlined. LLVM then no
// longer sees that two of them are equal, or that one is the same in each iteration of a loop. nvcc
// shares them. So this happens before the definitions are linked, while each is one call. Functions
// of the program are shared likewise, before they are inlined.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/Target/TargetMachine.h"

namespace regrain::nvptx {

/// Makes equal calls in a function one call if the function of the program that they call depends
/// on its arguments alone. Then inlines the functions of the module that are marked so, makes equal
/// calls of functions of the math library one call, and moves calls whose arguments do not change
/// in a loop out of it, if each run of the loop executes them. That concerns functions that depend
/// on their arguments alone.
void shareMathCalls(llvm::Module &module, llvm::TargetMachine &machine);

} // namespace regrain::nvptx
