//===- matmul_direct.h - Products of fp8 from registers -*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The form whose warps read b into registers, each for 32 channels and a part of a unit's k.
// A register is filled again for the next unit as soon as its numbers are multiplied, so that
// reads are on their way at all times, also while a tile is finished. The tokens of a unit lie
// in shared memory, which has two places: those of the next unit are read meanwhile.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "early_launch.h"
#include "matmul.h"

namespace regrain::kernels {

/// What follows from the template arguments: the warps of a block are `groups` of 32 channels times
/// `ways` parts of a unit, each of `steps` reads.
template <int tokenTiles, int channels, int steps> struct DirectShape {
  static constexpr int groups = channels / 32, ways = matmulThreads / 32 / groups;
  static constexpr int unit = ways * steps * warpK;
  /// Two rows of tokens, which eight lanes read at a time, lie in all banks.
  static constexpr int pitch = unit + 64;
  static constexpr int rows = 8 * tokenTiles;
  static constexpr int pieces = (rows * unit / 16 + matmulThreads - 1) / matmulThreads;
};

#ifdef REGRAIN_FP8_MATRIX_CORES
/// Reads 16 bytes of b, which nobody reads again.
__device__ inline uint4 loadOnce(const unsigned char *from) {
  return __ldcs(reinterpret_cast<const uint4 *>(from));
}

__device__ inline uint4 load(const unsigned char *from) {
  return *reinterpret_cast<const uint4 *>(from);
}

/// A lane's 16 bytes of four rows that are eight channels apart.
struct Weights {
  uint4 rows[4];
};

/// Where a lane's rows of b begin. Rows outside are replaced by the last one: their results are not
/// written.
struct WeightRows {
  size_t at[4];

