//===- matmul_fp8.cu - Products of fp8 matrices with few rows -*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Few rows (tokens) of a are multiplied with many rows (channels) of b, which are read once.
// matmul_direct.h, matmul_queue.h and matmul_warpgroups.h are three forms. matmul.h tells how
// blocks of the first two share the work.
// How many channels a tile has, how much is read ahead, and how many blocks there are is
// offered as variants, of which regrain tune chooses.
//
// Matrix units multiply where the architecture has them for fp8; elsewhere, a thread adds
// the products of one channel and one token at a time. On gfx90a and gfx942, the direct form
// has matrix units, for halves.
//
//===----------------------------------------------------------------------===//
#include "early_launch.h"
#include "matmul_direct.h"
#include "matmul_queue.h"
#include "matmul_warpgroups.h"
#include "status.h"
#if __has_include(<regrain/variants.h>)
#include "matmul_variants.h"
#endif

#include <algorithm>
#include <atomic>

namespace regrain::kernels {

static int processors() {
  int device = 0, count = 0;
  if (cudaGetDevice(&device) != cudaSuccess ||
      cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, device) != cudaSuccess)
    return 1;
  return std::max(1, count);
}

static std::atomic<RegrainMatmulForm> chosenForm = REGRAIN_MATMUL_WARPGROUPS;

/// Returns the launch of a kernel by warpgroups with so many columns of tiles.
template <class Shape>
static cudaLaunchConfig_t ringLaunch(int columns, cudaLaunchAttribute *attributes,
                                     cudaStream_t stream) {
  attributes[0].id = cudaLaunchAttributeClusterDimension;
  attributes[0].val.clusterDim.x = Shape::splits;
  attributes[0].val.clusterDim.y = attributes[0].val.clusterDim.z = 1;
  cudaLaunchConfig_t launch{};
  launch.gridDim = dim3(static_cast<unsigned>(columns * Shape::splits));
  launch.blockDim = dim3(Shape::threads);
  launch.dynamicSmemBytes = Shape::bytes;
  launch.stream = stream;
  launch.attrs = attributes;
  launch.numAttrs = Shape::splits > 1 ? 1 : 0;
  return launch;
}

/// Returns how many columns of tiles the device has at a time: clusters that reside on it, or its
/// multiprocessors. It is 0 if the device has no code with instructions of warpgroups, or less
/// shared memory.
template <class Shape> static int columnsOfDevice(const void *kernel) {
  cudaFuncAttributes attributes;
  cudaLaunchAttribute cluster{};
  int columns = processors();
  cudaLaunchConfig_t launch = ringLaunch<Shape>(columns, &cluster, nullptr);
  if (cudaFuncGetAttributes(&attributes, kernel) == cudaSuccess &&
      attributes.sharedSizeBytes == 0 &&
      cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, Shape::bytes) ==
          cudaSuccess &&
      (Shape::splits == 1 ||
       cudaOccupancyMaxActiveClusters(&columns, kernel, &launch) == cudaSuccess))
    return columns;
  (void)cudaGetLastError();
  return 0;
}

/// Returns the same for the current device, and asks only once for each.
template <auto *kernel, class Shape> static int columnsOfDevice() {
  constexpr int devices = 64, unknown = 0;
  static std::atomic<int> known[devices]; // one more than the number of columns
  int device = devices;
  if (cudaGetDevice(&device) != cudaSuccess || device >= devices)
    return columnsOfDevice<Shape>(reinterpret_cast<const void *>(kernel));
  if (known[device] == unknown)
    known[device] = columnsOfDevice<Shape>(reinterpret_cast<const void *>(kernel)) + 1;
  return known[device] - 1;
}

/// Returns false if the device cannot, or if the tiles of clusters do not cover the channels.
template <class T, class Shape>
static bool multiplyByWarpgroups(T *out, const Product &p, cudaStream_t stream) {
  constexpr auto *kernel =
      matmulByWarpgroups<T, Shape::tokenTiles, Shape::rows, Shape::groups, Shape::stages,
                         Shape::atoms, Shape::splits, Shape::kept>;
  int columns = columnsOfDevice<kernel, Shape>();
  if (columns == 0 || (Shape::splits > 1 && p.n > columns * Shape::rows))
    return false;
  if constexpr (Shape::splits == 1) {
    REGRAIN_LAUNCH_EARLY(kernel, static_cast<unsigned>(columns), Shape::threads, Shape::bytes,
                         stream, out, p.a, p.b, p.scaleA, p.scaleB, p.m, p.n, p.k, p.rowsHaveScales,
                         p.channelsHaveScales);
    return true;
  }
  cudaLaunchAttribute attributes[2] = {};
  cudaLaunchConfig_t launch = ringLaunch<Shape>(columns, attributes, stream);
  if (waits(kernel))
    addEarly(launch);
  (void)cudaLaunchKernelEx(&launch, kernel, out, p.a, p.b, p.scaleA, p.scaleB, p.m, p.n, p.k,
                           p.rowsHaveScales, p.channelsHaveScales);
  return true;
}

