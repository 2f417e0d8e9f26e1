//===- host-and-device.cu - Functions on both sides -------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// These are min and max of every pair of arithmetic types, float overloads,
// CUDA's own functions on the host, and the standard library's in kernels.
//
//===----------------------------------------------------------------------===//
// RUN: %regrain cc -c --targets=cpu -Werror -o %t.o %s
#include <algorithm>
#include <complex>
#include <iostream>
#include <type_traits>
#include <vector>

static_assert(std::is_same<decltype(min(1, 2u)), unsigned int>::value, "");
static_assert(std::is_same<decltype(max(1l, 2l)), long>::value, "");
static_assert(std::is_same<decltype(max(1ll, 2ull)), unsigned long long>::value, "");
static_assert(std::is_same<decltype(min(1.0f, 2.0f)), float>::value, "");
static_assert(std::is_same<decltype(min(1.0f, 2.0)), double>::value, "");

__host__ __device__ float both(float x) {
  return rsqrt(x) + rsqrtf(x) + rcbrtf(x) + sinpi(x) + cospif(x) + normcdff(x) +
         max(x, 2.0f) + std::max(x, 1.0f) + std::sqrt(x) + std::abs(x) + powf(x, 2.0f) +
         umax(umin(7u, 9u), 3u) + llmin(llmax(1, 2), 5) + ullmax(ullmin(1, 2), 3) +
         fabsf(x) + floor(x) + std::min(int(x), 3) + make_float4(x, x, x, x).w;
}

__global__ void kernel(float *out, std::complex<float> *z) {
  out[threadIdx.x] = both(out[threadIdx.x]);
  z[0] = z[1] * z[2] + std::complex<float>(1.0f, 2.0f);
  dim3 block = blockDim;
  uint3 thread = threadIdx;
  int *memory = new int[block.x];
  memory[0] = thread.x + warpSize;
  out[1] = memory[0];
  delete[] memory;
}

int main() {
  std::vector<int> values{3, 1, 2};
  std::sort(values.begin(), values.end());
  std::cout << both(2.0f) << min(values[0], 4) << '\n';
}
