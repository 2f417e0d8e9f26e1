//===- cooperative_launches.cu - Barriers over the grid ---------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All blocks of a cooperative launch meet at barriers, as many as the device holds, also in two
// streams at once. A kernel without a barrier over the grid is launched at other grains.
//
//===----------------------------------------------------------------------===//
// RUN: %regrain cc -O3 --targets=cpu --coarsen='*:block.x=2' -o %t.block %s
// RUN: timeout 100 %t.block
// RUN: env REGRAIN_NUM_THREADS=1 timeout 100 %t.block
// RUN: env REGRAIN_NUM_THREADS=5 REGRAIN_ALTERNATIVE='*:original' timeout 100 %t.block
// RUN: %regrain cc -O0 --targets=cpu -o %t.plain %s
// RUN: timeout 100 %t.plain
//
// Blocks that remain would run after the others, so the launch gives way.
// RUN: %regrain cc --targets=cpu --coarsen='*:block.x=2:remainder' -o %t.remainder %s
// RUN: env REGRAIN_VERBOSE=1 timeout 100 %t.remainder 2>&1 | FileCheck %s --check-prefix=REMAINDER
// REMAINDER: scale(int*, int): block.x=2:remainder does not run for this launch, because the launch is cooperative
// REMAINDER: cooperative_launches: ok
//
// The barrier is a wait.
// RUN: %regrain explain --targets=cpu %s | FileCheck %s --check-prefix=EXPLAIN
// EXPLAIN: sumBothWays
// EXPLAIN: a loop may wait for another thread
// RUN: %regrain cc -c --targets=sm_90,compute_70 --coarsen='*:block.x=2' -o %t.o %s
#include "expect.h"
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

constexpr int threads = 64, blocks = 12, count = threads * blocks, rounds = 20;

/// Each element becomes the sum of its neighbours, `rounds` times.
__global__ void relax(unsigned *from, unsigned *to, int n) {
  cg::grid_group grid = cg::this_grid();
  for (int round = 0; round < rounds; ++round) {
    for (int i = int(grid.thread_rank()); i < n; i += int(grid.num_threads()))
      to[i] = from[(i + 1) % n] + from[(i + n - 1) % n];
    grid.sync();
    unsigned *read = from;
    from = to;
    to = read;
  }
}

/// Sums in two phases; `early` is written between arriving and waiting.
__global__ void sumBothWays(const int *in, int *sums, int *early, int *total) {
  __shared__ int part;
  cg::grid_group grid = cg::this_grid();
  if (threadIdx.x == 0)
    part = 0;
  __syncthreads();
  atomicAdd(&part, in[grid.thread_rank()]);
  __syncthreads();
  if (threadIdx.x == 0)
    sums[grid.block_rank()] = part;
  cg::grid_group::arrival_token token = grid.barrier_arrive();
  early[grid.thread_rank()] = int(grid.thread_rank());
  grid.barrier_wait(static_cast<cg::grid_group::arrival_token &&>(token));
  if (grid.thread_rank() == 0)
    for (int i = 0; i < int(grid.num_blocks()); ++i)
      *total += sums[i];
}

__global__ void isValid(int *out) {
  if (threadIdx.x == 0)
    out[blockIdx.x] = cg::this_grid().is_valid();
}

__global__ void scale(int *out, int by) { out[blockIdx.x * blockDim.x + threadIdx.x] *= by; }

void testRelax(dim3 grid, dim3 block, cudaStream_t stream = nullptr) {
  int n = 5 * count / 4;
  std::vector<unsigned> wanted(n), next(n);
  for (int i = 0; i < n; ++i)
    wanted[i] = unsigned(i) * 7919u;
  DeviceArray<unsigned> from(wanted), to(n);
  for (int round = 0; round < rounds; ++round, wanted.swap(next))
    for (int i = 0; i < n; ++i)
      next[i] = wanted[(i + 1) % n] + wanted[(i + n - 1) % n];
  unsigned *first = from, *second = to;
  void *arguments[] = {&first, &second, &n};
  CHECK(cudaLaunchCooperativeKernel(relax, grid, block, arguments, 0, stream));
  CHECK(cudaDeviceSynchronize());
  std::vector<unsigned> got = from.host();
  for (int i = 0; i < n; ++i)
    expectEqual("relax", i, got[i], wanted[i]);
}

