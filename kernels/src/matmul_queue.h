//===- matmul_queue.h - Products of fp8 with a queue of tiles -*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The form whose warps have different tasks. Some copy units of both matrices into a queue in
// shared memory by asynchronous copies; four multiply, each for 16 channels. Two barriers in
// memory for each place of the queue tell that a unit has arrived, and that all four warps
// have read it.
//
// A unit is 128 numbers of k of 64 channels and of all tokens. In odd rows, the halves of
// 64 bytes are exchanged, so that the two rows that eight lanes read lie in all banks.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "early_launch.h"
#include "matmul.h"
#include <cstdint>

namespace regrain::kernels {

constexpr int queueK = 128, queueChannels = 64;

/// The threads of a block in which so many warps copy.
__host__ __device__ constexpr int queueThreads(int producers) { return 128 + 32 * producers; }

__host__ __device__ constexpr int bytesOfUnit(int tokenTiles) {
  return (queueChannels + 8 * tokenTiles) * queueK;
}

/// The place of 16 bytes in a unit.
__device__ inline int placeOf(int row, int at) { return row * queueK + (at ^ (row & 1) * 64); }

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 890
#define REGRAIN_ASYNCHRONOUS_QUEUE

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

/// Copies every `producers`-th four rows of a matrix, of which this warp's are those from `own` on;
/// rows behind the last one are the last one.
template <int rows, int producers>
__device__ void copyRows(unsigned char *to, const unsigned char *matrix, int own, int first,
                         int last, int k, int begin) {
  int at = threadIdx.x % 8 * 16;
  bool isInside = begin + at < k;
#pragma unroll
  for (int i = 0; i < rows; i += 4 * producers) {
    int row = i + own * 4 + threadIdx.x % 32 / 8;
    if (rows % (4 * producers) == 0 || row < rows)
      copyAsync(to + placeOf(row, at),
                matrix + static_cast<size_t>(k) * min(first + row, last) +
                    (isInside ? begin + at : 0),
                isInside ? 16 : 0);
  }
}

__device__ inline uint4 readPlace(const unsigned char *place, int row, int at) {
  return *reinterpret_cast<const uint4 *>(place + placeOf(row, at));
}

/// Adds a unit's products to the sums of a warp.
template <int tokenTiles>
__device__ void multiplyPlace(float (&sums)[tokenTiles][4], const unsigned char *place, int group) {
  int row = threadIdx.x % 32 / 4, at = threadIdx.x % 4 * 16;
#pragma unroll
  for (int j = 0; j < queueK; j += warpK) {
    uint4 low = readPlace(place, 16 * group + row, j + at);
    uint4 high = readPlace(place, 16 * group + row + 8, j + at);
#pragma unroll
    for (int t = 0; t < tokenTiles; ++t)
      multiplyAdd(sums[t], low, high, readPlace(place, queueChannels + 8 * t + row, j + at));
  }
}

/// The queue of a block. Units are counted from the block's first one.
template <int tokenTiles, int length, int producers> struct Queue {
  unsigned char *places;
  uint64_t *full, *empty;

  __device__ unsigned char *placeAt(int count) const {
    return places + count % length * bytesOfUnit(tokenTiles);
  }
  __device__ void init() const {
    if (threadIdx.x == 0)
      for (int i = 0; i < length; ++i) {
        initBarrier(&full[i], 32 * producers);
        initBarrier(&empty[i], 4);
      }
    __syncthreads();
  }
  /// Copies the unit that begins at `begin` of k.
  __device__ __forceinline__ void fill(const Product &p, int count, int tile, int begin) const {
    int own = threadIdx.x / 32 - 4;
    if (count >= length)
      await(&empty[count % length], (count / length - 1) & 1);
    unsigned char *place = placeAt(count);
    copyRows<queueChannels, producers>(place, p.b, own, tile * queueChannels, p.n - 1, p.k, begin);
    copyRows<8 * tokenTiles, producers>(place + queueChannels * queueK, p.a, own, 0, p.m - 1, p.k,
                                        begin);
    arriveAfterCopies(&full[count % length]);
  }
  __device__ __forceinline__ void multiply(float (&sums)[tokenTiles][4], int count) const {
    await(&full[count % length], count / length & 1);
    multiplyPlace<tokenTiles>(sums, placeAt(count), threadIdx.x / 32);
    __syncwarp();
    if (threadIdx.x % 32 == 0)
      arrive(&empty[count % length]);
  }
};

/// Sums up the products of [begin, end) of the units, of which `first` is the block's first one;
/// sums[token * queueChannels + channel] are visible to all threads.
template <int tokenTiles, class Queue>
__device__ __forceinline__ void sumOfQueue(float *sums, const Queue &queue, const Product &p,
                                           int ofTile, int begin, int end, int first) {
  int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  if (warp >= 4) {
    for (int i = begin; i < end; ++i)
      queue.fill(p, i - first, begin / ofTile, i % ofTile * queueK);
  } else {
    float own[tokenTiles][4] = {};
    for (int i = begin; i < end; ++i)
      queue.multiply(own, i - first);
#pragma unroll
    for (int t = 0; t < tokenTiles; ++t)
#pragma unroll
      for (int e = 0; e < 4; ++e)
        sums[(8 * t + lane % 4 * 2 + e % 2) * queueChannels + 16 * warp + lane / 4 + e / 2 * 8] =
            own[t][e];
  }
  __syncthreads();
}
#endif

/// `most` blocks reside on a multiprocessor; the queue has `length` places, and `producers` warps
/// copy.
template <class T, int tokenTiles, int length, int producers, int most>
__global__ void __launch_bounds__(queueThreads(producers), most)
    matmulQueue(T *__restrict__ out, const unsigned char *__restrict__ a,
                const unsigned char *__restrict__ b, const float *__restrict__ scaleA,
                const float *__restrict__ scaleB, float *partial, unsigned *arrived, int m, int n,
                int k, bool rowsHaveScales, bool channelsHaveScales) {
  extern __shared__ __align__(128) unsigned char places[];
  __shared__ __align__(16) float sums[8 * tokenTiles * queueChannels];
  awaitLaunchInFront();
  Product p{a, b, scaleA, scaleB, partial, arrived, m, n, k, rowsHaveScales, channelsHaveScales};
  Units<queueChannels, queueK> units(p);
#ifdef REGRAIN_ASYNCHRONOUS_QUEUE
  __shared__ uint64_t full[length], empty[length];
  Queue<tokenTiles, length, producers> queue{places, full, empty};
  queue.init();
  int first = units.beginOf(blockIdx.x), last = units.beginOf(blockIdx.x + 1);
  for (int begin = first; begin < last;) {
    int end = min((begin / units.ofTile + 1) * units.ofTile, last);
    sumOfQueue<tokenTiles>(sums, queue, p, units.ofTile, begin, end, first);
    finishTile(out, p, units, sums, begin, end);
    __syncthreads();
    begin = end;
  }
#else
  multiplyPlainly(out, p, units, sums);
#endif
}

} // namespace regrain::kernels
