//===- WarpStarts.h - Numbers that a warp has in common ---------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In a block whose width is a multiple of 32, the lanes of a warp differ in the last five bits of
// threadIdx.x alone. So they have threadIdx.x / 32 in common, and what is derived from it. That is
// computed from the number of the warp's first thread, which says so:
//
//   (blockIdx.x * blockDim.x + threadIdx.x) / 32  =>  (blockIdx.x * blockDim.x + first) / 32
//
// Legality. The number is threadIdx.x, to which multiples of 32 have been added, so its last five
// bits are those of the lane. Where they are cut off, the result is that of the first thread. A
// signed quotient cuts them off only if the number is not negative, which launch indices are not,
// because no launch that is split has 2^31 threads in x.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Dialect/Grain/Grain.h"

namespace regrain {

/// Lets numbers that all lanes of a warp have in common be derived from the threadIdx.x of its
/// first thread. Returns what stands for that.
mlir::Value createWarpStarts(grain::BlocksOp blocks);

} // namespace regrain
