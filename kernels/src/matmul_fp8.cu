//===- matmul_fp8.cu - Products of fp8 matrices with few rows -*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Few rows (tokens) of a are multiplied with many rows (channels) of b, which are read once.
// A block has 64 channels, all tokens, and a slice of k. Its warps are four groups of 16
// channels times `ways` parts of the slice. If there are several slices, each block writes
// its sums to the workspace, and the last one to arrive adds them in the order of slices, so
// that results do not depend on which one that is.
//
// Matrix units multiply where the architecture has them for fp8; elsewhere, a thread adds
// the products of one channel and one token at a time. GPUs of AMD have the plain code:
// their instructions have no name in CUDA, and those of gfx942 have another fp8.
//
//===----------------------------------------------------------------------===//
#include "matrix_cores.h"
#include "numbers.h"
#include "status.h"

#include <algorithm>

namespace regrain::kernels {

constexpr int blockChannels = 64;
constexpr int mostTokens = 32;
/// So many blocks reside on a multiprocessor, by their registers.
constexpr int blocksOfProcessor = 4;

struct Product {
  const unsigned char *a, *b;
  const float *scaleA, *scaleB;
  float *partial;    ///< slices x m x n, if there are several slices
  unsigned *arrived; ///< for each block of channels; 0 between calls
  int m, n, k, slice;
  bool rowsHaveScales, channelsHaveScales;
};

template <class T>
__device__ void writeResult(T *out, const Product &p, int token, int channel, float sum) {
  float scale =
      p.scaleA[p.rowsHaveScales ? token : 0] * p.scaleB[p.channelsHaveScales ? channel : 0];
  out[static_cast<size_t>(token) * p.n + channel] = fromFloat<T>(sum * scale);
}

#ifdef REGRAIN_FP8_MATRIX_CORES
/// Reads 16 bytes of b, which nobody reads again.
__device__ inline uint4 loadOnce(const unsigned char *from) {
  return __ldcs(reinterpret_cast<const uint4 *>(from));
}

__device__ inline uint4 load(const unsigned char *from) {
  return *reinterpret_cast<const uint4 *>(from);
}

/// Adds the products of a warp: 16 channels from `channel` on, and the parts of [begin, end) that
/// are `stride` apart.
template <int tokenTiles>
__device__ void sumOfWarp(float (&sums)[tokenTiles][4], const Product &p, int channel, int begin,
                          int end, int stride) {
  constexpr int steps = 4;
  int lane = threadIdx.x % 32, row = lane / 4, at = lane % 4 * 16;
  size_t k = p.k;
  // Rows outside are replaced by the last one: their results are not written.
  const unsigned char *low = p.b + k * min(channel + row, p.n - 1);
  const unsigned char *high = p.b + k * min(channel + row + 8, p.n - 1);
  const unsigned char *tokens[tokenTiles];
  for (int t = 0; t < tokenTiles; ++t)
    tokens[t] = p.a + k * min(8 * t + row, p.m - 1);
  int i = begin;
  for (; i + steps * warpK <= end; i += stride * steps * warpK) {
    uint4 lows[steps], highs[steps];
#pragma unroll
    for (int s = 0; s < steps; ++s) {
      lows[s] = loadOnce(low + i + s * warpK + at);
      highs[s] = loadOnce(high + i + s * warpK + at);
    }
#pragma unroll
    for (int s = 0; s < steps; ++s)
#pragma unroll
      for (int t = 0; t < tokenTiles; ++t)
        multiplyAdd(sums[t], lows[s], highs[s], load(tokens[t] + i + s * warpK + at));
  }
  // What is left of the slice, of which one warp has less than a full step.
  for (; i < end; i += warpK) {
    bool isInside = i + at < end;
    uint4 zero = make_uint4(0, 0, 0, 0);
    uint4 l = isInside ? loadOnce(low + i + at) : zero,
          h = isInside ? loadOnce(high + i + at) : zero;
#pragma unroll
    for (int t = 0; t < tokenTiles; ++t)
      multiplyAdd(sums[t], l, h, isInside ? load(tokens[t] + i + at) : zero);
  }
}

/// Adds the products of the block's channels and slice; sums[token * blockChannels + channel].
template <int tokenTiles, int ways>
__device__ void sumOfBlock(float *sums, const Product &p, int channel, int begin, int end) {
  constexpr int waysStep = 4 * warpK;
  int warp = threadIdx.x / 32, lane = threadIdx.x % 32, group = warp % 4, way = warp / 4;
  float own[tokenTiles][4] = {};
  sumOfWarp<tokenTiles>(own, p, channel + 16 * group, begin + way * waysStep, end, ways);
  // One way after the other adds to the sums, in this order.
  for (int turn = 0; turn < ways; ++turn) {
    if (way == turn)
      for (int t = 0; t < tokenTiles; ++t)
        for (int e = 0; e < 4; ++e) {
          int token = 8 * t + lane % 4 * 2 + e % 2;
          float &sum = sums[token * blockChannels + 16 * group + lane / 4 + e / 2 * 8];
          sum = turn == 0 ? own[t][e] : sum + own[t][e];
        }
    __syncthreads();
  }
}
#else
__device__ inline float fromFp8(unsigned char code) {
  __nv_fp8_e4m3 x;
  x.__x = code;
  return static_cast<float>(x);
}

/// The same without matrix units.
template <int tokenTiles, int ways>
__device__ void sumOfBlock(float *sums, const Product &p, int channel, int begin, int end) {
  for (int i = threadIdx.x; i < blockChannels * p.m; i += blockDim.x) {
    int token = i / blockChannels, own = min(channel + i % blockChannels, p.n - 1);
    const unsigned char *a = p.a + static_cast<size_t>(token) * p.k;
    const unsigned char *b = p.b + static_cast<size_t>(own) * p.k;
    float sum = 0;
    for (int j = begin; j < end; ++j)
      sum += fromFp8(a[j]) * fromFp8(b[j]);
    sums[i] = sum;
  }
  __syncthreads();
}
#endif

template <class T, int tokenTiles, int ways>
__global__ void __launch_bounds__(128 * ways) matmul(T *__restrict__ out, const Product p) {
  __shared__ float sums[8 * tokenTiles * blockChannels];
  __shared__ unsigned before;
  int channel = blockIdx.x * blockChannels, begin = blockIdx.y * p.slice;
  sumOfBlock<tokenTiles, ways>(sums, p, channel, begin, min(begin + p.slice, p.k));
  if (gridDim.y > 1) {
    size_t size = static_cast<size_t>(p.m) * p.n;
    for (int i = threadIdx.x; i < blockChannels * p.m; i += blockDim.x) {
      int token = i / blockChannels, own = channel + i % blockChannels;
      if (own < p.n)
        p.partial[blockIdx.y * size + static_cast<size_t>(token) * p.n + own] = sums[i];
    }
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) {
      before = atomicAdd(&p.arrived[blockIdx.x], 1);
      if (before == gridDim.y - 1)
        p.arrived[blockIdx.x] = 0;
    }
    __syncthreads();
    if (before != gridDim.y - 1)
      return;
    __threadfence();
    for (int i = threadIdx.x; i < blockChannels * p.m; i += blockDim.x) {
      int token = i / blockChannels, own = min(channel + i % blockChannels, p.n - 1);
      float sum = 0;
      for (unsigned s = 0; s < gridDim.y; ++s)
        sum += __ldcg(&p.partial[s * size + static_cast<size_t>(token) * p.n + own]);
      sums[i] = sum;
    }
  }
  for (int i = threadIdx.x; i < blockChannels * p.m; i += blockDim.x)
    if (int own = channel + i % blockChannels; own < p.n)
      writeResult(out, p, i / blockChannels, own, sums[i]);
}

