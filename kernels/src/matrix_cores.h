//===- matrix_cores.h - Products of fp8 by the matrix units -*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One instruction multiplies 16 channels with 8 tokens. Channels are the side of 16, so that up
// to 8 tokens need no padding in memory and few products of zeros.
//
// Which k a lane holds is free, as long as both factors agree: lane q of the four that share
// a row has 16 neighbouring numbers, so that a row is read by accesses of 16 bytes.
//
// On sm_89 and from sm_120 on, mma.sync multiplies fp8. In between, it has no instruction for
// that: ptxas converts both factors to half for each, and adds each result by itself. There, the
// factors are converted here, once for all products that they are in, and sums stay in the
// matrix units. All products of fp8 are exact in either form.
//
// Code for the CPU and for AMD's GPUs is compiled at once, with __CUDA_ARCH__ 700. It asks its
// target whether the instruction is one of matrix cores, as on gfx942. Code for debuggers does not
// ask: it keeps what nothing runs, and a GPU of compute capability 7.0 does not read that.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <cuda_runtime.h>

#if defined(REGRAIN_TAKE_MATRIX_CORES)
#define REGRAIN_FP8_MATRIX_CORES
#elif defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 890
#define REGRAIN_FP8_MATRIX_CORES
#elif defined(__CUDA_ARCH__) && __CUDA_ARCH__ == 700 && !defined(__CUDACC_DEBUG__) &&              \
    __has_include(<regrain/matrix_cores.h>)
#define REGRAIN_FP8_MATRIX_CORES
#define REGRAIN_ASK_FOR_MATRIX_CORES
#include <regrain/matrix_cores.h>
#endif

namespace regrain::kernels {

/// So many numbers of k has a warp at a time: four lanes with 16 bytes each.
constexpr int warpK = 64;

#ifdef REGRAIN_FP8_MATRIX_CORES

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900 && __CUDA_ARCH__ < 1200
/// Four numbers of fp8, as halves.
struct Halves {
  unsigned low, high;
};
__device__ inline Halves toHalves(unsigned codes) {
  Halves halves;
  asm("{\n.reg .b16 l, h;\nmov.b32 {l, h}, %2;\ncvt.rn.f16x2.e4m3x2 %0, l;\n"
      "cvt.rn.f16x2.e4m3x2 %1, h;\n}"
      : "=r"(halves.low), "=r"(halves.high)
      : "r"(codes));
  return halves;
}

__device__ inline void multiplyAddWord(float (&sums)[4], unsigned low, unsigned high,
                                       unsigned tokens) {
  Halves l = toHalves(low), h = toHalves(high), t = toHalves(tokens);
  asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, "
      "{%8, %9}, {%0, %1, %2, %3};"
      : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
      : "r"(l.low), "r"(h.low), "r"(l.high), "r"(h.high), "r"(t.low), "r"(t.high));
}
__device__ inline void multiplyAddWords(float (&sums)[4], uint2 low, uint2 high, uint2 tokens) {
  multiplyAddWord(sums, low.x, high.x, tokens.x);
  multiplyAddWord(sums, low.y, high.y, tokens.y);
}
#else
__device__ inline void multiplyAddWords(float (&sums)[4], uint2 low, uint2 high, uint2 tokens) {
  asm("mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, "
      "{%8, %9}, {%0, %1, %2, %3};"
      : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
      : "r"(low.x), "r"(high.x), "r"(low.y), "r"(high.y), "r"(tokens.x), "r"(tokens.y));
}
#endif

/// Adds the products of 16 channels (`low`: row lane / 4, `high`: eight rows below) and 8 tokens.
/// sums: channel lane / 4 with tokens 2 * (lane % 4) and the next one, then eight channels below.
__device__ inline void multiplyAdd(float (&sums)[4], const uint4 &low, const uint4 &high,
                                   const uint4 &tokens) {
  multiplyAddWords(sums, make_uint2(low.x, low.y), make_uint2(high.x, high.y),
                   make_uint2(tokens.x, tokens.y));
  multiplyAddWords(sums, make_uint2(low.z, low.w), make_uint2(high.z, high.w),
                   make_uint2(tokens.z, tokens.w));
}
#endif

} // namespace regrain::kernels
