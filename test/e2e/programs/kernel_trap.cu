//===- kernel_trap.cu - __trap and PTX of one thread ------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A trap ends the launch with an error. A kernel with a trap, a pause, a fence
// or PTX that each thread executes for itself can have another grain.
//
//===----------------------------------------------------------------------===//
// RUN: %regrain cc --targets=cpu -o %t %s --coarsen='*:block.x=2' --coarsen='*:fuse.x=2' \
// RUN:   --coarsen='*:shape=32' --coarsen='*:thread.x=2:contiguous' 2>&1 \
// RUN:   | FileCheck %s --allow-empty --implicit-check-not=remark
// RUN: env REGRAIN_ALTERNATIVE='*:original' timeout 60 %t
// RUN: env REGRAIN_ALTERNATIVE='*:block.x=2' timeout 60 %t
// RUN: env REGRAIN_ALTERNATIVE='*:fuse.x=2' timeout 60 %t
// RUN: env REGRAIN_ALTERNATIVE='*:shape=32' timeout 60 %t
// RUN: env REGRAIN_ALTERNATIVE='*:thread.x=2:contiguous' timeout 60 %t
#include "expect.h"

constexpr int threads = 64, blocks = 5, count = threads * blocks;

__global__ void orTrap(unsigned *out, int limit) {
  int index = blockIdx.x * blockDim.x + threadIdx.x;
  if (index >= limit)
    __trap();
  unsigned field;
  asm volatile("bfe.u32 %0, %1, 2, 3;" : "=r"(field) : "r"(index));
  __nanosleep(20);
  __threadfence();
  asm volatile("" ::: "memory");
  out[index] = field + __byte_perm(index, 0, 0x4401);
}

int main() {
  DeviceArray<unsigned> out(count);
  orTrap<<<blocks, threads>>>(out, count);
  auto got = out.host();
  for (unsigned i = 0; i < count; ++i)
    expectEqual("out", i, got[i], (i >> 2 & 7) + (i >> 8 & 0xff) + ((i & 0xff) << 8));
  orTrap<<<blocks, threads>>>(out, count - 1);
  expectEqual("error", 0, int(cudaDeviceSynchronize()), int(cudaErrorLaunchFailure));
  return verdict("kernel_trap");
}
