//===- matmul_warpgroups.h - Products of fp8 by warpgroups -*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The form whose operands lie in shared memory. Each warpgroup of a block has a ring of stages, and
// takes turns with the others in units: some rows of 128 numbers of k of a tile's channels and of
// all tokens. Its threads copy the unit that is `stages - 1` ahead, while the products of the
// present one run beside them, and meet once for each unit. The other warpgroups multiply
// meanwhile, and most of shared memory is on its way at all times.
//
// Tiles have as many channels as it takes for every block to have the same number of tiles, with
// all of k: then no sums come together from several blocks. If channels are few, a cluster of
// blocks has a tile, and they divide k. At the end, the warpgroups of a block give each other the
// sums that the other one finishes. The blocks of a cluster then write theirs into the shared
// memory of the one that finishes them, which adds them in the order of blocks.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "early_launch.h"
#include "matmul_ring.h"

namespace regrain::kernels {

#ifdef REGRAIN_WARPGROUP_CORES
__device__ inline float4 sumOf(float4 a, float4 b) {
  return make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
}

/// The sums of a thread: of each 64 channels those that warpgroup_cores.h says.
template <class Shape> struct RingSums {
  static constexpr int count = 4 * Shape::tokenTiles;
  float of[Shape::own][count];

  __device__ void clear() {
#pragma unroll
    for (int i = 0; i < Shape::own * count; ++i)
      of[i / count][i % count] = 0;
  }
  __device__ float4 quad(int q) const {
    const float *s = of[q / Shape::tokenTiles] + q % Shape::tokenTiles * 4;
    return make_float4(s[0], s[1], s[2], s[3]);
  }
  __device__ static bool has(int q, int m) {
    return q % Shape::tokenTiles * 8 + static_cast<int>(threadIdx.x) % 4 * 2 < m;
  }
  /// A warpgroup finishes every quad whose number has the remainder of its own.
  __device__ static bool isOwn(int q) {
    return q % Shape::groups == static_cast<int>(threadIdx.x) / 128;
  }
  /// The place of a quad among those that a warpgroup gives away.
  __device__ static float4 *given(unsigned char *stage, int group, int q) {
    int before = q - (q + Shape::groups - 1 - group) / Shape::groups;
    return reinterpret_cast<float4 *>(stage + group * Shape::ringBytes) + before * 128 +
           threadIdx.x % 128;
  }
  /// Writes the quads that others finish, of tokens that exist, to a stage of the warpgroup, which
  /// is `stage` of the first one.
  __device__ __forceinline__ void giveAway(unsigned char *stage, int m) const {
#pragma unroll
    for (int q = 0; q < Shape::quads; ++q)
      if (!isOwn(q) && has(q, m))
        *given(stage, threadIdx.x / 128, q) = quad(q);
  }
  /// Adds what others wrote to the same stage of theirs.
  __device__ __forceinline__ float4 takeOver(int q, unsigned char *stage) const {
    float4 sum = quad(q);
#pragma unroll
    for (int g = 0; g < Shape::groups; ++g)
      if (g != static_cast<int>(threadIdx.x) / 128)
        sum = sumOf(sum, *given(stage, g, q));
    return sum;
  }
};

/// The products of a unit, which are computed beside the thread. Those that follow each other have
/// sums of different channels, so that none waits for the one before.
template <class Shape> struct RingProducts {
  static constexpr int parts = Shape::atoms * Shape::own;
  float of[parts][RingSums<Shape>::count];

  __device__ __forceinline__ void begin(const unsigned char *stage) {
    openProducts();
#pragma unroll
    for (int atom = 0; atom < Shape::atoms; ++atom)
#pragma unroll
      for (int step = 0; step < productSteps; ++step)
#pragma unroll
        for (int i = 0; i < Shape::own; ++i)
          beginProducts(of[atom * Shape::own + i], stage + (atom * Shape::rows + i * 64) * rowK,
                        stage + Shape::channelBytes + atom * 8 * Shape::tokenTiles * rowK, step);
    closeProducts();
  }
  __device__ __forceinline__ void addTo(RingSums<Shape> &sums) {
#pragma unroll
    for (int i = 0; i < parts; ++i) {
      awaitSums(of[i]);
#pragma unroll
      for (int e = 0; e < RingSums<Shape>::count; ++e)
        sums.of[i % Shape::own][e] += of[i][e];
    }
  }
};

/// The scales of a tile. Each thread reads at most one, of a channel or behind them of a token,
/// long before it is needed, and volatile keeps it there. One that holds for all is read by one
/// thread: requests for one place follow each other, and what else comes from there waits behind
/// them.
template <class Shape> struct RingScales {
  const Product &p;
  float own = 0;

  __device__ RingScales(const Product &p, int first, int count) : p(p) {
    const volatile float *scaleA = p.scaleA, *scaleB = p.scaleB;
    int channel = threadIdx.x, token = channel - Shape::rows;
    if (channel < (p.channelsHaveScales ? count : 1))
      own = scaleB[channel > 0 ? first + channel : p.channelsHaveScales ? first : 0];
    if (token >= 0 && token < (p.rowsHaveScales ? p.m : 1))
      own = scaleA[token];
  }
  /// What a thread has lies behind the sums that its warpgroup gives away.
  __device__ static float &given(unsigned char *stage, int thread) {
    return reinterpret_cast<float *>(stage + thread / 128 * Shape::ringBytes +
                                     Shape::givenBytes)[thread % 128];
  }
  __device__ float of(unsigned char *stage, int channel, int token) const {
    return given(stage, Shape::rows + (p.rowsHaveScales ? token : 0)) *
           given(stage, p.channelsHaveScales ? channel : 0);
  }
};

/// The results that a thread writes: of some fragments, which are four sums of a lane of any warp.
/// The warps of all blocks take turns in them.
template <class Shape> struct RingResults {
  static constexpr int warps = Shape::threads / 32, most = (Shape::finished + warps - 1) / warps;
  int first, count; ///< of the tile's channels
  float4 sum[most], scale[most];

  __device__ static int number(int i) { return i * warps + static_cast<int>(threadIdx.x / 32); }
  __device__ static int fragment(int i) {
    return number(i) * Shape::splits + static_cast<int>(blockIdx.x % Shape::splits);
  }
  __device__ static int channel(int i) {
    return Shape::channelsOf(fragment(i)) * 16 + static_cast<int>(threadIdx.x) % 32 / 4;
  }
  __device__ static int token(int i) {
    return Shape::tokensOf(fragment(i)) * 8 + static_cast<int>(threadIdx.x) % 4 * 2;
  }
  __device__ RingResults(const Product &p, const RingTiles<Shape> &tiles, int tile)
      : first(tile * tiles.width), count(min(tiles.width, p.n - first)) {}
  __device__ bool has(int i, int m) const {
    return fragment(i) < Shape::fragments && token(i) < m && channel(i) < count;
  }
  /// Takes the scales, of results that exist.
  __device__ __forceinline__ void take(const RingScales<Shape> &scales, unsigned char *stage,
                                       int m) {
#pragma unroll
    for (int i = 0; i < most; ++i)
      if (has(i, m)) {
        int row = channel(i), next = min(row + 8, count - 1), column = min(token(i) + 1, m - 1);
        scale[i] = make_float4(scales.of(stage, row, token(i)), scales.of(stage, row, column),
                               scales.of(stage, next, token(i)), scales.of(stage, next, column));
      }
  }
  /// Takes what the warpgroup has of its quads.
  __device__ __forceinline__ void take(const RingSums<Shape> &sums, unsigned char *stage, int m) {
#pragma unroll
    for (int q = 0; q < Shape::quads; ++q)
      if (sums.isOwn(q) && sums.has(q, m))
        sum[q / Shape::groups] = sums.takeOver(q, stage);
  }
  /// Writes what the warpgroup has of its quads, of channels and tokens that exist, to the blocks
  /// that finish them.
  __device__ __forceinline__ void send(const RingSums<Shape> &sums, unsigned char *stage,
                                       unsigned char *shared, int m) const {
    int warp = static_cast<int>(threadIdx.x) % 128 / 32,
        row = static_cast<int>(threadIdx.x) % 32 / 4;
#pragma unroll
    for (int q = 0; q < Shape::quads; ++q) {
      int channels = q / Shape::tokenTiles * 4 + warp;
      if (sums.isOwn(q) && sums.has(q, m) && channels * 16 + row < count) {
        int fragment = Shape::fragmentOf(channels, q % Shape::tokenTiles);
        int place =
            fragment / Shape::splits * Shape::splits + static_cast<int>(blockIdx.x % Shape::splits);
        auto *of = static_cast<unsigned char *>(
            __cluster_map_shared_rank(shared, fragment % Shape::splits));
        sendPart(reinterpret_cast<float4 *>(partsOf<Shape>(of)) + place * 32 + threadIdx.x % 32,
                 sums.takeOver(q, stage), arrivalsOf<Shape>(of));
      }
    }
  }
  /// The bytes that all blocks send to this one: 16 from each lane that has a channel and a token.
  /// The second channel and the second token of a lane need not exist.
  __device__ int bytesToCome(int m) const {
    int lanes = 0;
    for (int f = blockIdx.x % Shape::splits; f < Shape::fragments; f += Shape::splits)
      lanes += max(0, min(8, count - Shape::channelsOf(f) * 16)) *
               max(0, min(4, (m + 1) / 2 - Shape::tokensOf(f) * 4));
    return lanes * static_cast<int>(sizeof(float4)) * Shape::splits;
  }
  /// Adds what the blocks have sent.
  __device__ __forceinline__ void addUp(const unsigned char *parts, int m) {
#pragma unroll
    for (int i = 0; i < most; ++i)
      if (has(i, m)) {
        auto *part = reinterpret_cast<const float4 *>(parts) + number(i) * Shape::splits * 32 +
                     threadIdx.x % 32;
        sum[i] = part[0];
#pragma unroll
        for (int block = 1; block < Shape::splits; ++block)
          sum[i] = sumOf(sum[i], part[block * 32]);
      }
  }
  template <class T> __device__ __forceinline__ void write(T *out, const Product &p) const {
#pragma unroll
    for (int i = 0; i < most; ++i) {
      float results[] = {sum[i].x * scale[i].x, sum[i].y * scale[i].y, sum[i].z * scale[i].z,
                         sum[i].w * scale[i].w};
      T *to = out + static_cast<size_t>(token(i)) * p.n + first + channel(i);
#pragma unroll
      for (int e = 0; e < 4; ++e)
        if (has(i, p.m - e % 2) && channel(i) + e / 2 * 8 < count)
          to[static_cast<size_t>(e % 2) * p.n + e / 2 * 8] = fromFloat<T>(results[e]);
    }
  }
};

/// Writes the results of a tile. `last` and `next` are where the rings have the stage that was
/// multiplied last, and that behind it.
template <class Shape, class T>
__device__ __forceinline__ void finishRing(RingResults<Shape> &results, const RingSums<Shape> &sums,
                                           const RingScales<Shape> &scales, unsigned char *shared,
                                           int last, int next, T *out, const Product &p) {
  // Of the last stage, warps may still read, and the next tile is on its way to the others.
  // Clusters have no next tile, so that the stage behind the last one is free.
  unsigned char *stage = firstRow(shared) + (Shape::splits == 1 ? last : next);
  if constexpr (Shape::splits == 1)
    awaitWarpgroup();
  sums.giveAway(stage, p.m);
  scales.given(stage, threadIdx.x) = scales.own;
  __syncthreads();
  results.take(scales, stage, p.m);
  if constexpr (Shape::splits == 1) {
    results.take(sums, stage, p.m);
    __syncthreads();
  } else {
    __cluster_barrier_wait(); // All blocks have begun.
    results.send(sums, stage, shared, p.m);
    awaitParts(arrivalsOf<Shape>(shared));
    results.addUp(partsOf<Shape>(shared), p.m);
  }
  results.write(out, p);
}

template <class Shape, class T>
__device__ __forceinline__ void multiplyRing(T *out, const Product &p, unsigned char *shared) {
  RingTiles<Shape> tiles(p);
  // Before the copies begin: an arrival waits for all that a thread has on its way.
  if (Shape::splits > 1 && tiles.column * tiles.width < p.n) {
    if (threadIdx.x == 0)
      expectParts(arrivalsOf<Shape>(shared),
                  RingResults<Shape>(p, tiles, tiles.column).bytesToCome(p.m));
    __cluster_barrier_arrive();
  }
  Ring<Shape> ring(shared, p, tiles);
  awaitLaunchInFront();
  for (int i = 0; i < Shape::stages - 1; ++i)
    ring.copyNext(p, tiles);
  int stage = 0, last = 0;
  for (int tile = tiles.column; tile * tiles.width < p.n; tile += tiles.columns) {
    RingResults<Shape> results(p, tiles, tile);
    RingScales<Shape> scales(p, results.first, results.count);
    RingSums<Shape> sums;
    sums.clear();
    for (int i = 0; i < tiles.perGroup; ++i) {
      __pipeline_wait_prior(Shape::stages - 2);
      publishRows();
      // Behind this barrier, the unit is there, and the last one's stage is free.
      awaitWarpgroup();
      RingProducts<Shape> products;
      products.begin(ring.stages + stage);
      ring.copyNext(p, tiles);
      products.addTo(sums);
      last = stage;
      stage = stage + Shape::stageBytes == Shape::ringBytes ? 0 : stage + Shape::stageBytes;
    }
    // The warpgroups of a block have the same number of units, so that they are at the same stage.
    finishRing(results, sums, scales, shared, last, stage, out, p);
  }
}
#endif

/// A tile is multiplied by `splits` blocks, which are a cluster if there are several. Code without
/// the instructions is never launched: it has static shared memory, of which the other has none, so
/// that the host can tell which one the image has.
template <class T, int tokenTiles, int rows, int groups, int stages, int atoms, int splits,
          int kept>
__global__ void __launch_bounds__(128 * groups, 1)
    matmulByWarpgroups(T *__restrict__ out, const unsigned char *__restrict__ a,
                       const unsigned char *__restrict__ b, const float *__restrict__ scaleA,
                       const float *__restrict__ scaleB, int m, int n, int k, bool rowsHaveScales,
                       bool channelsHaveScales) {
#ifdef REGRAIN_WARPGROUP_CORES
  extern __shared__ __align__(rowsAlignment) unsigned char ring[];
  using Shape = RingShape<tokenTiles, rows, groups, stages, atoms, splits, kept>;
  Product p{a, b, scaleA, scaleB, nullptr, nullptr, m, n, k, rowsHaveScales, channelsHaveScales};
  multiplyRing<Shape>(out, p, ring);
#else
  __shared__ volatile int missing;
  missing = 1;
  __trap();
#endif
}

} // namespace regrain::kernels
