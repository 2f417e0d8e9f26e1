//===- toolkit-cub.cu - CUB of a toolkit on the CPU -------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// REQUIRES: cuda-toolkit
// RUN: %regrain cc -std=c++17 --cuda-path=%toolkit --targets=cpu,compute_90 -I%root/test/e2e/programs -o %t %s
// RUN: timeout 120 %t
#include "expect.h"
#include <algorithm>
#include <cub/cub.cuh>
#include <cuda/atomic>
#include <cuda/std/tuple>
#include <cuda/std/utility>
#include <nv/target>

constexpr int threads = 128;

__global__ void inBlock(const int *in, int *sums, int *scanned, int *warps) {
  using Reduce = cub::BlockReduce<int, threads>;
  using Scan = cub::BlockScan<int, threads>;
  using Warp = cub::WarpReduce<int>;
  __shared__ typename Reduce::TempStorage reduce;
  __shared__ typename Scan::TempStorage scan;
  __shared__ typename Warp::TempStorage warp[threads / 32];
  int i = blockIdx.x * threads + threadIdx.x, before;
  int sum = Reduce(reduce).Sum(in[i]);
  Scan(scan).ExclusiveSum(in[i], before);
  scanned[i] = before;
  int most = Warp(warp[threadIdx.x / 32]).Reduce(in[i], ::cuda::maximum<int>{});
  if (threadIdx.x == 0)
    sums[blockIdx.x] = sum;
  if (threadIdx.x % 32 == 0)
    warps[i / 32] = most;
}

__global__ void withLibcu(int *out) {
  cuda::std::tuple<int, int> pair = {3, int(threadIdx.x)};
  cuda::atomic_ref<int, cuda::thread_scope_device> sum(*out);
  sum.fetch_add(cuda::std::get<0>(pair) + cuda::std::get<1>(pair), cuda::std::memory_order_relaxed);
  NV_IF_TARGET(NV_IS_DEVICE, (if (threadIdx.x == 0) sum.fetch_add(1000);))
}

/// Calls a device-wide algorithm: first for the size of its memory, then with that.
template <class Algorithm> void run(Algorithm algorithm) {
  size_t bytes = 0;
  CHECK(algorithm(static_cast<void *>(nullptr), bytes));
  DeviceArray<char> memory(bytes);
  CHECK(algorithm(static_cast<void *>(memory), bytes));
}

int main() {
  const int count = 80 * threads;
  std::vector<int> in(count), before(count);
  for (int i = 0; i < count; ++i)
    in[i] = i * 7919 % 1009;
  for (int i = 1; i < count; ++i)
    before[i] = before[i - 1] + in[i - 1];
  DeviceArray<int> input(in), sums(count), scanned(count), warps(count), one(1);

  inBlock<<<count / threads, threads>>>(input, sums, scanned, warps);
  auto gotSums = sums.host(), gotScanned = scanned.host(), gotWarps = warps.host();
  for (int i = 0; i < count; ++i)
    expectEqual("scan", i, gotScanned[i], before[i] - before[i / threads * threads]);
  for (int i = 0; i < count / threads; ++i) {
    int last = (i + 1) * threads - 1;
    expectEqual("sum", i, gotSums[i], before[last] + in[last] - before[i * threads]);
  }
  for (int i = 0; i < count / 32; ++i)
    expectEqual("most", i, gotWarps[i], *std::max_element(&in[i * 32], &in[i * 32] + 32));

  run([&](void *memory, size_t &bytes) {
    return cub::DeviceReduce::Sum(memory, bytes, (int *)input, (int *)one, count);
  });
  expectEqual("DeviceReduce", 0, one.host()[0], before[count - 1] + in[count - 1]);
  run([&](void *memory, size_t &bytes) {
    return cub::DeviceScan::ExclusiveSum(memory, bytes, (int *)input, (int *)scanned, count);
  });
  gotScanned = scanned.host();
  for (int i = 0; i < count; ++i)
    expectEqual("DeviceScan", i, gotScanned[i], before[i]);

  CHECK(cudaMemset(one, 0, sizeof(int)));
  withLibcu<<<1, 32>>>(one);
  expectEqual("libcu++", 0, one.host()[0], 3 * 32 + 31 * 16 + 1000);
  return verdict("toolkit-cub");
}