  __device__ void moveTo(const Product &p, int channel) {
#pragma unroll
    for (int r = 0; r < 4; ++r)
      at[r] = static_cast<size_t>(p.k) * min(channel + 8 * r, p.n - 1);
  }
  __device__ void read(Weights &to, const unsigned char *b, int i, int k) const {
#pragma unroll
    for (int r = 0; r < 4; ++r)
      to.rows[r] = i < k ? loadOnce(b + at[r] + i) : make_uint4(0, 0, 0, 0);
  }
};

/// A thread's part of a unit's tokens.
template <class Shape> struct Tokens {
  uint4 held[Shape::pieces];

  __device__ static bool has(int number) { return number < Shape::rows * Shape::unit / 16; }
  __device__ void read(const Product &p, int begin) {
#pragma unroll
    for (int i = 0; i < Shape::pieces; ++i) {
      int number = i * matmulThreads + threadIdx.x;
      int row = number / (Shape::unit / 16), at = begin + number % (Shape::unit / 16) * 16;
      held[i] = has(number) && at < p.k
                    ? load(p.a + static_cast<size_t>(p.k) * min(row, p.m - 1) + at)
                    : make_uint4(0, 0, 0, 0);
    }
  }
  __device__ void write(unsigned char *place) const {
#pragma unroll
    for (int i = 0; i < Shape::pieces; ++i) {
      int number = i * matmulThreads + threadIdx.x;
      int row = number / (Shape::unit / 16), at = number % (Shape::unit / 16) * 16;
      if (has(number))
        *reinterpret_cast<uint4 *>(place + row * Shape::pitch + at) = held[i];
    }
  }
};

template <int tokenTiles> __device__ void clear(float (&sums)[2][tokenTiles][4]) {
#pragma unroll
  for (int i = 0; i < 8 * tokenTiles; ++i)
    sums[i / (4 * tokenTiles)][i / 4 % tokenTiles][i % 4] = 0;
}

/// Adds the sums of the warps; sums[token * channels + channel]. One way after the other adds, in
/// this order.
template <class Shape, int tokenTiles, int channels>
__device__ void addWays(float *sums, const float (&own)[2][tokenTiles][4]) {
  int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  int group = warp % Shape::groups, way = warp / Shape::groups;
  for (int turn = 0; turn < Shape::ways; ++turn) {
    if (way == turn)
#pragma unroll
      for (int c = 0; c < 2; ++c)
#pragma unroll
        for (int t = 0; t < tokenTiles; ++t)
#pragma unroll
          for (int e = 0; e < 4; ++e) {
            int token = 8 * t + lane % 4 * 2 + e % 2;
            int channel = 32 * group + 16 * c + lane / 4 + e / 2 * 8;
            float &sum = sums[token * channels + channel];
            sum = turn == 0 ? own[c][t][e] : sum + own[c][t][e];
          }
    __syncthreads();
  }
}

template <int tokenTiles, int channels, int steps, class Shape, class T>
__device__ __forceinline__ void
multiplyUnits(T *out, const Product &p, const Units<channels, Shape::unit> &units, float *sums) {
  __shared__ __align__(16) unsigned char places[2][Shape::rows * Shape::pitch];
  int warp = threadIdx.x / 32, lane = threadIdx.x % 32, row = lane / 4;
  int ownChannel = warp % Shape::groups * 32 + row;
  int ownK = warp / Shape::groups * steps * warpK + lane % 4 * 16;
  int number = units.beginOf(blockIdx.x), end = units.beginOf(blockIdx.x + 1);
  if (number == end)
    return;
  int begin = number, tile = number / units.ofTile, inTile = number % units.ofTile;
  WeightRows rows;
  rows.moveTo(p, tile * channels + ownChannel);
  Weights weights[steps];
#pragma unroll
  for (int s = 0; s < steps; ++s)
    rows.read(weights[s], p.b, inTile * Shape::unit + ownK + s * warpK, p.k);
  Tokens<Shape> tokens;
  tokens.read(p, inTile * Shape::unit);
  tokens.write(places[0]);
  float own[2][tokenTiles][4];
  clear(own);
  for (int parity = 0; number < end; ++number, parity ^= 1) {
    bool isLast = inTile + 1 == units.ofTile;
    int next = isLast ? 0 : (inTile + 1) * Shape::unit;
    // Behind the block's last unit, nothing is read.
    int limit = number + 1 < end ? p.k : 0;
    tokens.read(p, limit ? next : p.k);
    if (isLast)
      rows.moveTo(p, (tile + 1) * channels + ownChannel);
    __syncthreads();
    const unsigned char *place = places[parity] + row * Shape::pitch + ownK;
#pragma unroll
    for (int s = 0; s < steps; ++s) {
      const Weights &w = weights[s];
#pragma unroll
      for (int t = 0; t < tokenTiles; ++t) {
        uint4 x = load(place + 8 * t * Shape::pitch + s * warpK);
        multiplyAdd(own[0][t], w.rows[0], w.rows[1], x);
        multiplyAdd(own[1][t], w.rows[2], w.rows[3], x);
      }
      rows.read(weights[s], p.b, next + ownK + s * warpK, limit);
    }
    tokens.write(places[parity ^ 1]);
    if (isLast || number + 1 == end) {
      addWays<Shape, tokenTiles, channels>(sums, own);
      finishTile(out, p, units, sums, begin, number + 1);
      __syncthreads();
      clear(own);
      begin = number + 1;
    }
    inTile = isLast ? 0 : inTile + 1;
    tile += isLast;
  }
}
#endif

/// `most` blocks reside on a multiprocessor.
template <class T, int tokenTiles, int channels, int steps, int most>
__global__ void __launch_bounds__(matmulThreads, most)
    matmul(T *__restrict__ out, const unsigned char *__restrict__ a,
           const unsigned char *__restrict__ b, const float *__restrict__ scaleA,
           const float *__restrict__ scaleB, float *partial, unsigned *arrived, int m, int n, int k,
           bool rowsHaveScales, bool channelsHaveScales) {
  using Shape = DirectShape<tokenTiles, channels, steps>;
  __shared__ __align__(16) float sums[Shape::rows * channels];
  awaitLaunchInFront();
  Product p{a, b, scaleA, scaleB, partial, arrived, m, n, k, rowsHaveScales, channelsHaveScales};
  Units<channels, Shape::unit> units(p);
#if defined(REGRAIN_ASK_FOR_MATRIX_CORES)
  if (regrain::hasMatrixCores())
    multiplyUnits<tokenTiles, channels, steps, Shape>(out, p, units, sums);
  else
    multiplyPlainly(out, p, units, sums);
#elif defined(REGRAIN_FP8_MATRIX_CORES)
  multiplyUnits<tokenTiles, channels, steps, Shape>(out, p, units, sums);
#else
  multiplyPlainly(out, p, units, sums);
#endif
}

} // namespace regrain::kernels