/// Few channels have clusters, of as many blocks as can be if their tiles have so many channels.
template <class T, int tokenTiles>
static bool multiplyByWarpgroups(T *out, const Product &p, cudaStream_t stream) {
  if (multiplyByWarpgroups<T, ClusterShape<tokenTiles, 160, 8>>(out, p, stream) ||
      multiplyByWarpgroups<T, ClusterShape<tokenTiles, 128, 4>>(out, p, stream) ||
      multiplyByWarpgroups<T, ClusterShape<tokenTiles, 128, 2>>(out, p, stream))
    return true;
  if (keptOf(static_cast<size_t>(p.n) * p.k) == 8)
    return multiplyByWarpgroups<T, WideShape<tokenTiles, 8>>(out, p, stream);
  if (areLong(p.n, p.k, processors()))
    return multiplyByWarpgroups<T, LongShape<tokenTiles, 16>>(out, p, stream);
  return multiplyByWarpgroups<T, WideShape<tokenTiles, 16>>(out, p, stream);
}

template <class T, int tokenTiles>
static RegrainStatus launchMatmul(void *to, const Product &p, cudaStream_t stream) {
  constexpr int length = 8, producers = 2, bytes = length * bytesOfUnit(tokenTiles);
  auto *out = static_cast<T *>(to);
  auto blocks = static_cast<unsigned>(blocksOfProcessor * processors());
  if (chosenForm == REGRAIN_MATMUL_WARPGROUPS &&
      multiplyByWarpgroups<T, tokenTiles>(out, p, stream))
    return launched("regrainMatmulFp8");
  auto *queue = matmulQueue<T, tokenTiles, length, producers, blocksOfProcessor>;
  // A device without so much shared memory takes the other form.
  if (chosenForm == REGRAIN_MATMUL_QUEUE) {
    if (cudaFuncSetAttribute(queue, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes) ==
        cudaSuccess) {
      REGRAIN_LAUNCH_EARLY(queue, blocks, queueThreads(producers), bytes, stream, out, p.a, p.b,
                           p.scaleA, p.scaleB, p.partial, p.arrived, p.m, p.n, p.k,
                           p.rowsHaveScales, p.channelsHaveScales);
      return launched("regrainMatmulFp8");
    }
    (void)cudaGetLastError();
  }
  REGRAIN_LAUNCH_EARLY((matmul<T, tokenTiles, 128, 2, blocksOfProcessor>), blocks, matmulThreads, 0,
                       stream, out, p.a, p.b, p.scaleA, p.scaleB, p.partial, p.arrived, p.m, p.n,
                       p.k, p.rowsHaveScales, p.channelsHaveScales);
  return launched("regrainMatmulFp8");
}

static int tokenTilesOf(int64_t m) { return m <= 8 ? 1 : m <= 16 ? 2 : 4; }

template <class T>
static RegrainStatus launchMatmul(void *out, const Product &p, cudaStream_t stream) {
  switch (tokenTilesOf(p.m)) {
  case 1:
    return launchMatmul<T, 1>(out, p, stream);
  case 2:
    return launchMatmul<T, 2>(out, p, stream);
  default:
    return launchMatmul<T, 4>(out, p, stream);
  }
}

/// Units are counted by int in every variant.
static bool areSizes(int64_t m, int64_t n, int64_t k) {
  return m >= 0 && m <= mostTokens && n >= 0 && n <= INT32_MAX / 64 && k >= 0 &&
         k <= INT32_MAX / 64 && k % 16 == 0 &&
         (n / leastChannels + 1) * (k / leastUnit + 1) <= INT32_MAX;
}

/// One for each tile; parts of sums behind them are aligned.
static size_t counterBytes(int64_t n) {
  auto tiles = static_cast<size_t>((n + leastChannels - 1) / leastChannels);
  return (tiles * sizeof(unsigned) + 15) / 16 * 16;
}

} // namespace regrain::kernels

using namespace regrain::kernels;

extern "C" RegrainStatus regrainChooseMatmulForm(RegrainMatmulForm form) {
  if (form != REGRAIN_MATMUL_DIRECT && form != REGRAIN_MATMUL_QUEUE &&
      form != REGRAIN_MATMUL_WARPGROUPS)
    return fail(REGRAIN_INVALID_VALUE, "regrainChooseMatmulForm: form is %d", form);
  chosenForm = form;
  return REGRAIN_SUCCESS;
}

extern "C" size_t regrainMatmulFp8Workspace(int64_t m, int64_t n, int64_t k) {
  if (!areSizes(m, n, k) || m == 0 || n == 0)
    return 0;
  int tokenTiles = tokenTilesOf(m);
  auto blocks = static_cast<size_t>(mostBlocksOfProcessor(tokenTiles) * processors());
  return counterBytes(n) + 2 * sizeof(float) * blocks * 8 * tokenTiles * mostChannels;
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
  REGRAIN_CHECK(checkPointer(function, "workspace", workspace, 16));
  if (size_t needed = regrainMatmulFp8Workspace(m, n, k); workspaceBytes < needed)
    return fail(REGRAIN_INVALID_VALUE, "%s: the workspace has %zu bytes of %zu", function,
                workspaceBytes, needed);
  auto *partial = reinterpret_cast<float *>(static_cast<char *>(workspace) + counterBytes(n));
  Product p{static_cast<const unsigned char *>(a),
            static_cast<const unsigned char *>(b),
            scaleA,
            scaleB,
            partial,
            static_cast<unsigned *>(workspace),
            static_cast<int>(m),
            static_cast<int>(n),
            static_cast<int>(k),
            rowsHaveScales != 0,
            channelsHaveScales != 0};
  auto *queue = static_cast<cudaStream_t>(stream);
  return type == REGRAIN_FLOAT16 ? launchMatmul<__half>(out, p, queue)
                                 : launchMatmul<__nv_bfloat16>(out, p, queue);
}
