//===- BlockUniformity.h - What threads of a block agree on -----*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM's analysis of uniform values, with what differs between threads of a block. LLVM's own
// answer for this target takes the result of every call for different, also that of the block's
// coordinates.
//
// Threads agree on what a plain load from global or shared memory returns if they agree on the
// address: they load it between the same barriers, and another value would be a data race. This
// holds as long as the branches around barriers are uniform, which is asked of the same analysis.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

namespace regrain::nvptx {

/// Returns whether the intrinsic function reads the size of the block or of the grid, or the place
/// of the block.
[[nodiscard]] bool readsBlock(const llvm::IntrinsicInst &call);

using BasicBlocks = llvm::SmallPtrSet<const llvm::BasicBlock *, 16>;

/// Returns the basic blocks of a kernel at whose ends threads of a block may part.
[[nodiscard]] BasicBlocks findPartings(llvm::Function &kernel);

using Loads = llvm::SmallPtrSet<const llvm::LoadInst *, 16>;

/// Returns the plain loads of a kernel whose addresses may differ between the lanes of a warp. The
/// lanes are taken for neighbours along x.
[[nodiscard]] Loads findScatteredLoads(llvm::Function &kernel);

} // namespace regrain::nvptx
