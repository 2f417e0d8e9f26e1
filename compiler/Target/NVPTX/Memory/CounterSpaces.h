//===- CounterSpaces.h - In which memory counters are -----------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/IR/Module.h"

namespace regrain::nvptx {

/// Names the memory of atomicInc and atomicDec where it is known: global for what a kernel's
/// pointer points to, and that of a variable. LLVM has intrinsics for these two operations, for
/// which it does not infer address spaces, and ptxas asks the pointer at each access otherwise. To
/// be called after optimisation.
void nameCounterSpaces(llvm::Module &module);

} // namespace regrain::nvptx
