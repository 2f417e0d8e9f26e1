//===- kernel_printf.cu - printf in kernels ---------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The output appears at the latest when the host synchronises. One thread
// prints, so that its lines have an order; each conversion is used once.
//
//===----------------------------------------------------------------------===//
// RUN: %regrain cc --targets=cpu --coarsen='*:block.x=2' --coarsen='*:thread.x=2' -o %t %s
// RUN: env REGRAIN_ALTERNATIVE='*:original' timeout 60 %t | FileCheck %s
// RUN: env REGRAIN_ALTERNATIVE='*:block.x=2' timeout 60 %t | FileCheck %s
// RUN: env REGRAIN_ALTERNATIVE='*:thread.x=2' timeout 60 %t | FileCheck %s
// CHECK: int -7 unsigned 7 hex ff
// CHECK-NEXT: long long 1099511627776 long 11 pointer
// CHECK-NEXT: float 1.500 double 0.1 char x
// CHECK-NEXT: string text percent % width [   42] [42   ] 3
// CHECK-NEXT: nothing
// CHECK: kernel_printf: ok
#include "expect.h"

__global__ void speak(const char *unused, long long big) {
  if (threadIdx.x == 3) {
    int printed = printf("int %d unsigned %u hex %x\n", -7, 7u, 255);
    printf("long long %lld long %ld pointer %p\n", big, 11l, (void *)unused);
    printf("float %.3f double %.10g char %c\n", 1.5f, 0.1, 'x');
    printf("string %s percent %% width [%5d] [%-5d] %d\n", "text", 42, 42, printed);
    printf("nothing\n");
  }
}

int main() {
  speak<<<1, 32>>>(nullptr, 1ll << 40);
  CHECK(cudaDeviceSynchronize());
  return verdict("kernel_printf");
}
