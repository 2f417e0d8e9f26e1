//===- CastShared.h - Shared arrays read as wider types ---------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Programs read an array of float in shared memory as float4:
//
//   __shared__ float tile[64];
//   float4 four = *reinterpret_cast<float4 *>(&tile[4 * threadIdx.x]);
//
// nvcc takes the type's word for the alignment. clang takes the array's, and copies word by word.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/IR/Module.h"

namespace regrain {

/// Aligns shared variables for the copies of 8 and 16 bytes that the unoptimised functions
/// of `module` make in them. LLVM then finds out which of the copies are aligned, by their indices.
/// The variables of one of `kernels` stay as they are if it then needed more than `most` bytes.
void alignCastShared(llvm::Module &module, llvm::ArrayRef<llvm::Function *> kernels, uint64_t most);

} // namespace regrain
