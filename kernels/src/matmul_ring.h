//===- matmul_ring.h - Rings of stages in shared memory -*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The shapes of the products by warpgroups, how the blocks of a launch share the work, and how
// the operands come into shared memory.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "matmul.h"
#include "warpgroup_cores.h"
#include <cuda_pipeline_primitives.h>

namespace regrain::kernels {

/// Of four sums for each lane.
constexpr int fragmentBytes = 32 * sizeof(float4);

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
  /// A fragment is what a warp has of one quad: 16 channels and 8 tokens. Blocks of a cluster count
  /// those whose channels a tile can have, so that each of them finishes as many, of which each
  /// block has a part.
  static constexpr int fragments = splits > 1 ? (rows + 15) / 16 * tokenTiles : 4 * quads;
  static constexpr int finished = (fragments + splits - 1) / splits;
  /// The number that clusters give to the fragment of 16 channels and 8 tokens, and in all cases
  /// these of a number.
  __host__ __device__ static constexpr int fragmentOf(int channels, int tokens) {
    return channels * tokenTiles + tokens;
  }
  __host__ __device__ static constexpr int channelsOf(int fragment) {
    return splits > 1 ? fragment / tokenTiles : fragment / 4 / tokenTiles * 4 + fragment % 4;
  }
  __host__ __device__ static constexpr int tokensOf(int fragment) {
    return splits > 1 ? fragment % tokenTiles : fragment / 4 % tokenTiles;
  }
  static constexpr int partsBytes = splits > 1 ? finished *splits *fragmentBytes : 0;
  /// Behind the parts, the block counts those that have come.
  static constexpr int inboxBytes = splits > 1 ? partsBytes + 16 : 0;
  /// Products read 64 rows, also behind the last one, where the parts lie.
  static constexpr int behind = (64 * own - rows - 8 * tokenTiles) * rowK;
  /// The ring is aligned within the block's shared memory.
  static constexpr int bytes =
      groups * ringBytes + rowsAlignment + (behind > inboxBytes ? behind : inboxBytes);
  static_assert(rows % 8 == 0 && stages <= 10, "__pipeline_wait_prior waits for 8 batches at most");
  /// What a warpgroup gives to the others lies in a stage: sums, and behind them a number of each
  /// thread.
  static constexpr int givenBytes = (quads - quads / groups) * 4 * fragmentBytes;
  static_assert(givenBytes + 128 * sizeof(float) <= stageBytes, "a stage has room for it");
  static_assert(rows + 8 * tokenTiles <= threads, "each thread reads at most one scale");
};

/// As many stages as a block has memory for, and __pipeline_wait_prior can tell apart.
__host__ __device__ constexpr int ringStages(int tokenTiles, int rows, int groups, int atoms,
                                             int splits) {
  int stage = (rows + 8 * tokenTiles) * atoms * rowK;
  int parts = ((rows + 15) / 16 * tokenTiles + splits - 1) * fragmentBytes + 16;
  int behind = splits > 1 && parts > 64 * rowK ? parts : 64 * rowK;
  int most = (227 * 1024 - rowsAlignment - behind) / (groups * stage);
  return most < 10 ? most : 10;
}

/// The shapes that are launched. Each multiprocessor has tiles of its own. Where these are narrow
/// enough, a unit has two rows of each channel: memory is read faster, as more of it is a
/// neighbour.
template <int tokenTiles, int kept>
using WideShape = RingShape<tokenTiles, 128, 2, ringStages(tokenTiles, 128, 2, 1, 1), 1, 1, kept>;
template <int tokenTiles, int kept>
using LongShape = RingShape<tokenTiles, 104, 2, ringStages(tokenTiles, 104, 2, 2, 1), 2, 1, kept>;
/// Or clusters share the tiles. Few tokens leave memory for the stages of a third warpgroup, which
/// multiplies while the others wait for theirs.
__host__ __device__ constexpr int clusterGroups(int tokenTiles) { return tokenTiles == 1 ? 3 : 2; }
/// With many tokens, three stages are faster than as many as there is memory for: the first unit
/// waits for all that is requested with it.
__host__ __device__ constexpr int clusterStages(int tokenTiles, int rows, int splits) {
  int most = ringStages(tokenTiles, rows, clusterGroups(tokenTiles), 1, splits);
  return tokenTiles > 2 && most > 3 ? 3 : most;
}
template <int tokenTiles, int rows, int splits>
using ClusterShape = RingShape<tokenTiles, rows, clusterGroups(tokenTiles),
                               clusterStages(tokenTiles, rows, splits), 1, splits, 8>;

