//===- group_collectives.cu - Scans, copies, one thread of many -*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tiles and parts of them reduce and scan, the highest rank first; a group
// copies; one of its threads calls a function.
//
//===----------------------------------------------------------------------===//
// RUN: %regrain cc --targets=cpu --coarsen='*:block.x=2' --coarsen='*:thread.x=2' -o %t %s
// RUN: env REGRAIN_ALTERNATIVE='*:original' timeout 60 %t
// RUN: env REGRAIN_ALTERNATIVE='*:block.x=2' timeout 60 %t
// RUN: env REGRAIN_ALTERNATIVE='*:thread.x=2' timeout 60 %t
// RUN: %regrain cc -c --targets=compute_70,sm_90 -o %t.o %s
#include "expect.h"
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

namespace cg = cooperative_groups;

constexpr int threads = 64, blocks = 3, fields = 5;

// x -> factor * x + term, applied one after the other: their order matters.
struct Affine {
  unsigned factor, term;
};
__host__ __device__ Affine then(Affine first, Affine second) {
  return {first.factor * second.factor, first.term * second.factor + second.term};
}
__host__ __device__ int valueOf(int i) { return i * 37 % 29; }
__host__ __device__ Affine affineOf(int i) { return {unsigned(valueOf(i)) * 2 + 1, unsigned(i)}; }

template <class Group> __device__ void combine(const Group &group, int i, unsigned *out) {
  int value = valueOf(i);
  Affine all = cg::inclusive_scan(group, affineOf(i), then);
  out[0] = cg::reduce(group, value, cg::plus<int>());
  out[1] = cg::reduce(group, value, cg::greater<int>());
  out[2] = all.factor;
  out[3] = all.term;
  out[4] = unsigned(cg::exclusive_scan(group, value + 0.5) * 2);
}

__global__ void collectives(unsigned *out) {
  int i = blockIdx.x * threads + threadIdx.x;
  auto tile = cg::tiled_partition<16>(cg::this_thread_block());
  combine(tile, i, out + i * 2 * fields);
  combine(cg::labeled_partition(tile, valueOf(i) % 3), i, out + (i * 2 + 1) * fields);
}

__global__ void copies(int *out, const int *in, int *calls) {
  __shared__ int first[100], second[threads];
  auto block = cg::this_thread_block();
  auto tile = cg::tiled_partition<8>(block);
  cg::memcpy_async(block, first, in + blockIdx.x * 100, sizeof(int) * 100);
  int from = tile.meta_group_rank() * 8;
  cg::memcpy_async(tile, second + from, 8, in + from, 5);
  cg::wait_prior<1>(block);
  cg::wait(tile);
  auto part = cg::binary_partition(tile, threadIdx.x % 8 < 5);
  cg::invoke_one(part, [=](int n) { atomicAdd(calls, n); }, int(part.size()));
  int place = cg::invoke_one_broadcast(part, [&] { return int(threadIdx.x) + 1; });
  auto token = block.barrier_arrive();
  block.barrier_wait(static_cast<decltype(token) &&>(token));
  bool copied = threadIdx.x % 8 < 5;
  int at = cg::this_grid().block_index().x * threads + threadIdx.x;
  out[at] = first[99 - threadIdx.x] * 1000 + (copied ? second[threadIdx.x] : 7) +
            (place > int(threadIdx.x) + 1 || (place - 1) / 8 != threadIdx.x / 8 ? 500 : 0);
}

void checkCollectives() {
  DeviceArray<unsigned> out(threads * blocks * 2 * fields);
  collectives<<<blocks, threads>>>(out);
  auto got = out.host();
  for (int i = 0; i < threads * blocks; ++i)
    for (int part : {0, 1}) {
      unsigned sum = 0, most = 0;
      double before = 0;
      Affine all = {1, 0};
      for (int other = i / 16 * 16; other < i / 16 * 16 + 16; ++other) {
        if (part && valueOf(other) % 3 != valueOf(i) % 3)
          continue;
        unsigned value = valueOf(other);
        sum += value;
        most = value > most ? value : most;
        before += other < i ? value + 0.5 : 0;
        all = other <= i ? then(affineOf(other), all) : all;
      }
      const unsigned wanted[] = {sum, most, all.factor, all.term, unsigned(before * 2)};
      for (int field = 0; field < fields; ++field)
        expectEqual("collective", i * 100 + part * 10 + field, got[(i * 2 + part) * fields + field],
                    wanted[field]);
    }
}

void checkCopies() {
  std::vector<int> data(blocks * 100);
  for (size_t i = 0; i < data.size(); ++i)
    data[i] = int(i * 31 % 113);
  DeviceArray<int> in(data), out(threads * blocks), calls(1);
  copies<<<blocks, threads>>>(out, in, calls);
  auto got = out.host();
  for (int i = 0; i < threads * blocks; ++i) {
    int thread = i % threads;
    expectEqual("copy", i, got[i],
                data[i / threads * 100 + 99 - thread] * 1000 + (thread % 8 < 5 ? data[thread] : 7));
  }
  expectEqual("calls", 0, calls.host()[0], threads * blocks);
}

int main() {
  checkCollectives();
  checkCopies();
  return verdict("group_collectives");
}
