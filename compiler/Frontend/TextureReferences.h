//===- TextureReferences.h - References as variables ------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A texture or surface reference of CUDA 11 is a variable at namespace scope. For clang, it is a
// symbol that the driver binds, which new drivers and other targets do not have. Here it is an
// ordinary device variable that holds a texture or surface object; the runtime's cudaBindTexture
// stores that object.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/IR/Module.h"

namespace regrain {

/// Makes each reference a variable of 64 bits that is initially 0, and reads it where its handle
/// was taken.
void storeTextureReferences(llvm::Module &device);

} // namespace regrain
