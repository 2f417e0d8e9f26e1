//===- kernel-attributes.cu - Attributes of kernels -------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// RUN: %regrain cc --targets=cpu -std=c++14 -o %t %s
// RUN: timeout 60 %t

__global__ void __maxnreg__(32) limited(int *out) { *out += 1; }
__global__ void __cluster_dims__(1) alone(int *out) { *out += 2; }
__global__ __launch_bounds__(64) __cluster_dims__(1, 1, 1) void both(int *out) { *out += 4; }
__device__ __nv_pure__ int square(int value);
__device__ int square(int value) { return value * value; }
__global__ void pure(int *out) { *out += square(4); }
template <int Size> __global__ void __cluster_dims__(Size) templated(int *out) { *out += 8; }

int main() {
  int *out, sum = 0;
  cudaMalloc(&out, sizeof(int));
  cudaMemset(out, 0, sizeof(int));
  limited<<<1, 1>>>(out);
  alone<<<1, 1>>>(out);
  both<<<1, 1>>>(out);
  templated<1><<<1, 1>>>(out);
  pure<<<1, 1>>>(out);
  cudaMemcpy(&sum, out, sizeof(int), cudaMemcpyDeviceToHost);
  return sum == 31 ? 0 : 1;
}