/// The second-level cache, of 50 to 60 MB, has room for matrices of so many bytes.
constexpr size_t cachedBytes = size_t(44) << 20;

/// Of so many units of a matrix, the second-level cache shall keep one for the next call.
constexpr int keptOf(size_t bytes) { return bytes <= cachedBytes ? 8 : 16; }

/// How often all multiprocessors have a tile of at most `rows` channels, if there are so many.
__host__ __device__ constexpr int roundsOf(int n, int columns, int rows) {
  return (n + columns * rows - 1) / (columns * rows);
}
/// How many channels a tile has if all rounds are equal.
__host__ __device__ constexpr int widthOf(int n, int columns, int rounds) {
  return (n + columns * rounds - 1) / (columns * rounds);
}

/// Whether the tiles of so many multiprocessors are read in long rows.
constexpr bool areLong(int n, int k, int columns) {
  int width = widthOf(n, columns, roundsOf(n, columns, 128));
  return width > 64 && width <= 104 && k >= 8192;
}

/// How the blocks of a launch share the channels and k. Tiles of a block are `columns` apart.
template <class Shape> struct RingTiles {
  int columns, column, width;     ///< of the tiles; the block's first; channels of a tile
  int firstUnit, units, perGroup; ///< of k: the block's, and at most so many of a warpgroup

  __device__ explicit RingTiles(const Product &p) {
    columns = static_cast<int>(gridDim.x) / Shape::splits;
    column = static_cast<int>(blockIdx.x) / Shape::splits;
    width = widthOf(p.n, columns, Shape::splits > 1 ? 1 : roundsOf(p.n, columns, Shape::rows));
    int all = (p.k + Shape::unit - 1) / Shape::unit, split = blockIdx.x % Shape::splits;
    firstUnit = all * split / Shape::splits;
    units = all * (split + 1) / Shape::splits - firstUnit;
    perGroup = (units + Shape::groups - 1) / Shape::groups;
  }
};

#ifdef REGRAIN_WARPGROUP_CORES
/// Returns the first row in the shared memory of the block.
__device__ __forceinline__ unsigned char *firstRow(unsigned char *shared) {
  return shared +
         (rowsAlignment - reinterpret_cast<uintptr_t>(shared) % rowsAlignment) % rowsAlignment;
}

/// Returns where the parts of sums are that the blocks of a cluster send.
template <class Shape> __device__ __forceinline__ unsigned char *partsOf(unsigned char *shared) {
  return firstRow(shared) + Shape::groups * Shape::ringBytes;
}
/// Returns where a block counts the bytes that the others have sent to it.
template <class Shape> __device__ __forceinline__ ArrivalCount *arrivalsOf(unsigned char *shared) {
  return reinterpret_cast<ArrivalCount *>(partsOf<Shape>(shared) + Shape::partsBytes);
}

/// A warpgroup copies a piece of every 16th of `count` rows of the matrix, of which at most `rows`
/// exist. What is in the place of other rows stays there, and concerns no result that is written.
/// Numbers from `k` on are zeros.
template <int rows, bool hasPolicy>
__device__ __forceinline__ void copyRows(CopyAddress to, const unsigned char *matrix, int count,
                                         int k, int begin, LinePolicy policy) {
  int row = threadIdx.x % 128 / 8, piece = threadIdx.x % 8, at = begin + 16 * piece;
  int bytes = at < k ? 16 : 0;
  CopyAddress place = placeOfCopy(to, row, piece);
  const unsigned char *from = matrix + static_cast<size_t>(k) * row + (at < k ? at : 0);
#pragma unroll
  for (int r = 0; r < rows; r += 16)
    if (r + row < min(rows, count))
      copyPiece<hasPolicy>(place + r * rowK, from + static_cast<size_t>(k) * r, bytes, policy);
}