void testSums() {
  std::vector<int> in(count);
  int wanted = 0;
  for (int i = 0; i < count; ++i)
    wanted += in[i] = i * i % 1001;
  DeviceArray<int> values(in), sums(blocks), early(count), total(1);
  cudaLaunchAttribute attribute = {};
  attribute.id = cudaLaunchAttributeCooperative;
  attribute.val.cooperative = 1;
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(blocks);
  config.blockDim = dim3(threads);
  config.attrs = &attribute;
  config.numAttrs = 1;
  CHECK(cudaLaunchKernelEx(&config, sumBothWays, (const int *)values, (int *)sums, (int *)early,
                           (int *)total));
  expectEqual("total", 0, total.host()[0], wanted);
  expectEqual("early", 0, early.host()[count - 1], count - 1);
}

void testLimit() {
  int device = 0, can = 0, processors = 0, perProcessor = 0;
  CHECK(cudaDeviceGetAttribute(&can, cudaDevAttrCooperativeLaunch, device));
  CHECK(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device));
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&perProcessor, relax, threads, 0));
  expectEqual("can", 0, can, 1);
  int most = processors * perProcessor;
  testRelax(most, threads);
  unsigned *none = nullptr;
  int n = 0;
  void *arguments[] = {&none, &none, &n};
  expectEqual("too large", 0, cudaLaunchCooperativeKernel(relax, most + 1, threads, arguments),
              cudaErrorCooperativeLaunchTooLarge);
  expectEqual("last error", 0, cudaGetLastError(), cudaErrorCooperativeLaunchTooLarge);
}

void testValid() {
  DeviceArray<int> valid(4);
  int *out = valid;
  void *arguments[] = {&out};
  CHECK(cudaLaunchCooperativeKernel(isValid, 4, 32, arguments));
  expectEqual("valid", 0, valid.host()[3], 1);
}

void testWithoutBarrier() {
  constexpr int odd = 5;
  std::vector<int> ones(odd * threads, 1);
  DeviceArray<int> values(ones);
  int *out = values, by = 6;
  void *arguments[] = {&out, &by};
  CHECK(cudaLaunchCooperativeKernel(scale, odd, threads, arguments));
  for (int value : values.host())
    expectEqual("scaled", 0, value, 6);
}

/// Each launch has a barrier of its own.
void testStreams() {
  constexpr int n = 4 * threads;
  cudaStream_t streams[2];
  for (cudaStream_t &stream : streams)
    CHECK(cudaStreamCreate(&stream));
  DeviceArray<unsigned> data[4] = {DeviceArray<unsigned>(n), DeviceArray<unsigned>(n),
                                   DeviceArray<unsigned>(n), DeviceArray<unsigned>(n)};
  for (int launch = 0; launch < 20; ++launch) {
    unsigned *from = data[launch % 2 * 2], *to = data[launch % 2 * 2 + 1];
    int size = n;
    void *arguments[] = {&from, &to, &size};
    CHECK(cudaLaunchCooperativeKernel(relax, 4, threads, arguments, 0, streams[launch % 2]));
  }
  CHECK(cudaDeviceSynchronize());
  for (cudaStream_t stream : streams)
    CHECK(cudaStreamDestroy(stream));
}

int main() {
  testRelax(blocks, threads);
  testRelax(dim3(3, 2, 2), dim3(8, 4, 2));
  testRelax(1, 128);
  testSums();
  testLimit();
  testValid();
  testWithoutBarrier();
  testStreams();
  return verdict("cooperative_launches");
}
