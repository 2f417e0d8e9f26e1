//===- managed.cu - __managed__ variables are refused by name ---*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The error is where a variable is used, on either side; an unused variable is no error.
//
//===----------------------------------------------------------------------===//
// RUN: not %regrain cc -c --targets=cpu -o %t.o %s 2>&1 | FileCheck %s
// RUN: not %regrain cc -c --targets=cpu -DHOST -o %t.o %s 2>&1 | FileCheck %s --check-prefix=HOST
// RUN: not ls %t.o

__device__ __managed__ int counter;

#ifdef HOST
// HOST: managed.cu:[[@LINE+1]]:21: error: 'counter' is unavailable: __managed__ variables are not supported; use cudaMallocManaged
int main() { return counter; }
#else
// CHECK: managed.cu:[[@LINE+1]]:29: error: 'counter' is unavailable: __managed__ variables are not supported; use cudaMallocManaged
__global__ void count() { ++counter; }
#endif
