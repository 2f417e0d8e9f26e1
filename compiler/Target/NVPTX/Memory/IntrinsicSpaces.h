//===- IntrinsicSpaces.h - In which memory intrinsics work ------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/IR/Module.h"

namespace regrain::nvptx {

/// Names the memory of atomicInc and atomicDec, and of what matrix fragments are loaded from and
/// stored to, where it is known: global for what a kernel's pointer points to, and that of a
/// variable. LLVM has intrinsics for these operations, for which it does not infer address spaces.
/// Otherwise ptxas asks the pointer at each access, and loads fragments from shared memory element
/// by element. To be called after optimisation.
void nameIntrinsicSpaces(llvm::Module &module);

} // namespace regrain::nvptx
