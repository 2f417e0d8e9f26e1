//===- shared-alignment.cu - alignas behind __shared__ ----------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// RUN: %regrain cc --targets=cpu --emit=llvm -o %t.ll %s
// RUN: FileCheck-19 %s --input-file=%t.ll
// RUN: not %regrain cc --targets=cpu -DERROR -c -o %t.o %s 2>&1 | FileCheck-19 %s --check-prefix=ERROR

// CHECK-DAG: @_ZZ6kernelPfE5plain = internal addrspace(3) global [4 x float] undef, align 128
// CHECK-DAG: @_ZZ6kernelPfE8computed = internal addrspace(3) global [4 x float] undef, align 64
// CHECK-DAG: @_ZZ6kernelPfE5first = internal addrspace(3) global [4 x float] undef, align 32
// CHECK-DAG: @_ZZ6kernelPfE5macro = internal addrspace(3) global [4 x float] undef, align 256
#define DECLARE(name)                                                                              \
  __shared__ alignas(256) float name[4];

__global__ void kernel(float *out) {
  __shared__ alignas(128) float plain[4];
  __shared__  alignas (sizeof(double) * (4 + 4)) float computed[4];
  alignas(32) __shared__ float first[4];
  DECLARE(macro)
  plain[threadIdx.x] = computed[threadIdx.x] = first[threadIdx.x] = macro[threadIdx.x] = *out;
#ifdef ERROR
  // ERROR: [[#@LINE+1]]:42: error: use of undeclared identifier 'unknown'
  __shared__ alignas(16) float bytes[4 * unknown];
#endif
}
