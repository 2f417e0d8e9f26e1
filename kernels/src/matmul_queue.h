//===- matmul_queue.h - Products of fp8 with a queue of tiles -*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The form whose warps have different tasks. One warp copies tiles of both matrices into a
// queue in shared memory by asynchronous copies; four warps multiply, each for 16 channels.
// Two barriers in memory for each place of the queue tell that a tile has arrived, and that
// all four warps have read it.
//
// A tile is 128 numbers of k of 64 channels and of all tokens. In odd rows, the halves of
// 64 bytes are exchanged, so that the two rows that eight lanes read lie in all banks.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "matmul.h"
#include <cstdint>

namespace regrain::kernels {

constexpr int queueK = 128;
constexpr int queueLength = 8;
constexpr int queueThreads = 160;

__host__ __device__ constexpr int tileBytes(int tokenTiles) {
  return (blockChannels + 8 * tokenTiles) * queueK;
}

/// The place of 16 bytes in a tile.
__device__ inline int placeOf(int row, int at) { return row * queueK + (at ^ (row & 1) * 64); }

#ifdef REGRAIN_FP8_MATRIX_CORES
__device__ inline unsigned sharedAddress(const void *p) {
  return static_cast<unsigned>(__cvta_generic_to_shared(p));
}
__device__ inline void initBarrier(uint64_t *barrier, unsigned arrivals) {
  asm volatile("mbarrier.init.shared.b64 [%0], %1;"
               :
               : "r"(sharedAddress(barrier)), "r"(arrivals)
               : "memory");
}
/// Waits until the phase with this parity is over.
__device__ inline void await(uint64_t *barrier, unsigned parity) {
  unsigned done = 0;
  while (!done)
    asm volatile("{\n.reg .pred p;\nmbarrier.test_wait.parity.shared.b64 p, [%1], %2;\n"
                 "selp.u32 %0, 1, 0, p;\n}"
                 : "=r"(done)
                 : "r"(sharedAddress(barrier)), "r"(parity)
                 : "memory");
}
__device__ inline void arrive(uint64_t *barrier) {
  [[maybe_unused]] uint64_t state;
  asm volatile("mbarrier.arrive.shared.b64 %0, [%1];"
               : "=l"(state)
               : "r"(sharedAddress(barrier))
               : "memory");
}
/// Arrives when all copies of this thread so far have ended.
__device__ inline void arriveAfterCopies(uint64_t *barrier) {
  asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];"
               :
               : "r"(sharedAddress(barrier))
               : "memory");
}
/// Copies 16 bytes, or writes zeros if `bytes` is 0.
__device__ inline void copyAsync(unsigned char *to, const unsigned char *from, int bytes) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;"
               :
               : "r"(sharedAddress(to)), "l"(from), "r"(bytes)
               : "memory");
}

/// Copies a lane's part of `rows` rows of a matrix; rows behind the last one are the last one.
template <int rows>
__device__ void copyRows(unsigned char *to, const unsigned char *matrix, int first, int last,
                         size_t k, int begin, int end) {
#pragma unroll
  for (int i = 0; i < rows / 4; ++i) {
    int row = i * 4 + threadIdx.x % 32 / 8, at = threadIdx.x % 8 * 16;
    bool isInside = begin + at < end;
    copyAsync(to + placeOf(row, at),
              matrix + k * min(first + row, last) + (isInside ? begin + at : 0), isInside ? 16 : 0);
  }
}

__device__ inline uint4 readTile(const unsigned char *tile, int row, int at) {
  return *reinterpret_cast<const uint4 *>(tile + placeOf(row, at));
}

/// Adds a tile's products to the sums of a warp.
template <int tokenTiles>
__device__ void multiplyTile(float (&sums)[tokenTiles][4], const unsigned char *tile, int group) {
  int row = threadIdx.x % 32 / 4, at = threadIdx.x % 4 * 16;
#pragma unroll
  for (int j = 0; j < queueK; j += warpK) {
    uint4 low = readTile(tile, 16 * group + row, j + at);
    uint4 high = readTile(tile, 16 * group + row + 8, j + at);
#pragma unroll
    for (int t = 0; t < tokenTiles; ++t)
      multiplyAdd(sums[t], low, high, readTile(tile, blockChannels + 8 * t + row, j + at));
  }
}

template <int tokenTiles>
__device__ void sumOfQueue(float *sums, unsigned char *tiles, const Product &p, int channel,
                           int begin, int end) {
  __shared__ uint64_t full[queueLength], empty[queueLength];
  int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  if (threadIdx.x == 0)
    for (int i = 0; i < queueLength; ++i) {
      initBarrier(&full[i], 32);
      initBarrier(&empty[i], 4);
    }
  __syncthreads();
  int count = (end - begin + queueK - 1) / queueK;
  if (warp == 4) {
    for (int i = 0; i < count; ++i) {
      int place = i % queueLength, from = begin + i * queueK;
      if (i >= queueLength)
        await(&empty[place], (i / queueLength - 1) & 1);
      unsigned char *tile = tiles + place * tileBytes(tokenTiles);
      copyRows<blockChannels>(tile, p.b, channel, p.n - 1, p.k, from, end);
      copyRows<8 * tokenTiles>(tile + blockChannels * queueK, p.a, 0, p.m - 1, p.k, from, end);
      arriveAfterCopies(&full[place]);
    }
  } else {
    float own[tokenTiles][4] = {};
    for (int i = 0; i < count; ++i) {
      int place = i % queueLength;
      await(&full[place], i / queueLength & 1);
      multiplyTile<tokenTiles>(own, tiles + place * tileBytes(tokenTiles), warp);
      __syncwarp();
      if (lane == 0)
        arrive(&empty[place]);
    }
#pragma unroll
    for (int t = 0; t < tokenTiles; ++t)
#pragma unroll
      for (int e = 0; e < 4; ++e)
        sums[(8 * t + lane % 4 * 2 + e % 2) * blockChannels + 16 * warp + lane / 4 + e / 2 * 8] =
            own[t][e];
  }
  __syncthreads();
}
#else
template <int tokenTiles>
__device__ void sumOfQueue(float *sums, unsigned char *, const Product &p, int channel, int begin,
                           int end) {
  sumPlainly(sums, p, channel, begin, end);
}
#endif

template <class T, int tokenTiles>
__global__ void __launch_bounds__(queueThreads) matmulQueue(T *__restrict__ out, const Product p) {
  extern __shared__ __align__(128) unsigned char tiles[];
  __shared__ float sums[8 * tokenTiles * blockChannels];
  int channel = blockIdx.x * blockChannels, begin = blockIdx.y * p.slice;
  sumOfQueue<tokenTiles>(sums, tiles, p, channel, begin, min(begin + p.slice, p.k));
  finishBlock(out, p, sums, channel);
}

} // namespace regrain::kernels
