//===- breakpoint.cu - __brkpt on the CPU -----------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A breakpoint stops in the debugger, and goes on. Without a debugger it ends the launch.
//
//===----------------------------------------------------------------------===//
// RUN: %regrain cc --targets=cpu -o %t %s
// RUN: timeout 60 %t 2>&1 | FileCheck %s
// RUN: %if gdb %{ timeout 120 gdb -nx -q -batch -ex run -ex continue %t 2>&1 | FileCheck %s --check-prefix=GDB %}
// CHECK: block (0,0,0), {{.*}}: __brkpt() was called without a debugger
// CHECK: breakpoint: ok
// GDB: SIGTRAP
// GDB: went on
#include "expect.h"
#include <cstdio>

__global__ void stop(int *out, int thread) {
  if (int(threadIdx.x) == thread)
    __brkpt();
  out[threadIdx.x] = threadIdx.x;
}

int main() {
  constexpr int threads = 8, none = -1;
  DeviceArray<int> out(threads);
  stop<<<1, threads>>>(out, none);
  for (int i = 0; i < threads; ++i)
    expectEqual("out", i, out.host()[i], i);
  stop<<<1, threads>>>(out, 3);
  cudaError_t status = cudaDeviceSynchronize();
  if (status == cudaSuccess)
    std::puts("went on");
  expectEqual("status", 0, int(status), int(cudaErrorLaunchFailure));
  return verdict("breakpoint");
}
