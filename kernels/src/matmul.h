//===- matmul.h - What the products of fp8 matrices share -*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How the work of the direct form and of that with a queue is shared among blocks, and how the sums
// of a tile come together. The form by warpgroups has the arguments alone.
//
// A tile is all tokens and some channels. The work is numbered by units, which are a part of
// a tile's k, and those of a tile follow each other. Each block has a range of units, and all
// ranges have the same length, but for one unit. A block whose range has only a part of a tile
// writes its sums to the workspace; the last one of a tile to arrive adds all parts in the
// order of blocks, so that results do not depend on which one that is.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "matrix_cores.h"
#include "numbers.h"
#include <cstdint>

namespace regrain::kernels {

constexpr int mostTokens = 32;
/// The threads of a block that reads its operands directly.
constexpr int matmulThreads = 256;
/// So many blocks for each multiprocessor are launched.
constexpr int blocksOfProcessor = 2;
/// No variant has more channels in a tile, fewer in one, or a shorter unit.
constexpr int mostChannels = 128, leastChannels = 64, leastUnit = 128;

/// No variant has more blocks for each multiprocessor: more tokens take more registers.
__host__ __device__ constexpr int mostBlocksOfProcessor(int tokenTiles) {
  return tokenTiles == 1 ? 4 : tokenTiles == 2 ? 3 : 2;
}

/// The arguments of the kernels.
struct Product {
  const unsigned char *a, *b;
  const float *scaleA, *scaleB;
  float *partial;    ///< two parts of tiles for each block; 0 between calls
  unsigned *arrived; ///< for each tile, how many of its parts are there; 0 between calls
  int m, n, k;
  bool rowsHaveScales, channelsHaveScales;
};

/// The units of a product whose tiles have `channels`, and what the blocks have of them: each has
/// `share`, and the first `rest` blocks have one more. Blocks that have nothing to do begin at the
/// end.
template <int channels, int unit> struct Units {
  int ofTile, share, rest;

  __device__ explicit Units(const Product &p) {
    ofTile = max(1, (p.k + unit - 1) / unit);
    int total = (p.n + channels - 1) / channels * ofTile;
    share = total / static_cast<int>(gridDim.x), rest = total % static_cast<int>(gridDim.x);
  }
  __device__ int beginOf(int block) const { return block * share + min(block, rest); }
  __device__ int blockOf(int number) const {
    int larger = rest * (share + 1);
    return number < larger ? number / (share + 1) : rest + (number - larger) / share;
  }
};

template <class T>
__device__ void writeResult(T *out, const Product &p, int token, int channel, float sum) {
  float scale =
      p.scaleA[p.rowsHaveScales ? token : 0] * p.scaleB[p.channelsHaveScales ? channel : 0];
  out[static_cast<size_t>(token) * p.n + channel] = fromFloat<T>(sum * scale);
}

/// Adds `count` parts of `size` numbers each, those of the blocks from `first` on, in this order.
/// Of the first one, it is the part with which it ends. Several parts are read at a time: a zero
/// that is written behind each read would keep the next one from being read ahead.
__device__ __forceinline__ void addParts(float *sums, const Product &p, int size, int first,
                                         int count) {
  constexpr int ahead = 8;
  auto at = [&](int part, int i) {
    return reinterpret_cast<float4 *>(p.partial +
                                      static_cast<size_t>(size) * (2 * (first + part) + !part)) +
           i;
  };
  for (int i = threadIdx.x; i < size / 4; i += blockDim.x) {
    float4 sum = make_float4(0, 0, 0, 0);
    for (int begin = 0; begin < count; begin += ahead) {
      float4 parts[ahead];
#pragma unroll
      for (int e = 0; e < ahead; ++e)
        parts[e] = begin + e < count ? __ldcg(at(begin + e, i)) : make_float4(0, 0, 0, 0);
#pragma unroll
      for (int e = 0; e < ahead; ++e)
        sum = make_float4(sum.x + parts[e].x, sum.y + parts[e].y, sum.z + parts[e].z,
                          sum.w + parts[e].w);
    }
    reinterpret_cast<float4 *>(sums)[i] = sum;
    for (int part = 0; part < count; ++part)
      *at(part, i) = make_float4(0, 0, 0, 0);
  }
}

/// Writes sums[token * channels + channel] of a tile, of which the block has the units
/// [begin, end); all threads call it, and see the sums.
template <int channels, int unit, class T>
__device__ __forceinline__ void finishTile(T *out, const Product &p,
                                           const Units<channels, unit> &units, float *sums,
                                           int begin, int end) {
  __shared__ unsigned before;
  int tile = begin / units.ofTile, size = p.m * channels;
  if (end - begin < units.ofTile) {
    bool isFirst = begin % units.ofTile == 0;
    float *own = p.partial + static_cast<size_t>(size) * (2 * blockIdx.x + isFirst);
    for (int i = threadIdx.x; i < size; i += blockDim.x)
      own[i] = sums[i];
    __threadfence();
    __syncthreads();
    int first = units.blockOf(tile * units.ofTile);
    unsigned others = units.blockOf((tile + 1) * units.ofTile - 1) - first;
    if (threadIdx.x == 0) {
      before = atomicAdd(&p.arrived[tile], 1);
      if (before == others)
        p.arrived[tile] = 0;
    }
    __syncthreads();
    if (before != others)
      return;
    __threadfence();
    addParts(sums, p, size, first, others + 1);
    __syncthreads();
  }
  for (int i = threadIdx.x; i < size; i += blockDim.x)
    if (int channel = tile * channels + i % channels; channel < p.n)
      writeResult(out, p, i / channels, channel, sums[i]);
}

__device__ inline float fromFp8(unsigned char code) {
  __nv_fp8_e4m3 x;
  x.__x = code;
  return static_cast<float>(x);
}

/// Sums up a tile's products over [begin, end) of k without matrix units.
template <int channels>
__device__ void sumPlainly(float *sums, const Product &p, int tile, int begin, int end) {
  for (int i = threadIdx.x; i < channels * p.m; i += blockDim.x) {
    int token = i / channels, channel = min(tile * channels + i % channels, p.n - 1);
    const unsigned char *a = p.a + static_cast<size_t>(token) * p.k;
    const unsigned char *b = p.b + static_cast<size_t>(channel) * p.k;
    float sum = 0;
    for (int j = begin; j < end; ++j)
      sum += fromFp8(a[j]) * fromFp8(b[j]);
    sums[i] = sum;
  }
}

/// Does the block's work where there are no matrix units: one tile after the other.
template <int channels, int unit, class T>
__device__ void multiplyPlainly(T *out, const Product &p, const Units<channels, unit> &units,
                                float *sums) {
  int last = units.beginOf(blockIdx.x + 1);
  for (int begin = units.beginOf(blockIdx.x); begin < last;) {
    int tile = begin / units.ofTile, first = tile * units.ofTile;
    int end = min(first + units.ofTile, last);
    sumPlainly<channels>(sums, p, tile, (begin - first) * unit, min((end - first) * unit, p.k));
    __syncthreads();
    finishTile(out, p, units, sums, begin, end);
    __syncthreads();
    begin = end;
  }
}

} // namespace regrain::kernels
