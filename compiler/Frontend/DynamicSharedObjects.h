//===- DynamicSharedObjects.h - Objects in dynamic memory -------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// nvcc takes `extern __shared__ Tile<64> tile;` for an object at the start of the dynamic shared
// memory. clang allows `extern` there only for arrays of unknown length.
//
// The macro __shared__ has an attribute of our own in front of `shared` and behind it. The first
// one makes such a variable static, and the second one makes it extern again. So clang checks no
// storage class, and declares the variable as it declares arrays.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/IR/Module.h"

namespace regrain {

/// Gives declarations in shared memory no size and bytes as elements, as for an array of unknown
/// length. Their alignment stays that of the program's type.
void dropDynamicSharedSizes(llvm::Module &module);

} // namespace regrain