/// What the cache does with the matrix. One unit of `kept` is kept, and each call begins to count
/// at another one: calls that follow each other find what several of them have kept. Other units
/// leave first, so that nothing else is written back or lost for them. If the cache has room for
/// all, half of the units leave what it has as it is, and the matrix comes in by and by.
template <int kept> struct RingPolicies {
  LinePolicy keptUnit = keptPolicy(), unchangedUnit = unchangedPolicy(),
             passingUnit = passingPolicy();
  unsigned first = numberOfCall(), unchanged;

  __device__ explicit RingPolicies(const Product &p)
      : unchanged(static_cast<size_t>(p.n) * p.k <= cachedBytes ? kept / 2 : 0) {}
  __device__ LinePolicy of(int unit) const {
    unsigned turn = (unit + first) % kept;
    return turn == 0 ? keptUnit : turn <= unchanged ? unchangedUnit : passingUnit;
  }
};
/// No policy.
template <> struct RingPolicies<0> {
  __device__ explicit RingPolicies(const Product &) {}
  __device__ LinePolicy of(int) const { return {}; }
};

/// The ring of a warpgroup, as its copies proceed: they are ahead of its products. Blocks begin at
/// different places of k, so that they do not read the same tokens at a time.
template <class Shape> struct Ring {
  int group = warpgroupNumber();
  unsigned char *stages;
  CopyAddress copies; ///< to the stages
  RingPolicies<Shape::kept> policies;
  int stage = 0, tile, at, left; ///< of the next unit to copy; how many the tile has from it

  __device__ Ring(unsigned char *shared, const Product &p, const RingTiles<Shape> &tiles)
      : stages(firstRow(shared) + group * Shape::ringBytes), copies(copyAddress(stages)),
        policies(p), tile(tiles.column), at(firstOf(tiles)), left(tiles.perGroup) {}
  __device__ static int firstOf(const RingTiles<Shape> &tiles) {
    return static_cast<int>(blockIdx.x % 8) * tiles.perGroup / 8;
  }
  /// Each call makes one batch of copies, so that batches tell which unit has arrived. All
  /// warpgroups have equally many units: those that do not exist are zeros.
  __device__ __forceinline__ void copyNext(const Product &p, const RingTiles<Shape> &tiles) {
    int first = tile * tiles.width, count = min(tiles.width, p.n - first);
    if (left > 0 && count > 0) {
      CopyAddress to = copies + stage * Shape::stageBytes;
      int number = at * Shape::groups + group;
      LinePolicy policy = policies.of(number);
      int begin = number < tiles.units ? (tiles.firstUnit + number) * Shape::unit : p.k;
#pragma unroll
      for (int atom = 0; atom < Shape::atoms; ++atom) {
        copyRows<Shape::rows, (Shape::kept > 0)>(to + atom * Shape::rows * rowK,
                                                 p.b + static_cast<size_t>(p.k) * first, count, p.k,
                                                 begin + atom * rowK, policy);
        copyRows<8 * Shape::tokenTiles, false>(to + Shape::channelBytes +
                                                   atom * 8 * Shape::tokenTiles * rowK,
                                               p.a, p.m, p.k, begin + atom * rowK, policy);
      }
      at = at + 1 == tiles.perGroup ? 0 : at + 1;
      if (--left == 0)
        tile += tiles.columns, left = tiles.perGroup, at = firstOf(tiles);
    }
    stage = stage + 1 == Shape::stages ? 0 : stage + 1;
    __pipeline_commit();
  }
};
#endif

} // namespace regrain::kernels
