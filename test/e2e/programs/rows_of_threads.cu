//===- rows_of_threads.cu - Blocks with more rows than used -----*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels that do not read a thread's y are launched with blocks of one row and of two.
// On a machine whose lanes run in lockstep, code that relies on one row refuses a launch
// of two; it never does something else. Code that does not rely on it runs with any.
//
//===----------------------------------------------------------------------===//
// RUN: %regrain cc --targets=cpu --coarsen='*:block.x=2' --coarsen='*:thread.x=2' -o %t %s
// RUN: env REGRAIN_ALTERNATIVE='*:original' timeout 60 %t all
// RUN: timeout 60 %t all
#include "expect.h"

#include <cstring>

constexpr unsigned width = 48;

/// Warps diverge by x, and each shuffles in another way. In a block of two rows, lanes
/// of one warp diverge: those in which x is at least 32 read lanes of the next row.
__global__ void byWarp(int *out, const int *in, unsigned mask, int distance) {
  int x = threadIdx.x, value = in[x];
  if (x < 32)
    value += __shfl_xor_sync(~0u, value, 1);
  else
    value -= __shfl_xor_sync(mask, value, distance);
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

int distanceFor(unsigned rows) { return rows > 1 ? 16 : 2; }

/// Returns what one block of that many rows adds in byWarp.
std::vector<int> addedByWarps(const std::vector<int> &values, unsigned rows) {
  std::vector<int> sums(width);
  for (unsigned thread = 0; thread < width * rows; ++thread) {
    unsigned x = thread % width;
    int one = values[(thread ^ 1) % width], two = values[(thread ^ distanceFor(rows)) % width];
    sums[x] += x < 32 ? values[x] + one : values[x] - two;
  }
  return sums;
}

/// Returns whether the preceding launch ran; only the refusal is accepted if it did not.
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
    byWarp<<<3, dim3(width, rows)>>>(warps, in, rows > 1 ? ~0u : 0xffffu, distanceFor(rows));
    bool haveWarps = ran(mayRefuse);
    byLeader<<<3, dim3(width, rows)>>>(leaders, lock);
    bool haveLeaders = ran(mayRefuse);
    byThread<<<3, dim3(width, rows)>>>(threads, in);
    ran(/*mayRefuse=*/false);
    auto gotWarps = warps.host(), gotThreads = threads.host(), added = addedByWarps(values, rows);
    for (unsigned x = 0; x < width; ++x) {
      expectEqual("warps", x, gotWarps[x], haveWarps ? 3 * added[x] : 0);
      expectEqual("threads", x, gotThreads[x], int(3 * rows) * values[x]);
    }
    expectEqual("leaders", 0, leaders.host()[0], haveLeaders ? int(3 * rows) : 0);
    if (rows > 1)
      std::printf("%s, %s\n", haveWarps ? "warps ran" : "warps refused",
                  haveLeaders ? "leaders ran" : "leaders refused");
  }
  return verdict("rows_of_threads");
}
