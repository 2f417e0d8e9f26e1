//===- Conversions.cpp - Numbers of several types as words ----------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "fuzz/Conversions.h"

namespace regrain::fuzz {

std::string printConversions() {
  return R"(#include <cuda_bf16.h>
#include <cuda_fp16.h>
__device__ inline unsigned toWord(float x) {
  return x > -65536.0f && x < 65536.0f ? unsigned(int(x)) : 7u;
}
__device__ inline __half toHalf(unsigned x) { return __float2half_rn(float(x & 4095) * 0.375f); }
__device__ inline unsigned fromHalf(__half x) { return toWord(__half2float(x) * 32.0f); }
__device__ inline __nv_bfloat16 toBfloat(unsigned x) { return __float2bfloat16_rn(float(x & 1023) * 0.7f); }
)";
}

} // namespace regrain::fuzz
