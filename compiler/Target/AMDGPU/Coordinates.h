//===- Coordinates.h - The thread's place in block and grid -----*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/IR/Module.h"

namespace regrain::amdgpu {

/// Gives bodies to nvvm_read_ptx_sreg_{tid,ntid,ctaid,nctaid}_{x,y,z} where the module
/// calls them, with the ranges that clang gives for HIP. Sizes come from the implicit
/// arguments with code object version 5, from the dispatch packet with version 4
/// (LLVM's "User Guide for AMDGPU Backend"); all blocks of a launch are of one size.
void defineCoordinates(llvm::Module &module, unsigned codeObjectVersion);

} // namespace regrain::amdgpu
