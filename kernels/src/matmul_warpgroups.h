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
// blocks has a tile, and they divide k. At the end, the sums of all warpgroups of the block or
// cluster lie in shared memory, and each thread adds those of some results, in order.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "matmul.h"
#include "warpgroup_cores.h"
#include <cuda_pipeline_primitives.h>

namespace regrain::kernels {

/// What follows from the template arguments. A tile has at most `rows` channels, of which a
/// warpgroup multiplies `own` times 64. A unit has `atoms` rows of 128 numbers for each channel.
template <int tokenTiles_, int rows_, int groups_, int stages_, int atoms_, int splits_, int kept_>
struct RingShape {
  static constexpr int tokenTiles = tokenTiles_, rows = rows_, groups = groups_, stages = stages_;
  static constexpr int atoms = atoms_, splits = splits_, kept = kept_, threads = 128 * groups;
  static constexpr int unit = atoms * rowK, own = (rows + 63) / 64;
  static constexpr int channelBytes = rows * unit,
                       stageBytes = channelBytes + 8 * tokenTiles * unit;
  static constexpr int ringBytes = stages * stageBytes;
  /// Four sums of a thread are neighbours. So many of these has a thread.
  static constexpr int quads = own * tokenTiles;
  /// Products read 64 rows, also behind the last one.
  static constexpr int behind = (64 * own - rows - 8 * tokenTiles) * rowK;
  /// The ring is aligned within the block's shared memory.
  static constexpr int bytes = groups * ringBytes + rowsAlignment + (behind > 0 ? behind : 0);
  static_assert(rows % 8 == 0 && stages <= 10, "__pipeline_wait_prior waits for 8 batches at most");
  static_assert(quads * 128 * 16 <= stageBytes, "a stage has room for the sums");
};

/// As many stages as a block has memory for, and __pipeline_wait_prior can tell apart.
__host__ __device__ constexpr int ringStages(int tokenTiles, int rows, int groups, int atoms) {
  int stage = (rows + 8 * tokenTiles) * atoms * rowK;
  int most = (227 * 1024 - rowsAlignment - 64 * rowK) / (groups * stage);
  return most < 10 ? most : 10;
}

/// The shapes that are launched: each multiprocessor has tiles of its own, or clusters share them.
template <int tokenTiles, int kept>
using WideShape = RingShape<tokenTiles, 128, 2, ringStages(tokenTiles, 128, 2, 1), 1, 1, kept>;
template <int tokenTiles, int rows, int atoms, int splits>
using ClusterShape =
    RingShape<tokenTiles, rows, 2, ringStages(tokenTiles, rows, 2, atoms), atoms, splits, 100>;

/// How much of a matrix the second-level cache, of 50 to 60 MB, shall keep for the next call, in
/// hundredths: all if it may have room for everything, else about 20 MB.
constexpr int keptOf(size_t bytes) {
  return bytes <= size_t(44) << 20 ? 100 : bytes <= size_t(160) << 20 ? 18 : 10;
}

/// How the blocks of a launch share the channels and k. Tiles of a block are `columns` apart.
template <class Shape> struct RingTiles {
  int columns, column, width;     ///< of the tiles; the block's first; channels of a tile
  int firstUnit, units, perGroup; ///< of k: the block's, and at most so many of a warpgroup

  __device__ explicit RingTiles(const Product &p) {
    columns = static_cast<int>(gridDim.x) / Shape::splits;
    column = static_cast<int>(blockIdx.x) / Shape::splits;
    int rounds =
        Shape::splits > 1 ? 1 : (p.n + columns * Shape::rows - 1) / (columns * Shape::rows);
    width = (p.n + columns * rounds - 1) / (columns * rounds);
    int all = (p.k + Shape::unit - 1) / Shape::unit, split = blockIdx.x % Shape::splits;
    firstUnit = all * split / Shape::splits;
    units = all * (split + 1) / Shape::splits - firstUnit;
    perGroup = (units + Shape::groups - 1) / Shape::groups;
  }
};

#ifdef REGRAIN_WARPGROUP_CORES
/// All threads of the block, or of a cluster of several, arrive here, and wait for each other.
template <int blocks> __device__ __forceinline__ void arriveAtBlocks() {
  if constexpr (blocks > 1)
    __cluster_barrier_arrive();
}
template <int blocks> __device__ __forceinline__ void awaitArrivals() {
  if constexpr (blocks > 1)
    __cluster_barrier_wait();
  else
    __syncthreads();
}
/// Returns the first row in the shared memory of this block, or of another one of its cluster.
__device__ __forceinline__ unsigned char *firstRow(unsigned char *shared) {
  return shared +
         (rowsAlignment - reinterpret_cast<uintptr_t>(shared) % rowsAlignment) % rowsAlignment;
}
template <int blocks>
__device__ __forceinline__ const unsigned char *firstRowOf(int block, unsigned char *shared) {
  if constexpr (blocks > 1)
    shared = static_cast<unsigned char *>(__cluster_map_shared_rank(shared, block));
  return firstRow(shared);
}

/// A warpgroup copies a piece of every 16th of `count` rows of the matrix, of which at most `rows`
/// exist. What is in the place of other rows stays there, and concerns no result that is written.
/// Numbers from `k` on are zeros.
template <int rows, int kept>
__device__ __forceinline__ void copyRows(CopyAddress to, const unsigned char *matrix, int count,
                                         int k, int begin) {
  int row = threadIdx.x % 128 / 8, piece = threadIdx.x % 8, at = begin + 16 * piece;
  int bytes = at < k ? 16 : 0;
  CopyAddress place = placeOfCopy(to, row, piece);
  const unsigned char *from = matrix + static_cast<size_t>(k) * row + (at < k ? at : 0);
#pragma unroll
  for (int r = 0; r < rows; r += 16)
    if (r + row < min(rows, count))
      copyPiece<kept>(place + r * rowK, from + static_cast<size_t>(k) * r, bytes);
}

/// The ring of a warpgroup, as its copies proceed: they are ahead of its products. Blocks begin at
/// different places of k, so that they do not read the same tokens at a time.
template <class Shape> struct Ring {
  unsigned char *stages;
  CopyAddress copies;            ///< to the stages
  int stage = 0, tile, at, left; ///< of the next unit to copy; how many the tile has from it

  __device__ Ring(unsigned char *shared, const RingTiles<Shape> &tiles)
      : stages(firstRow(shared) + threadIdx.x / 128 * Shape::ringBytes),
        copies(copyAddress(stages)), tile(tiles.column), at(firstOf(tiles)), left(tiles.perGroup) {}
  __device__ static int firstOf(const RingTiles<Shape> &tiles) {
    return static_cast<int>(blockIdx.x % 8) * tiles.perGroup / 8;
  }
  /// Each call makes one batch of copies, so that batches tell which unit has arrived. All
  /// warpgroups have equally many units: those that do not exist are zeros.
  __device__ __forceinline__ void copyNext(const Product &p, const RingTiles<Shape> &tiles) {
    int first = tile * tiles.width, count = min(tiles.width, p.n - first);
    if (left > 0 && count > 0) {
      CopyAddress to = copies + stage * Shape::stageBytes;
      int number = at * Shape::groups + static_cast<int>(threadIdx.x / 128);
      int begin = number < tiles.units ? (tiles.firstUnit + number) * Shape::unit : p.k;
#pragma unroll
      for (int atom = 0; atom < Shape::atoms; ++atom) {
        copyRows<Shape::rows, Shape::kept>(to + atom * Shape::rows * rowK,
                                           p.b + static_cast<size_t>(p.k) * first, count, p.k,
                                           begin + atom * rowK);
        copyRows<8 * Shape::tokenTiles, 100>(to + Shape::channelBytes +
                                                 atom * 8 * Shape::tokenTiles * rowK,
                                             p.a, p.m, p.k, begin + atom * rowK);
      }
      at = at + 1 == tiles.perGroup ? 0 : at + 1;
      if (--left == 0)
        tile += tiles.columns, left = tiles.perGroup, at = firstOf(tiles);
    }
    stage = stage + 1 == Shape::stages ? 0 : stage + 1;
    __pipeline_commit();
  }
};

/// The sums of a thread: of each 64 channels those that warpgroup_cores.h says.
template <class Shape> struct RingSums {
  static constexpr int count = 4 * Shape::tokenTiles;
  float of[Shape::own][count];

  __device__ void clear() {
#pragma unroll
    for (int i = 0; i < Shape::own * count; ++i)
      of[i / count][i % count] = 0;
  }
  /// Writes those of tokens that exist to the place of the warpgroup.
  __device__ __forceinline__ void share(unsigned char *place, int m) const {
    int thread = threadIdx.x % 128;
#pragma unroll
    for (int q = 0; q < Shape::quads; ++q) {
      const float *s = of[q / Shape::tokenTiles] + q % Shape::tokenTiles * 4;
      if (q % Shape::tokenTiles * 8 + thread % 4 * 2 < m)
        reinterpret_cast<float4 *>(place)[q * 128 + thread] = make_float4(s[0], s[1], s[2], s[3]);
    }
  }
};

/// The products of a unit, which are computed beside the thread.
template <class Shape> struct RingProducts {
  static constexpr int parts = Shape::atoms * Shape::own;
  float of[parts][RingSums<Shape>::count];

  __device__ __forceinline__ void begin(const unsigned char *stage) {
    openProducts();
#pragma unroll
    for (int i = 0; i < parts; ++i) {
      int atom = i / Shape::own, row = i % Shape::own * 64;
      beginProducts(of[i], stage + (atom * Shape::rows + row) * rowK,
                    stage + Shape::channelBytes + atom * 8 * Shape::tokenTiles * rowK);
    }
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

/// The results that a thread writes: of some items, which are four sums of a thread of any
/// warpgroup. Scales are read long before they are needed, and volatile keeps them there.
template <class Shape> struct RingResults {
  static constexpr int apart = Shape::splits * Shape::threads;
  static constexpr int items = Shape::quads * 128, most = (items + apart - 1) / apart;
  int first, count; ///< of the tile's channels
  float scaleOfChannel[most][2], scaleOfToken[most][2];
  float4 sum[most];

  __device__ static int item(int i) {
    return i * apart + static_cast<int>(blockIdx.x % Shape::splits * Shape::threads + threadIdx.x);
  }
  __device__ static int channel(int i) {
    int thread = item(i) % 128;
    return item(i) / 128 / Shape::tokenTiles * 64 + thread / 32 * 16 + thread % 32 / 4;
  }
  __device__ static int token(int i) {
    return item(i) / 128 % Shape::tokenTiles * 8 + item(i) % 4 * 2;
  }
  __device__ RingResults(const Product &p, const RingTiles<Shape> &tiles, int tile)
      : first(tile * tiles.width), count(min(tiles.width, p.n - first)) {
    const volatile float *scaleA = p.scaleA, *scaleB = p.scaleB;
#pragma unroll
    for (int i = 0; i < 2 * most; ++i) {
      int of = min(first + channel(i / 2) + i % 2 * 8, p.n - 1);
      scaleOfChannel[i / 2][i % 2] = scaleB[p.channelsHaveScales ? of : 0];
      scaleOfToken[i / 2][i % 2] =
          scaleA[p.rowsHaveScales ? min(token(i / 2) + i % 2, p.m - 1) : 0];
    }
  }
  __device__ bool has(int i, int m) const {
    return item(i) < items && token(i) < m && channel(i) < count;
  }
  /// Adds what the warpgroups of all blocks have at `place` in their rings.
  __device__ __forceinline__ void addUp(unsigned char *shared, int place, int m) {
#pragma unroll
    for (int i = 0; i < most; ++i) {
      float4 parts[Shape::splits][Shape::groups];
#pragma unroll
      for (int e = 0; e < Shape::splits * Shape::groups; ++e) {
        int block = e / Shape::groups, group = e % Shape::groups;
        auto *part = reinterpret_cast<const float4 *>(firstRowOf<Shape::splits>(block, shared) +
                                                      place + group * Shape::ringBytes);
        parts[block][group] = has(i, m) ? part[item(i)] : make_float4(0, 0, 0, 0);
      }
      sum[i] = make_float4(0, 0, 0, 0);
#pragma unroll
      for (int e = 0; e < Shape::splits * Shape::groups; ++e) {
        float4 part = parts[e / Shape::groups][e % Shape::groups];
        sum[i].x += part.x, sum[i].y += part.y, sum[i].z += part.z, sum[i].w += part.w;
      }
    }
  }
  template <class T> __device__ __forceinline__ void write(T *out, const Product &p) const {
#pragma unroll
    for (int i = 0; i < most; ++i) {
      float sums[] = {sum[i].x, sum[i].y, sum[i].z, sum[i].w};
      T *to = out + static_cast<size_t>(token(i)) * p.n + first + channel(i);
#pragma unroll
      for (int e = 0; e < 4; ++e)
        if (has(i, p.m - e % 2) && channel(i) + e / 2 * 8 < count)
          to[static_cast<size_t>(e % 2) * p.n + e / 2 * 8] =
              fromFloat<T>(sums[e] * (scaleOfToken[i][e % 2] * scaleOfChannel[i][e / 2]));
    }
  }
};

template <class Shape, class T>
__device__ __forceinline__ void multiplyRing(T *out, const Product &p, unsigned char *shared) {
  RingTiles<Shape> tiles(p);
  Ring<Shape> ring(shared, tiles);
  for (int i = 0; i < Shape::stages - 1; ++i)
    ring.copyNext(p, tiles);
  int stage = 0, last = 0;
  for (int tile = tiles.column; tile * tiles.width < p.n; tile += tiles.columns) {
    RingResults<Shape> results(p, tiles, tile);
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
    // The warpgroups of a block have the same number of units, so their last ones are in the same
    // stage, and the next tile is on its way to the others. Clusters have no next tile.
    int place = Shape::splits > 1 ? 0 : last;
    awaitWarpgroup();
    sums.share(ring.stages + place, p.m);
    arriveAtBlocks<Shape::splits>();
    awaitArrivals<Shape::splits>();
    results.addUp(shared, place, p.m);
    arriveAtBlocks<Shape::splits>();
    results.write(out, p);
    awaitArrivals<Shape::splits>();
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