/// The number of slices of k: so many blocks that they fill the device, of slices that are long
/// enough.
static int slicesOf(int64_t n, int64_t k) {
  int device = 0, processors = 0;
  if (cudaGetDevice(&device) != cudaSuccess ||
      cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device) != cudaSuccess)
    return 1;
  int64_t blocks = (n + blockChannels - 1) / blockChannels;
  int64_t slices = blocksOfProcessor * processors / blocks;
  return static_cast<int>(std::max<int64_t>(1, std::min<int64_t>({slices, k / 1024, 32})));
}

template <class T, int tokenTiles>
static RegrainStatus launchMatmul(void *out, const Product &p, int slices, cudaStream_t stream) {
  constexpr int ways = 2;
  dim3 grid((p.n + blockChannels - 1) / blockChannels, slices);
  matmul<T, tokenTiles, ways><<<grid, 128 * ways, 0, stream>>>(static_cast<T *>(out), p);
  return launched("regrainMatmulFp8");
}

template <class T>
static RegrainStatus launchMatmul(void *out, const Product &p, int slices, cudaStream_t stream) {
  if (p.m <= 8)
    return launchMatmul<T, 1>(out, p, slices, stream);
  if (p.m <= 16)
    return launchMatmul<T, 2>(out, p, slices, stream);
  return launchMatmul<T, 4>(out, p, slices, stream);
}

