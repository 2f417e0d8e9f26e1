//===- matrix_cores.h - Products of fp8 by the matrix units -*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One instruction multiplies 16 channels with 8 tokens over 32 numbers of k. Channels are the
// side of 16, so that up to 8 tokens need no padding in memory and few products of zeros.
//
// Which k a lane holds is free, as long as both factors agree: lane q of the four that share
// a row has 16 neighbouring numbers, so that a row is read by accesses of 16 bytes. They are
// the operands of two instructions.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <cuda_runtime.h>

namespace regrain::kernels {

/// So many numbers of k has a warp at a time: four lanes with 16 bytes each.
constexpr int warpK = 64;

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 890
#define REGRAIN_FP8_MATRIX_CORES

/// Adds the products of 16 channels (`low`: row lane / 4, `high`: eight rows below) and 8 tokens.
/// sums: channel lane / 4 with tokens 2 * (lane % 4) and the next one, then eight channels below.
__device__ inline void multiplyAdd(float (&sums)[4], const uint4 &low, const uint4 &high,
                                   const uint4 &tokens) {
  asm("mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, "
      "{%8, %9}, {%0, %1, %2, %3};"
      : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
      : "r"(low.x), "r"(high.x), "r"(low.y), "r"(high.y), "r"(tokens.x), "r"(tokens.y));
  asm("mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, "
      "{%8, %9}, {%0, %1, %2, %3};"
      : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
      : "r"(low.z), "r"(high.z), "r"(low.w), "r"(high.w), "r"(tokens.z), "r"(tokens.w));
}
#endif

} // namespace regrain::kernels
