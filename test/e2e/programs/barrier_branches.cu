//===- barrier_branches.cu - Barriers in branches ---------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Only the program knows that these conditions are the same for all threads of
// a block, with values that leave the branch; barriers are in both branches;
// warps diverge and meet at different barriers.
//
//===----------------------------------------------------------------------===//
// RUN: %regrain cc --targets=cpu -o %t %s --coarsen='*:block.x=3' --coarsen='*:thread.x=2' \
// RUN:   --coarsen='*:thread.x=4:contiguous' --coarsen='*:fuse.x=2' \
// RUN:   --coarsen='*:block.x=2,thread.x=2' 2>&1 | FileCheck %s --implicit-check-not=remark
// RUN: env REGRAIN_ALTERNATIVE='*:original' timeout 60 %t
// RUN: env REGRAIN_ALTERNATIVE='*:block.x=3' timeout 60 %t
// RUN: env REGRAIN_ALTERNATIVE='*:thread.x=2' timeout 60 %t
// RUN: env REGRAIN_ALTERNATIVE='*:thread.x=4:contiguous' timeout 60 %t
// RUN: env REGRAIN_ALTERNATIVE='*:fuse.x=2' timeout 60 %t
// RUN: env REGRAIN_ALTERNATIVE='*:block.x=2,thread.x=2' timeout 60 %t
#include "expect.h"

constexpr int threads = 64, blocks = 7, count = threads * blocks;

__device__ int mirror() { return blockDim.x - 1 - threadIdx.x; }

__global__ void valueOut(int *out, const int *flag) {
  __shared__ int shared[threads];
  int tid = threadIdx.x, index = blockIdx.x * blockDim.x + tid, value = -index;
  if (flag[index]) {
    shared[tid] = index;
    __syncthreads();
    value = shared[mirror()];
  }
  out[index] = value;
}

// There are two barriers on one side, one on the other.
__global__ void bothSides(int *out, const int *flag) {
  __shared__ int shared[threads];
  int tid = threadIdx.x, index = blockIdx.x * blockDim.x + tid, value;
  if (flag[index]) {
    shared[tid] = index;
    __syncthreads();
    value = shared[mirror()];
    __syncthreads();
    shared[tid] = value + 1;
  } else {
    shared[tid] = 3 * index;
    value = 7;
    __syncthreads();
  }
  __syncthreads();
  out[index] = value + shared[mirror()];
}

// CHECK: remark: kernel 'countSides{{.*}} is built without fuse.x=2: a barrier would combine the
// predicates
__global__ void countSides(int *out, const int *flag) {
  int index = blockIdx.x * blockDim.x + threadIdx.x, value;
  if (flag[index])
    value = __syncthreads_count(index % 3 == 0);
  else
    value = -__syncthreads_count(index % 5 == 0);
  out[index] = value;
}

// The warps of one half produce for those of the other; each waits at its own place.
__global__ void producers(int *out) {
  __shared__ int shared[threads / 2];
  int tid = threadIdx.x, half = threads / 2, sum = 0;
  if (tid < half) {
    shared[tid] = tid + blockIdx.x;
    __syncthreads();
    __syncthreads();
    shared[tid] *= 10;
    __syncthreads();
  } else {
    __syncthreads();
    sum = shared[threads - 1 - tid];
    __syncthreads();
    __syncthreads();
    sum += shared[tid - half];
  }
  out[blockIdx.x * blockDim.x + tid] = sum;
}

// It is not clear which barriers of both sides meet if one side loops.
// CHECK: remark: kernel 'loopAndBarrier{{.*}} is built without block.x=3, thread.x=2, {{.*}}: a barrier is under
// CHECK: remark: kernel 'loopAndBarrier{{.*}} is built without fuse.x=2: a barrier is under
__global__ void loopAndBarrier(int *out, const int *flag, int rounds) {
  __shared__ int shared[threads];
  int tid = threadIdx.x, index = blockIdx.x * blockDim.x + tid, value = index;
  if (flag[index]) {
    for (int round = 0; round < rounds; ++round) {
      shared[tid] = value;
      __syncthreads();
      value = shared[mirror()] + 1;
      __syncthreads();
    }
  } else {
    shared[tid] = 5;
    __syncthreads();
    value += shared[mirror()];
  }
  out[index] = value;
}

int main() {
  std::vector<int> flags(count);
  for (int i = 0; i < count; ++i)
    flags[i] = i / threads % 3 == 1;
  DeviceArray<int> out(count), flag(flags);
  auto compare = [&](const char *name, auto wanted) {
    auto got = out.host();
    for (int i = 0; i < count; ++i) {
      int block = i / threads, tid = i % threads;
      expectEqual(name, i, got[i], wanted(flags[i], block * threads + threads - 1 - tid, i, tid));
    }
  };
  valueOut<<<blocks, threads>>>(out, flag);
  compare("valueOut", [](bool set, int mirrored, int i, int) { return set ? mirrored : -i; });
  bothSides<<<blocks, threads>>>(out, flag);
  compare("bothSides", [](bool set, int mirrored, int i, int) {
    return set ? mirrored + i + 1 : 7 + 3 * mirrored;
  });
  countSides<<<blocks, threads>>>(out, flag);
  compare("countSides", [](bool set, int, int i, int) {
    int first = i / threads * threads, found = 0;
    for (int j = first; j < first + threads; ++j)
      found += j % (set ? 3 : 5) == 0;
    return set ? found : -found;
  });
  producers<<<blocks, threads>>>(out);
  compare("producers", [](bool, int, int i, int tid) {
    int half = threads / 2, block = i / threads;
    return tid < half ? 0 : threads - 1 - tid + block + (tid - half + block) * 10;
  });
  loopAndBarrier<<<blocks, threads>>>(out, flag, 4);
  compare("loopAndBarrier", [](bool set, int, int i, int) { return set ? i + 4 : i + 5; });
  return verdict("barrier_branches");
}
