//===- vector-atomics-ptx.cu - Atomic additions of vectors ------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// A sum is written also where the program does not use the old value.
// RUN: %regrain cc --targets=compute_90 --emit=ptx -o - %s | FileCheck-19 %s
// RUN: %regrain cc --targets=compute_70 --emit=ptx -o - %s | FileCheck-19 %s

// CHECK-COUNT-6: {{atom|red}}{{.*}}.add.f32
__global__ void add(float2 *pair, float4 *four) {
  atomicAdd(pair, make_float2(1, 2));
  atomicAdd_block(four, make_float4(1, 2, 3, 4));
}
