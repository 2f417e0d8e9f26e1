//===- device-errors.cu - Texts of errors in kernels ------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// RUN: %regrain cc --targets=cpu,ptx -o %t %s
// RUN: %t | FileCheck %s
// CHECK: device: invalid argument, cudaErrorCooperativeLaunchTooLarge, 0
// CHECK: host: invalid argument, cudaErrorCooperativeLaunchTooLarge, 0
#include <cstdio>

__host__ __device__ void print(const char *where) {
  printf("%s: %s, %s, %d\n", where, cudaGetErrorString(cudaErrorInvalidValue),
         cudaGetErrorName(cudaErrorCooperativeLaunchTooLarge), int(cudaGetLastError()));
}

__global__ void onDevice() { print("device"); }

int main() {
  onDevice<<<1, 1>>>();
  cudaDeviceSynchronize();
  fflush(stdout);
  print("host");
}
