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
// matmul_queue.h has the same product with a queue of tiles in shared memory.
//
// Matrix units multiply where the architecture has them for fp8; elsewhere, a thread adds
// the products of one channel and one token at a time. GPUs of AMD have the plain code:
// their instructions have no name in CUDA, and those of gfx942 have another fp8.
//
//===----------------------------------------------------------------------===//
#include "matmul_queue.h"
#include "status.h"

#include <algorithm>
#include <atomic>

namespace regrain::kernels {

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
template <int tokenTiles, int ways>
__device__ void sumOfBlock(float *sums, const Product &p, int channel, int begin, int end) {
  sumPlainly(sums, p, channel, begin, end);
}
#endif

template <class T, int tokenTiles, int ways>
__global__ void __launch_bounds__(128 * ways) matmul(T *__restrict__ out, const Product p) {
  __shared__ float sums[8 * tokenTiles * blockChannels];
  int channel = blockIdx.x * blockChannels, begin = blockIdx.y * p.slice;
  sumOfBlock<tokenTiles, ways>(sums, p, channel, begin, min(begin + p.slice, p.k));
  finishBlock(out, p, sums, channel);
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

static std::atomic<RegrainMatmulForm> chosenForm = REGRAIN_MATMUL_DIRECT;

template <class T, int tokenTiles>
static RegrainStatus launchMatmul(void *out, const Product &p, int slices, cudaStream_t stream) {
  constexpr int ways = 2, bytes = queueLength * tileBytes(tokenTiles);
  dim3 grid((p.n + blockChannels - 1) / blockChannels, slices);
  auto *queue = matmulQueue<T, tokenTiles>;
  if (chosenForm == REGRAIN_MATMUL_QUEUE) {
    // A device without so much shared memory takes the other form.
    if (cudaFuncSetAttribute(queue, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes) ==
        cudaSuccess) {
      queue<<<grid, queueThreads, bytes, stream>>>(static_cast<T *>(out), p);
      return launched("regrainMatmulFp8");
    }
    (void)cudaGetLastError();
  }
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

extern "C" RegrainStatus regrainChooseMatmulForm(RegrainMatmulForm form) {
  if (form != REGRAIN_MATMUL_DIRECT && form != REGRAIN_MATMUL_QUEUE)
    return fail(REGRAIN_INVALID_VALUE, "regrainChooseMatmulForm: form is %d", form);
  chosenForm = form;
  return REGRAIN_SUCCESS;
}

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
