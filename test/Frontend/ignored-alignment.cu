//===- ignored-alignment.cu - alignas behind a type -------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// nvcc and gcc take alignas behind a type and ignore it, with a warning.
//
//===----------------------------------------------------------------------===//
// RUN: %regrain cc --targets=cpu -c -o %t.o %s 2>&1 | FileCheck-19 %s

// CHECK: [[#@LINE+1]]:7: remark: 'alignas' attribute cannot be applied to types
float alignas(64) table[4];

struct Row {
  float alignas(16) values[4];
};
static_assert(alignof(Row) == alignof(float), "");

__global__ void kernel(float *out) {
  // CHECK: [[#@LINE+1]]:9: remark: 'alignas' attribute cannot be applied to types
  float alignas(16) copy[4];
  copy[threadIdx.x & 3] = out[threadIdx.x];
  out[threadIdx.x] = copy[threadIdx.x & 3];
}
// CHECK-NOT: error:
