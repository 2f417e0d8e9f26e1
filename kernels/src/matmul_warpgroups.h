//===- matmul_warpgroups.h - Products of fp8 by warpgroups -*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The form whose operands lie in shared memory, in a ring of stages. Each stage has a unit: some
// rows of 128 numbers of k of a tile's channels and of all tokens. All threads copy the unit that
// is `stages - 1` ahead, while the products of the present one run beside them, and meet once for
// each unit. So most of shared memory is on its way at all times.
//
// Tiles have as many channels as it takes for every block to have the same number of tiles, with
// all of k: then no sums come together from several blocks, which takes longer than reading ten
// megabytes. If channels are few and tokens are many, `splits` neighbouring blocks share a tile,
// and each warp finishes its channels by itself: the last one of these blocks to arrive adds the
// parts in their order.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "matmul.h"
#include "warpgroup_cores.h"
#include <cuda_pipeline_primitives.h>

namespace regrain::kernels {

/// What follows from the template arguments. A tile has at most `rows` channels. Each of `groups`
/// warpgroups copies, and multiplies `own` times 64 rows if there are so many. A unit has `atoms`
/// rows of 128 numbers for each channel.
template <int tokenTiles_, int rows_, int groups_, int stages_, int atoms_, int splits_>
struct RingShape {
  static constexpr int tokenTiles = tokenTiles_, rows = rows_, stages = stages_, atoms = atoms_;
  static constexpr int splits = splits_, threads = 128 * groups_, unit = atoms * rowK;
  static constexpr int own = (rows + 64 * groups_ - 1) / (64 * groups_);
  static constexpr int channelBytes = rows * unit,
                       stageBytes = channelBytes + 8 * tokenTiles * unit;
  /// The ring is aligned within the block's shared memory. Products read 64 rows, also behind the
  /// last one.
  static constexpr int bytes = stages * stageBytes + rowsAlignment + (rows % 64 ? 64 * rowK : 0);
  static_assert(rows % 8 == 0 && stages <= 10, "__pipeline_wait_prior waits for 8 batches at most");
};

/// How the blocks of a launch share the channels and k. Tiles of a block are `columns` apart.
template <class Shape> struct RingTiles {
  int columns, column, width; ///< of the tiles; the block's first; channels of a tile
  int firstUnit, units;       ///< of k

  __device__ explicit RingTiles(const Product &p) {
    columns = static_cast<int>(gridDim.x) / Shape::splits;
    column = static_cast<int>(blockIdx.x) / Shape::splits;
    int rounds = (p.n + columns * Shape::rows - 1) / (columns * Shape::rows);
    width = (p.n + columns * rounds - 1) / (columns * rounds);
    int all = (p.k + Shape::unit - 1) / Shape::unit, split = blockIdx.x % Shape::splits;
    firstUnit = all * split / Shape::splits;
    units = all * (split + 1) / Shape::splits - firstUnit;
  }
};

/// The tiles of the form that is launched: many channels; or few, with more numbers of each.
constexpr int ringGroups = 2, wideRows = 128, narrowRows = 32, narrowAtoms = 4, ringSplits = 4;

/// As many stages as a block has memory for, and __pipeline_wait_prior can tell apart.
__host__ __device__ constexpr int ringStages(int tokenTiles, int rows, int atoms) {
  int stage = (rows + 8 * tokenTiles) * atoms * rowK;
  int most = (227 * 1024 - rowsAlignment - 64 * rowK) / stage;
  return most < 10 ? most : 10;
}

/// Returns whether tiles that several blocks share cover n channels. Parts of sums have a place for
/// each block, so that no block can have two tiles.
__host__ __device__ constexpr bool mayShareTiles(int n, int blocks) {
  return n <= blocks / ringSplits * wideRows;
}

#ifdef REGRAIN_WARPGROUP_CORES
/// Copies a piece of every `threads / 8`-th of `count` rows of the matrix, of which at most `rows`
/// exist. What is in the place of other rows stays there, and concerns no result that is written.
template <int rows, int threads, class Copy>
__device__ __forceinline__ void copyRows(unsigned char *to, const unsigned char *matrix, int count,
                                         int k, int begin, Copy copy) {
  int row = threadIdx.x / 8, piece = threadIdx.x % 8, at = begin + 16 * piece;
  unsigned char *place = to + placeOfPiece(row, piece);
  const unsigned char *from = matrix + static_cast<size_t>(k) * row + at;
  if (at >= k) {
#pragma unroll
    for (int r = 0; r < rows; r += threads / 8)
      if (r + row < count)
        *reinterpret_cast<uint4 *>(place + r * rowK) = make_uint4(0, 0, 0, 0);
    return;
  }
#pragma unroll
  for (int r = 0; r < rows; r += threads / 8)
    if (r + row < count)
      copy(place + r * rowK, from + static_cast<size_t>(k) * r);
}

/// The ring of a block, as its copies proceed: they are ahead of its products. Blocks begin at
/// different places of k, so that they do not read the same tokens at a time.
template <class Shape> struct Ring {
  unsigned char *stages;
  int stage = 0, tile, at, left; ///< of the next unit to copy; how many the tile has from it
  CachePolicy policy;

  __device__ Ring(unsigned char *shared, const Product &p, const RingTiles<Shape> &tiles)
      : tile(tiles.column), at(firstOf(tiles)), left(tiles.units),
        policy(static_cast<size_t>(p.n) * p.k > keptBytes) {
    auto address = static_cast<unsigned>(__cvta_generic_to_shared(shared));
    stages = shared + (rowsAlignment - address % rowsAlignment) % rowsAlignment;
  }
  __device__ static int firstOf(const RingTiles<Shape> &tiles) {
    return tiles.firstUnit + static_cast<int>(blockIdx.x % max(1, tiles.units));
  }
  /// Each call makes one batch of copies, so that batches tell which unit has arrived.
  __device__ __forceinline__ void copyNext(const Product &p, const RingTiles<Shape> &tiles) {
    int first = tile * tiles.width, count = min(tiles.width, p.n - first);
    if (left > 0 && count > 0) {
      unsigned char *to = stages + stage * Shape::stageBytes;
#pragma unroll
      for (int atom = 0; atom < Shape::atoms; ++atom) {
        int begin = at * Shape::unit + atom * rowK;
        copyRows<Shape::rows, Shape::threads>(
            to + atom * Shape::rows * rowK, p.b + static_cast<size_t>(p.k) * first, count, p.k,
            begin, [&](unsigned char *place, const unsigned char *from) {
              copyPiece(place, from, policy);
            });
        copyRows<8 * Shape::tokenTiles, Shape::threads>(
            to + Shape::channelBytes + atom * 8 * Shape::tokenTiles * rowK, p.a, p.m, p.k, begin,
            [](unsigned char *place, const unsigned char *from) {
              __pipeline_memcpy_async(place, from, 16);
            });
      }
      at = at + 1 == tiles.firstUnit + tiles.units ? tiles.firstUnit : at + 1;
      if (--left == 0)
        tile += tiles.columns, left = tiles.units, at = firstOf(tiles);
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
  /// Adds the products of a unit; meanwhile, the thread does something else.
  template <class Meanwhile>
  __device__ __forceinline__ void multiplyAdd(const unsigned char *stage, Meanwhile meanwhile) {
    int first = threadIdx.x / 128 * Shape::own;
    // The warps of a warpgroup take the same branch.
    if (first * 64 >= Shape::rows)
      return meanwhile();
    float products[Shape::atoms][Shape::own][count];
    openProducts();
#pragma unroll
    for (int atom = 0; atom < Shape::atoms; ++atom)
#pragma unroll
      for (int c = 0; c < Shape::own; ++c)
        beginProducts(products[atom][c], stage + (atom * Shape::rows + (first + c) * 64) * rowK,
                      stage + Shape::channelBytes + atom * 8 * Shape::tokenTiles * rowK);
    closeProducts();
    meanwhile();
#pragma unroll
    for (int atom = 0; atom < Shape::atoms; ++atom)
#pragma unroll
      for (int c = 0; c < Shape::own; ++c) {
        awaitSums(products[atom][c]);
#pragma unroll
        for (int i = 0; i < count; ++i)
          of[c][i] += products[atom][c][i];
      }
  }
};

/// Which results are those of a thread's sums, with their scales. These are read long before they
/// are needed, and volatile keeps them there.
template <class Shape> struct RingResults {
  int channel[Shape::own][2], end; ///< the first channel that is not the tile's
  float scaleOfChannel[Shape::own][2], scaleOfToken[2 * Shape::tokenTiles];

  __device__ static int token(int i) { return i / 2 * 8 + threadIdx.x % 4 * 2 + i % 2; }
  __device__ RingResults(const Product &p, const RingTiles<Shape> &tiles, int tile) {
    int warp = threadIdx.x / 32, row = warp % 4 * 16 + threadIdx.x % 32 / 4;
    const volatile float *scaleA = p.scaleA, *scaleB = p.scaleB;
    end = min((tile + 1) * tiles.width, p.n);
#pragma unroll
    for (int i = 0; i < 2 * Shape::own; ++i) {
      int of = tile * tiles.width + (warp / 4 * Shape::own + i / 2) * 64 + row + i % 2 * 8;
      channel[i / 2][i % 2] = of;
      scaleOfChannel[i / 2][i % 2] = scaleB[p.channelsHaveScales ? min(of, p.n - 1) : 0];
    }
#pragma unroll
    for (int i = 0; i < 2 * Shape::tokenTiles; ++i)
      scaleOfToken[i] = scaleA[p.rowsHaveScales ? min(token(i), p.m - 1) : 0];
  }
  /// Returns whether the warp has a channel.
  __device__ bool hasWarp() const { return channel[0][0] - threadIdx.x % 32 / 4 < end; }
  template <class T>
  __device__ void write(T *out, const Product &p, const RingSums<Shape> &sums) const {
#pragma unroll
    for (int c = 0; c < Shape::own; ++c)
#pragma unroll
      for (int i = 0; i < RingSums<Shape>::count; ++i) {
        int at = token(i / 4 * 2 + i % 2), of = channel[c][i / 2 % 2];
        float scale = scaleOfToken[i / 4 * 2 + i % 2] * scaleOfChannel[c][i / 2 % 2];
        if (at < p.m && of < end)
          out[static_cast<size_t>(at) * p.n + of] = fromFloat<T>(sums.of[c][i] * scale);
      }
  }
};

/// The parts of sums that a thread exchanges with those of the other blocks of a tile: four sums of
/// each are neighbours.
template <class Shape> struct RingParts {
  static constexpr int quads = Shape::own * Shape::tokenTiles;
  float4 *first;
  int m;

  __device__ RingParts(const Product &p, int column)
      : first(reinterpret_cast<float4 *>(p.partial) + threadIdx.x +
              static_cast<size_t>(column) * Shape::splits * quads * Shape::threads),
        m(p.m) {}
  __device__ float4 *at(int split, int quad) const {
    return first + (split * quads + quad) * Shape::threads;
  }
  /// Tokens that do not exist have no parts.
  __device__ bool has(int quad) const {
    return quad % Shape::tokenTiles * 8 + threadIdx.x % 4 * 2 < m;
  }
  __device__ void write(const RingSums<Shape> &sums, int split) const {
#pragma unroll
    for (int q = 0; q < quads; ++q) {
      const float *s = sums.of[q / Shape::tokenTiles] + q % Shape::tokenTiles * 4;
      if (has(q))
        __stcg(at(split, q), make_float4(s[0], s[1], s[2], s[3]));
    }
  }
  /// Adds the parts in the order of splits, and leaves zeros. All are read before the first is
  /// used.
  __device__ void addUp(RingSums<Shape> &sums) const {
    float4 part[Shape::splits][quads];
#pragma unroll
    for (int i = 0; i < Shape::splits * quads; ++i)
      part[i / quads][i % quads] =
          has(i % quads) ? __ldcg(at(i / quads, i % quads)) : make_float4(0, 0, 0, 0);
    sums.clear();
#pragma unroll
    for (int i = 0; i < Shape::splits * quads; ++i) {
      int q = i % quads;
      float *s = sums.of[q / Shape::tokenTiles] + q % Shape::tokenTiles * 4;
      s[0] += part[i / quads][q].x, s[1] += part[i / quads][q].y;
      s[2] += part[i / quads][q].z, s[3] += part[i / quads][q].w;
    }
#pragma unroll
    for (int i = 0; i < Shape::splits * quads; ++i)
      if (has(i % quads))
        __stcg(at(i / quads, i % quads), make_float4(0, 0, 0, 0));
  }
};

/// Finishes a warp's channels of a tile that has several blocks, and a column to itself. Returns
/// whether the sums are complete.
template <class Shape>
__device__ __forceinline__ bool completeSums(RingSums<Shape> &sums, const Product &p, int column) {
  RingParts<Shape> parts(p, column);
  parts.write(sums, blockIdx.x % Shape::splits);
  __syncwarp();
  unsigned before = 0;
  if (threadIdx.x % 32 == 0) {
    unsigned *arrived = &p.arrived[column * (Shape::threads / 32) + threadIdx.x / 32];
    __threadfence();
    before = atomicAdd(arrived, 1);
    if (before == Shape::splits - 1)
      *arrived = 0;
    __threadfence();
  }
  if (__shfl_sync(~0u, before, 0) != Shape::splits - 1)
    return false;
  parts.addUp(sums);
  return true;
}

template <class Shape, class T>
__device__ __forceinline__ void multiplyRing(T *out, const Product &p, unsigned char *shared) {
  RingTiles<Shape> tiles(p);
  Ring<Shape> ring(shared, p, tiles);
  for (int i = 0; i < Shape::stages - 1; ++i)
    ring.copyNext(p, tiles);
  int stage = 0;
  for (int tile = tiles.column; tile * tiles.width < p.n; tile += tiles.columns) {
    RingResults<Shape> results(p, tiles, tile);
    RingSums<Shape> sums;
    sums.clear();
    for (int i = 0; i < tiles.units; ++i) {
      __pipeline_wait_prior(Shape::stages - 2);
      publishRows();
      // Behind this barrier, the unit is there, and the last one's stage is free.
      __syncthreads();
      sums.multiplyAdd(ring.stages + stage * Shape::stageBytes, [&] { ring.copyNext(p, tiles); });
      stage = stage + 1 == Shape::stages ? 0 : stage + 1;
    }
    if (!results.hasWarp())
      continue;
    if (Shape::splits == 1 || completeSums(sums, p, tile))
      results.write(out, p, sums);
  }
}
#endif

/// Each tile is multiplied by `splits` blocks; the launch has a block for each multiprocessor. Code
/// without the instructions keeps its sums in static shared memory, of which the other has none: so
/// the host tells which one the image has.
template <class T, int tokenTiles, int rows, int groups, int stages, int atoms, int splits>
__global__ void __launch_bounds__(128 * groups, 1)
    matmulByWarpgroups(T *__restrict__ out, const unsigned char *__restrict__ a,
                       const unsigned char *__restrict__ b, const float *__restrict__ scaleA,
                       const float *__restrict__ scaleB, float *partial, unsigned *arrived, int m,
                       int n, int k, bool rowsHaveScales, bool channelsHaveScales) {
  Product p{a, b, scaleA, scaleB, partial, arrived, m, n, k, rowsHaveScales, channelsHaveScales};
#ifdef REGRAIN_WARPGROUP_CORES
  extern __shared__ __align__(rowsAlignment) unsigned char ring[];
  multiplyRing<RingShape<tokenTiles, rows, groups, stages, atoms, splits>>(out, p, ring);
#else
  __shared__ __align__(16) float sums[8 * tokenTiles * leastChannels];
  Units<leastChannels, leastUnit> units(p);
  multiplyPlainly(out, p, units, sums);
#endif
}

} // namespace regrain::kernels
