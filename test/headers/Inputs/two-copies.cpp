//===- two-copies.cpp - One runtime header after the other ------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include FIRST

#include SECOND

int main() {
  float *device;
  cudaDeviceProp properties;
  return cudaMalloc(&device, 16) + cudaGetDeviceProperties(&properties, 0) +
         int(make_float4(1, 2, 3, 4).x);
}
