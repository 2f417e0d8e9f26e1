//===- vectors.h - Eight neighbours in a thread -*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "../src/numbers.h"
#include <cstring>

namespace regrain::by_hand {

using kernels::leastMagnitude;
using kernels::scaledColumns;
using kernels::scaleFor;

/// Eight halves: 16 bytes.
struct Halves {
  __half at[8];
};

/// Reads what nobody reads again.
__device__ inline Halves loadOnce(const __half *from) {
  uint4 bits = __ldcs(reinterpret_cast<const uint4 *>(from));
  Halves halves;
  memcpy(&halves, &bits, sizeof(bits));
  return halves;
}
__device__ inline Halves load(const __half *from) {
  uint4 bits = *reinterpret_cast<const uint4 *>(from);
  Halves halves;
  memcpy(&halves, &bits, sizeof(bits));
  return halves;
}
__device__ inline void store(__half *to, const Halves &halves) {
  uint4 bits;
  memcpy(&bits, &halves, sizeof(bits));
  *reinterpret_cast<uint4 *>(to) = bits;
}

/// Stores eight numbers as fp8, two by one conversion.
__device__ inline void storeFp8(unsigned char *to, const float *numbers) {
  uint2 packed;
  auto *pairs = reinterpret_cast<__nv_fp8x2_storage_t *>(&packed);
#pragma unroll
  for (int i = 0; i < 4; ++i)
    pairs[i] = __nv_cvt_float2_to_fp8x2(make_float2(numbers[2 * i], numbers[2 * i + 1]),
                                        __NV_SATFINITE, __NV_E4M3);
  *reinterpret_cast<uint2 *>(to) = packed;
}

struct Sum {
  static constexpr float neutral = 0;
  __device__ float operator()(float a, float b) const { return a + b; }
};
struct Most {
  static constexpr float neutral = 0; // of magnitudes
  __device__ float operator()(float a, float b) const { return fmaxf(a, b); }
};

/// Combines the values of `width` neighbouring lanes; all of them have the result.
template <class Operation> __device__ float overLanes(float x, int width, Operation combine) {
#pragma unroll
  for (int s = width / 2; s > 0; s >>= 1)
    x = combine(x, __shfl_xor_sync(0xffffffffu, x, s));
  return x;
}

/// Combines the values of a block; all threads have the result. `parts` is used by one call only.
template <class Operation> __device__ float overBlock(float x, float *parts, Operation combine) {
  x = overLanes(x, 32, combine);
  if (threadIdx.x % 32 == 0)
    parts[threadIdx.x / 32] = x;
  __syncthreads();
  x = threadIdx.x % 32 < blockDim.x / 32 ? parts[threadIdx.x % 32] : Operation::neutral;
  return overLanes(x, 32, combine);
}

} // namespace regrain::by_hand
