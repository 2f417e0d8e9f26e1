//===- short-floats.cu - half and bfloat16 mix with numbers -----*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every form here is one that nvcc accepts: conversions from and to numbers, functions
// whose arguments are numbers, operators, raw structures, and constants. Without the
// operators and conversions, the functions remain.
//
//===----------------------------------------------------------------------===//
// RUN: %regrain cc -c --targets=cpu -Werror -std=c++14 -o %t.o %s
// RUN: %regrain cc -c --targets=cpu -Werror -std=c++20 -o %t.o %s
// RUN: %regrain cc -c --targets=cpu -Werror -DPLAIN -D__CUDA_NO_HALF_OPERATORS__ \
// RUN:   -D__CUDA_NO_HALF2_OPERATORS__ -D__CUDA_NO_HALF_CONVERSIONS__ -D__CUDA_NO_BFLOAT16_OPERATORS__ \
// RUN:   -D__CUDA_NO_BFLOAT162_OPERATORS__ -D__CUDA_NO_BFLOAT16_CONVERSIONS__ -o %t.o %s
// RUN: not %regrain cc -c --targets=cpu -D__CUDA_NO_HALF_CONVERSIONS__ -o %t.o %s 2>&1 | FileCheck %s
// CHECK: error: no {{.*}}conver
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <type_traits>

static_assert(sizeof(half) == 2 && sizeof(__nv_bfloat16) == 2 && alignof(__nv_bfloat162) == 4, "");
static_assert(std::is_trivially_default_constructible<half>::value, "");
static_assert(std::is_trivially_default_constructible<__nv_bfloat16>::value, "");

constexpr half infinity = __half(__half_raw{0x7c00});
constexpr __nv_bfloat16 one = __nv_bfloat16(__nv_bfloat16_raw{0x3f80});

template <class T, class Pair> __host__ __device__ T functions(T a, Pair b) {
  T c = __hfma(a, b.x, b.y);
  c = __hmax(__hadd(a, c), __hmin_nan(__hmul_sat(a, c), __hfma_relu(a, a, a)));
  Pair d = __hcmadd(b, __hmul2_rn(b, b), __habs2(__hneg2(b)));
  d = h2exp10(h2tanh(h2rsqrt(__hfma2_sat(b, d, d))));
  unsigned int mask = __hgtu2_mask(d, b) ^ __heq2_mask(d, b);
  return mask && __hble2(d, __hisnan2(b)) ? hrcp(d.x) : hcos(__lowhigh2highlow(d).x);
}

#if !defined(PLAIN)
template <class T> __host__ __device__ T numbers(T a) {
  T b = 1, c = 2.0f, d = 3.0, e = 4u, f = 5ll, g = 6ull, h = 7l, i = short(8);
  b = 1;
  c = 2.0f;
  d = 3.0;
  e = 4u;
  f = 5ll;
  a += b * c - d / e + -f;
  a *= T(2);
  ++a;
  a--;
  float narrow = a;
  double wide = static_cast<float>(a);
  int whole = static_cast<int>(a) + static_cast<unsigned char>(a) + static_cast<short>(g);
  long long large = static_cast<long long>(h) + static_cast<unsigned long>(i);
  if (a > b && c != d && e <= f && !(a == b))
    return __hmul(a, 1.0f);
  bool set = a ? true : false;
  return T(narrow + static_cast<float>(wide) + static_cast<float>(whole + large + set));
}

template <class Pair> __host__ __device__ Pair pairs(Pair a, Pair b) {
  a += b * a - b / a;
  ++a;
  a = -a;
  return a == b || a > b || a != b ? a : b;
}

__global__ void kernel(half *h, half2 *h2, __nv_bfloat16 *b, __nv_bfloat162 *b2) {
  h[0] = numbers(h[1]);
  b[0] = numbers(b[1]);
  h2[0] = pairs(h2[1], h2[2]);
  b2[0] = pairs(b2[1], b2[2]);
  h[2] = half(b[2]);
  b[2] = __nv_bfloat16(h[3]);
}
#endif

__global__ void across(half *h, half2 *h2, __nv_bfloat16 *b, __nv_bfloat162 *b2) {
  h[0] = functions(__ldg(h + 1), __ldcg(h2));
  b[0] = functions(__ldlu(b + 1), __ldcv(b2));
  __stwt(h, __shfl_down_sync(~0u, h[2], 1));
  __stwb(b2, __shfl_up_sync(~0u, b2[2], 1u, 16));
  atomicAdd(h, CUDART_ONE_FP16);
  atomicAdd(b2, __halves2bfloat162(CUDART_ONE_BF16, CUDART_INF_BF16));
  h[3] = infinity;
  b[3] = one;
  volatile __half kept;
  kept = __half_raw{1};
  h[4] = __half_raw(kept);
}

int main() { return __half2int_rz(functions(CUDART_ONE_FP16, __half2half2(infinity))); }
