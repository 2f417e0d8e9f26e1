//===- rows_of_threads.cu - Blocks of more rows than are read ---*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels that do not ask for a thread's y are launched with blocks of one row and of two. On a
// machine whose lanes run in lockstep, code that rests on one row refuses a launch of two; it never
// does something else. Code that does not rest on it runs with any.
//
//===----------------------------------------------------------------------===//
// RUN: %regrain cc --targets=cpu --coarsen='*:block.x=2' --coarsen='*:thread.x=2' -o %t %s
// RUN: env REGRAIN_ALTERNATIVE='*:original' timeout 60 %t all
// RUN: timeout 60 %t all
#include "expect.h"

#include <cstring>

constexpr unsigned width = 64;

/// Warps part by x, and shuffle in another way each.
__global__ void byWarp(int *out, const int *in) {
  int x = threadIdx.x, value = in[x];
  if (x < 32)
    value += __shfl_xor_sync(~0u, value, 1);
  else
    value -= __shfl_xor_sync(~0u, value, 2);
  atomicAdd(&out[x], value);
}

/// The first thread of each row takes a lock and adds.
__global__ void byLeader(int *out, int *lock) {
  if (threadIdx.x == 0) {
    while (atomicCAS(lock, 0, 1) != 0)
      ;
    __threadfence();
    volatile int *sum = out;
    *sum = *sum + 1;
    __threadfence();
    atomicExch(lock, 0);
  }
}

__global__ void byThread(int *out, const int *in) { atomicAdd(&out[threadIdx.x], in[threadIdx.x]); }

/// Whether the launch before ran; nothing but the refusal is accepted where it did not.
bool ran(bool mayRefuse) {
  cudaError_t status = cudaGetLastError();
  if (mayRefuse && status == cudaErrorNotSupported)
    return false;
  CHECK(status);
  return true;
}

int main(int argc, char **argv) {
  bool allRun = argc > 1 && std::strcmp(argv[1], "all") == 0;
  std::vector<int> values(width);
  for (unsigned i = 0; i < width; ++i)
    values[i] = int(i * i) - 9;
  DeviceArray<int> in(values);
  for (unsigned rows : {1u, 2u}) {
    bool mayRefuse = rows > 1 && !allRun;
    DeviceArray<int> warps(width), leaders(1), lock(1), threads(width);
    byWarp<<<3, dim3(width, rows)>>>(warps, in);
    bool haveWarps = ran(mayRefuse);
    byLeader<<<3, dim3(width, rows)>>>(leaders, lock);
    bool haveLeaders = ran(mayRefuse);
    byThread<<<3, dim3(width, rows)>>>(threads, in);
    ran(/*mayRefuse=*/false);
    auto gotWarps = warps.host(), gotThreads = threads.host();
    for (unsigned x = 0; x < width; ++x) {
      int warp = x < 32 ? values[x] + values[x ^ 1] : values[x] - values[x ^ 2];
      expectEqual("warps", x, gotWarps[x], haveWarps ? int(3 * rows) * warp : 0);
      expectEqual("threads", x, gotThreads[x], int(3 * rows) * values[x]);
    }
    expectEqual("leaders", 0, leaders.host()[0], haveLeaders ? int(3 * rows) : 0);
    if (rows > 1)
      std::printf("%s, %s\n", haveWarps ? "warps ran" : "warps refused",
                  haveLeaders ? "leaders ran" : "leaders refused");
  }
  return verdict("rows_of_threads");
}