static bool areSizes(int64_t m, int64_t n, int64_t k) {
  return m >= 0 && m <= mostTokens && n >= 0 && n <= INT32_MAX / 64 && k >= 0 &&
         k <= INT32_MAX / 64 && k % 16 == 0;
}

static size_t counterBytes(int64_t n) {
  size_t blocks = static_cast<size_t>((n + blockChannels - 1) / blockChannels);
  return (blocks * sizeof(unsigned) + 15) / 16 * 16;
}

} // namespace regrain::kernels

using namespace regrain::kernels;

extern "C" size_t regrainMatmulFp8Workspace(int64_t m, int64_t n, int64_t k) {
  if (!areSizes(m, n, k) || m == 0 || n == 0)
    return 0;
  int slices = slicesOf(n, k);
  return slices == 1 ? 0
                     : counterBytes(n) + sizeof(float) * static_cast<size_t>(slices) *
                                             static_cast<size_t>(m) * static_cast<size_t>(n);
}

extern "C" RegrainStatus regrainMatmulFp8(void *out, const void *a, const void *b,
                                          const float *scaleA, int rowsHaveScales,
                                          const float *scaleB, int channelsHaveScales, int64_t m,
                                          int64_t n, int64_t k, RegrainType type, void *workspace,
                                          size_t workspaceBytes, RegrainStream stream) {
  const char *function = "regrainMatmulFp8";
  REGRAIN_CHECK(checkType(function, type));
  if (!areSizes(m, n, k))
    return fail(REGRAIN_INVALID_VALUE,
                "%s: m = %lld, n = %lld, k = %lld: m is at most 32, and k a multiple of 16",
                function, static_cast<long long>(m), static_cast<long long>(n),
                static_cast<long long>(k));
  if (m == 0 || n == 0)
    return REGRAIN_SUCCESS;
  REGRAIN_CHECK(checkPointer(function, "out", out, 2));
  REGRAIN_CHECK(checkPointer(function, "a", a, 16));
  REGRAIN_CHECK(checkPointer(function, "b", b, 16));
  REGRAIN_CHECK(checkPointer(function, "scaleA", scaleA, sizeof(float)));
  REGRAIN_CHECK(checkPointer(function, "scaleB", scaleB, sizeof(float)));
  int slices = slicesOf(n, k);
  if (slices > 1) {
    REGRAIN_CHECK(checkPointer(function, "workspace", workspace, 16));
    if (size_t needed = regrainMatmulFp8Workspace(m, n, k); workspaceBytes < needed)
      return fail(REGRAIN_INVALID_VALUE, "%s: the workspace has %zu bytes of %zu", function,
                  workspaceBytes, needed);
  }
  // A slice is a multiple of what the warps of a block take at a time.
  constexpr int64_t unit = 512;
  int64_t slice = ((k + slices - 1) / slices + unit - 1) / unit * unit;
  if (slice > 0)
    slices = static_cast<int>(std::max<int64_t>(1, (k + slice - 1) / slice));
  auto *counters = static_cast<unsigned *>(workspace);
  auto *partial = reinterpret_cast<float *>(static_cast<char *>(workspace) + counterBytes(n));
  Product p{static_cast<const unsigned char *>(a),
            static_cast<const unsigned char *>(b),
            scaleA,
            scaleB,
            slices > 1 ? partial : nullptr,
            counters,
            static_cast<int>(m),
            static_cast<int>(n),
            static_cast<int>(k),
            static_cast<int>(slice),
            rowsHaveScales != 0,
            channelsHaveScales != 0};
  auto *queue = static_cast<cudaStream_t>(stream);
  return type == REGRAIN_FLOAT16 ? launchMatmul<__half>(out, p, slices, queue)
                                 : launchMatmul<__nv_bfloat16>(out, p, slices, queue);
}
