//===- half.cu - Half precision compiles on both sides ----------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// RUN: %regrain cc -c --targets=cpu -Werror -o %t.o %s
#include <cuda_fp16.h>

static_assert(sizeof(half) == 2 && alignof(half) == 2, "");
static_assert(sizeof(half2) == 4 && alignof(half2) == 4, "");

__host__ __device__ half both(half a, half b) {
  half2 pair = __hfma2(__halves2half2(a, b), __half2half2(a), __float2half2_rn(0.5f));
  pair = __hadd2(pair, __floats2half2_rn(1.0f, 2.0f));
  half c = a * b + __low2half(pair) - hexp(b) / hsqrt(a);
  return __hgt(c, a) && c != b ? __hmax(c, b) : __hneg(c);
}

__global__ void kernel(half *out, half2 *pairs) {
  out[0] = both(__ldg(out + 1), __shfl_xor_sync(0xffffffffu, out[2], 1));
  pairs[0] = __shfl_sync(0xffffffffu, pairs[1], 3);
  atomicAdd(out, __float2half(1.0f));
  atomicAdd(pairs, pairs[1]);
  __stcs(pairs, __ldcs(pairs + 1));
  __stcs(out, __ldcg(out + 1));
}

int main() { return int(float(both(half(1.0f), half(2)))); }
