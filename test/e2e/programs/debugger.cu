//===- debugger.cu - gdb in kernels on the CPU ------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// With -G, a debugger stops in kernels and device functions, before and behind
// barriers, and shows coordinates, parameters and local variables.
//
//===----------------------------------------------------------------------===//
// REQUIRES: gdb
// RUN: %regrain cc --targets=cpu -g -G -o %t %s
// RUN: env REGRAIN_NUM_THREADS=1 timeout 120 gdb -nx -q -batch -x %S/Inputs/debugger.gdb %t 2>&1 | FileCheck %s
//
// CHECK: Breakpoint {{.*}}, reverse (data={{0x[0-9a-f]+}}, factor=3)
// CHECK: threadIdx = {x = 0, y = 0, z = 0}
// CHECK: {{^}}behind the barrier
// CHECK-NEXT: $1 = {x = 2, y = 0, z = 0}
// CHECK-NEXT: $2 = {x = 7, y = 0, z = 0}
// CHECK-NEXT: $3 = {x = 16, y = 1, z = 1}
// CHECK-NEXT: $4 = 39
// CHECK-NEXT: $5 = 40
// CHECK-NEXT: $6 = 3
// CHECK: Breakpoint {{.*}}, scaled (value=40, factor=3)
// CHECK: #1 {{.*}} reverse{{.*}} (data={{0x[0-9a-f]+}}, factor=3) at {{.*}}debugger.cu
// CHECK: debugger: ok
#include "expect.h"

__device__ float scaled(float value, int factor) {
  float product = value * factor;
  return product;
}

__global__ void reverse(float *data, int factor) {
  __shared__ float tile[16];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  tile[threadIdx.x] = data[i];
  __syncthreads();
  float other = tile[15 - threadIdx.x];
  data[i] = scaled(other, factor);
}

int main() {
  std::vector<float> values(64);
  for (int i = 0; i < 64; ++i)
    values[i] = i;
  DeviceArray<float> data(values);
  reverse<<<4, 16>>>(data, 3);
  auto got = data.host();
  for (int i = 0; i < 64; ++i)
    expectEqual("data", i, got[i], 3 * (i / 16 * 16 + 15 - i % 16));
  return verdict("debugger");
}
