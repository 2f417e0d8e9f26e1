//===- matmul_warpgroups.h - Products of fp8 by warpgroups -*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The form whose operands lie in shared memory, in a ring of stages. Each stage has a unit: 128
// numbers of k of a tile's channels and of all tokens. All threads copy the unit that is
// `stages - 1` ahead, while the products of the present one run beside them, and meet once for
// each unit. So most of shared memory is on its way at all times, also while a tile is finished.
//
// Each warp finishes its channels by itself: the last warp of all blocks to arrive adds the
// parts, so that blocks of a tile that end together share this work, too.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "matmul.h"
#include "warpgroup_cores.h"
#include <cuda_pipeline_primitives.h>

namespace regrain::kernels {

/// The stages of the form that is launched, and the most for which __pipeline_wait_prior can wait.
constexpr int ringStages = 10;

/// What follows from the template arguments: each of `groups` warpgroups multiplies `own` times 64
/// channels.
template <int tokenTiles_, int channels_, int groups_, int stages_> struct RingShape {
  static constexpr int tokenTiles = tokenTiles_, channels = channels_, stages = stages_;
  static constexpr int threads = 128 * groups_, own = channels_ / 64 / groups_;
  static constexpr int stageBytes = (channels + 8 * tokenTiles) * rowK;
  /// The ring is aligned within the block's shared memory.
  static constexpr int bytes = stages * stageBytes + rowsAlignment;
};

#ifdef REGRAIN_WARPGROUP_CORES
/// Copies a piece of every `threads / 8`-th of `rows` rows, of which `first` is the first one of
/// the matrix. Rows from `end` on do not exist: what is in their place stays there, and concerns no
/// result that is written.
template <int rows, int threads>
__device__ __forceinline__ void copyRows(unsigned char *to, const unsigned char *matrix, int first,
                                         int end, int k, int begin) {
  int row = threadIdx.x / 8, piece = threadIdx.x % 8, at = begin + 16 * piece;
  unsigned char *place = to + placeOfPiece(row, piece);
  const unsigned char *from = matrix + at;
  if (at >= k) {
#pragma unroll
    for (int r = 0; r < rows; r += threads / 8)
      if (r + row < rows)
        *reinterpret_cast<uint4 *>(place + r * rowK) = make_uint4(0, 0, 0, 0);
    return;
  }
#pragma unroll
  for (int r = 0; r < rows; r += threads / 8)
    if (r + row < rows && first + r + row < end)
      __pipeline_memcpy_async(place + r * rowK, from + static_cast<size_t>(k) * (first + r + row),
                              16);
}

/// The ring of a block, as its copies proceed: they are ahead of its products.
template <class Shape> struct Ring {
  unsigned char *stages;
  int stage = 0, tile, inTile, left; ///< the next unit to copy, and how many the block has from it

  __device__ Ring(unsigned char *shared, int tile, int inTile, int left)
      : tile(tile), inTile(inTile), left(left) {
    auto address = static_cast<unsigned>(__cvta_generic_to_shared(shared));
    stages = shared + (rowsAlignment - address % rowsAlignment) % rowsAlignment;
  }
  /// Each call makes one batch of copies, so that batches tell which unit has arrived.
  __device__ __forceinline__ void copyNext(const Product &p, int ofTile) {
    if (left > 0) {
      unsigned char *to = stages + stage * Shape::stageBytes;
      copyRows<Shape::channels, Shape::threads>(to, p.b, tile * Shape::channels, p.n, p.k,
                                                inTile * rowK);
      copyRows<8 * Shape::tokenTiles, Shape::threads>(to + Shape::channels * rowK, p.a, 0, p.m, p.k,
                                                      inTile * rowK);
      if (++inTile == ofTile)
        inTile = 0, ++tile;
      --left;
    }
    stage = stage + 1 == Shape::stages ? 0 : stage + 1;
    __pipeline_commit();
  }
};

/// Sums of a thread: of each 64 channels those that warpgroup_cores.h says.
template <class Shape> struct RingSums {
  float of[Shape::own][4 * Shape::tokenTiles];

  __device__ void clear() {
#pragma unroll
    for (int c = 0; c < Shape::own; ++c)
#pragma unroll
      for (int i = 0; i < 4 * Shape::tokenTiles; ++i)
        of[c][i] = 0;
  }
  __device__ void add(RingSums &other) {
#pragma unroll
    for (int c = 0; c < Shape::own; ++c) {
      awaitSums(other.of[c]);
#pragma unroll
      for (int i = 0; i < 4 * Shape::tokenTiles; ++i)
        of[c][i] += other.of[c][i];
    }
  }
  /// Begins the products of a unit.
  __device__ void begin(const unsigned char *stage) {
    int first = threadIdx.x / 128 * Shape::own;
    openProducts();
#pragma unroll
    for (int c = 0; c < Shape::own; ++c)
      beginProducts(of[c], stage + (first + c) * 64 * rowK, stage + Shape::channels * rowK);
    closeProducts();
  }
};

/// The parts of sums that a warp's threads exchange with those of other blocks: four sums of each
/// are neighbours.
template <class Shape> struct RingParts {
  static constexpr int quads = Shape::own * Shape::tokenTiles, size = quads * Shape::threads;
  /// So many parts are read at a time.
  static constexpr int ahead = quads >= 8 ? 2 : quads >= 4 ? 4 : 8;
  float4 *own;
  int m;

  __device__ explicit RingParts(const Product &p)
      : own(reinterpret_cast<float4 *>(p.partial) + threadIdx.x), m(p.m) {}
  __device__ float4 *at(int block, bool isFirst) const {
    return own + static_cast<size_t>(size) * (2 * block + isFirst);
  }
  /// Tokens that do not exist have no parts.
  __device__ bool has(int quad) const {
    return quad % Shape::tokenTiles * 8 + threadIdx.x % 4 * 2 < m;
  }
  __device__ void write(const RingSums<Shape> &sums, int block, bool isFirst) const {
#pragma unroll
    for (int q = 0; q < quads; ++q) {
      const float *s = sums.of[q / Shape::tokenTiles] + q % Shape::tokenTiles * 4;
      if (has(q))
        __stcg(at(block, isFirst) + q * Shape::threads, make_float4(s[0], s[1], s[2], s[3]));
    }
  }
  /// Adds the parts of the blocks from `first` to `last`, of which the first one ends with its
  /// part, in this order.
  __device__ void addUp(RingSums<Shape> &sums, int first, int last) const {
    sums.clear();
    for (int block = first; block <= last; block += ahead) {
      float4 part[ahead][quads];
#pragma unroll
      for (int i = 0; i < ahead; ++i)
#pragma unroll
        for (int q = 0; q < quads; ++q)
          part[i][q] = block + i <= last && has(q)
                           ? __ldcg(at(block + i, block + i == first) + q * Shape::threads)
                           : make_float4(0, 0, 0, 0);
#pragma unroll
      for (int i = 0; i < ahead; ++i)
#pragma unroll
        for (int q = 0; q < quads; ++q) {
          float *s = sums.of[q / Shape::tokenTiles] + q % Shape::tokenTiles * 4;
          s[0] += part[i][q].x, s[1] += part[i][q].y;
          s[2] += part[i][q].z, s[3] += part[i][q].w;
        }
    }
  }
  __device__ void erase(int first, int last) const {
    for (int block = first; block <= last; ++block)
#pragma unroll
      for (int q = 0; q < quads; ++q)
        if (has(q))
          __stcg(at(block, block == first) + q * Shape::threads, make_float4(0, 0, 0, 0));
  }
};

/// Finishes a warp's channels of a tile, of which the block has the units [begin, end). Returns
/// whether the sums are complete, then they are those of the tile.
template <class Shape, class Units>
__device__ __forceinline__ bool completeSums(RingSums<Shape> &sums, const Product &p,
                                             const Units &units, int begin, int end) {
  if (end - begin == units.ofTile)
    return true;
  int tile = begin / units.ofTile;
  int first = units.blockOf(tile * units.ofTile);
  int last = units.blockOf((tile + 1) * units.ofTile - 1);
  RingParts<Shape> parts(p);
  parts.write(sums, blockIdx.x, begin % units.ofTile == 0);
  __threadfence();
  __syncwarp();
  unsigned before = 0;
  if (threadIdx.x % 32 == 0) {
    unsigned *arrived = &p.arrived[tile * (Shape::threads / 32) + threadIdx.x / 32];
    before = atomicAdd(arrived, 1);
    if (before == static_cast<unsigned>(last - first))
      *arrived = 0;
  }
  before = __shfl_sync(~0u, before, 0);
  if (before != static_cast<unsigned>(last - first))
    return false;
  __threadfence();
  parts.addUp(sums, first, last);
  parts.erase(first, last);
  return true;
}

template <class Shape, class T>
__device__ void writeSums(T *out, const Product &p, const RingSums<Shape> &sums, int tile) {
  int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
#pragma unroll
  for (int c = 0; c < Shape::own; ++c)
#pragma unroll
    for (int i = 0; i < 4 * Shape::tokenTiles; ++i) {
      int channel = tile * Shape::channels + (warp / 4 * Shape::own + c) * 64 + warp % 4 * 16 +
                    lane / 4 + i / 2 % 2 * 8;
      int token = 8 * (i / 4) + lane % 4 * 2 + i % 2;
      if (token < p.m && channel < p.n)
        writeResult(out, p, token, channel, sums.of[c][i]);
    }
}

template <class Shape, class T, class Units>
__device__ __forceinline__ void multiplyRing(T *out, const Product &p, const Units &units,
                                             unsigned char *shared) {
  int number = units.beginOf(blockIdx.x), end = units.beginOf(blockIdx.x + 1);
  if (number == end)
    return;
  int begin = number, tile = number / units.ofTile, inTile = number % units.ofTile;
  Ring<Shape> ring(shared, tile, inTile, end - number);
  for (int i = 0; i < Shape::stages - 1; ++i)
    ring.copyNext(p, units.ofTile);
  RingSums<Shape> sums, ofUnit;
  sums.clear();
  for (int stage = 0; number < end; ++number) {
    __pipeline_wait_prior(Shape::stages - 2);
    publishRows();
    // Behind this barrier, the unit is there, and the last one's stage is free.
    __syncthreads();
    ofUnit.begin(ring.stages + stage * Shape::stageBytes);
    ring.copyNext(p, units.ofTile);
    sums.add(ofUnit);
    stage = stage + 1 == Shape::stages ? 0 : stage + 1;
    bool isLast = ++inTile == units.ofTile;
    if (isLast || number + 1 == end) {
      if (completeSums(sums, p, units, begin, number + 1))
        writeSums(out, p, sums, tile);
      sums.clear();
      begin = number + 1;
      inTile = 0;
      ++tile;
    }
  }
}
#endif

/// `most` blocks reside on a multiprocessor. Code without the instructions keeps its sums in static
/// shared memory, of which the other has none: so the host tells which one the image has.
template <class T, int tokenTiles, int channels, int groups, int stages, int most>
__global__ void __launch_bounds__(128 * groups, most)
    matmulByWarpgroups(T *__restrict__ out, const unsigned char *__restrict__ a,
                       const unsigned char *__restrict__ b, const float *__restrict__ scaleA,
                       const float *__restrict__ scaleB, float *partial, unsigned *arrived, int m,
                       int n, int k, bool rowsHaveScales, bool channelsHaveScales) {
  Product p{a, b, scaleA, scaleB, partial, arrived, m, n, k, rowsHaveScales, channelsHaveScales};
  Units<channels, rowK> units(p);
#ifdef REGRAIN_WARPGROUP_CORES
  extern __shared__ __align__(rowsAlignment) unsigned char ring[];
  multiplyRing<RingShape<tokenTiles, channels, groups, stages>>(out, p, units, ring);
#else
  __shared__ __align__(16) float sums[8 * tokenTiles * channels];
  multiplyPlainly(out, p, units, sums);
#endif
}

} // namespace regrain::kernels
