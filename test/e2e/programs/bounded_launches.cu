//===- bounded_launches.cu - Grains for small blocks ------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel is launched with blocks up to a grain's bound and above it: those
// above run the next grain that was requested, and finally the original.
//
//===----------------------------------------------------------------------===//
// RUN: %regrain cc --targets=cpu \
// RUN:   --coarsen='*:bound=64' --coarsen='*:bound=128' --coarsen='*:thread.x=2,bound=32' \
// RUN:   --coarsen='*:block.x=3:remainder,bound=64' --coarsen='*:fuse.x=2,block.x=2,bound=128' \
// RUN:   -o %t %s
// RUN: env REGRAIN_ALTERNATIVE='*:original' timeout 60 %t
// RUN: env REGRAIN_ALTERNATIVE='*:bound=64' REGRAIN_VERBOSE=1 timeout 60 %t 2>&1 | FileCheck %s --check-prefix=BOUND
// RUN: env REGRAIN_ALTERNATIVE='*:bound=128;*:thread.x=2,bound=32' REGRAIN_VERBOSE=1 timeout 60 %t 2>&1 | FileCheck %s --check-prefix=NEXT
// RUN: env REGRAIN_ALTERNATIVE='*:block.x=3:remainder,bound=64' REGRAIN_VERBOSE=1 timeout 60 %t 2>&1 | FileCheck %s --check-prefix=REST
// RUN: env REGRAIN_ALTERNATIVE='*:fuse.x=2,block.x=2,bound=128' REGRAIN_VERBOSE=1 timeout 60 %t 2>&1 | FileCheck %s --check-prefix=FUSE
//
// BOUND: reverse({{.*}}): bound=64 (asked for by REGRAIN_ALTERNATIVE), else original
// BOUND: reverse({{.*}}): bound=64 does not run for this launch, because the launched block has more threads than the grain's bound= allows
// BOUND: bounded_launches: ok
// NEXT: reverse({{.*}}): thread.x=2,bound=32 (asked for by REGRAIN_ALTERNATIVE), else bound=128 (asked for by REGRAIN_ALTERNATIVE), else original
// NEXT: thread.x=2,bound=32 does not run for this launch, because the launched block has more threads than the grain's bound= allows
// NEXT: bound=128 does not run for this launch, because the launched block has more threads than the grain's bound= allows
// NEXT: bounded_launches: ok
// REST: block.x=3:remainder,bound=64 does not run
// REST: bounded_launches: ok
// FUSE: block.x=2,fuse.x=2,bound=128 does not run
// FUSE: bounded_launches: ok
#include "expect.h"

// Reverses each block's share of the data; the guard is what a bound of 64 folds.
__global__ void reverse(const int *data, int *out) {
  __shared__ int tile[256];
  int threads = blockDim.x * blockDim.y;
  int thread = threadIdx.y * blockDim.x + threadIdx.x;
  int first = blockIdx.x * threads;
  tile[thread] = data[first + thread];
  __syncthreads();
  out[first + thread] = tile[threads - 1 - thread] + (threadIdx.x >= 64 ? 1000 : 0);
}

static void run(dim3 block) {
  constexpr int blocks = 7;
  int threads = block.x * block.y, count = blocks * threads;
  std::vector<int> data(count);
  for (int i = 0; i < count; ++i)
    data[i] = 3 * i + 1;
  DeviceArray<int> from(data), to(count);
  reverse<<<blocks, block>>>(from, to);
  std::vector<int> out = to.host();
  for (int i = 0; i < count; ++i) {
    int thread = i % threads, source = i - thread + threads - 1 - thread;
    expectEqual("out", i, out[i], data[source] + (thread % int(block.x) >= 64 ? 1000 : 0));
  }
}

int main() {
  run(64);
  run(dim3(16, 4));
  run(dim3(32, 3));
  run(128);
  run(dim3(128, 2));
  run(32);
  return verdict("bounded_launches");
}
