//===- launches.cpp - Launches and occupancy of the driver API ------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/core/launch.h"
#include "runtime/driver/on_runtime.h"

#include <algorithm>
#include <vector>

namespace regrain::driver {
namespace {

/// Fills in the addresses of the arguments that `extra` has in one buffer.
CUresult unpack(CUfunction function, void **extra, std::vector<void *> &values) {
  char *buffer = nullptr;
  for (; *extra != CU_LAUNCH_PARAM_END; extra += 2)
    if (*extra == CU_LAUNCH_PARAM_BUFFER_POINTER)
      buffer = static_cast<char *>(extra[1]);
  LaunchPlan *plan = nullptr;
  if (cudaError_t status = findPlan(function, plan); status != cudaSuccess)
    return toDriver(status);
  for (const ParameterLayout &parameter : plan->parameterLayout())
    values.push_back(buffer + parameter.offset);
  return buffer || values.empty() ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

/// Replaces `arguments` by those that are in `extra`, if there is any; `unpacked` keeps them.
CUresult takeExtra(CUfunction function, void **&arguments, void **extra,
                   std::vector<void *> &unpacked) {
  if (!extra)
    return CUDA_SUCCESS;
  if (arguments)
    return CUDA_ERROR_INVALID_VALUE;
  CUresult result = unpack(function, extra, unpacked);
  arguments = unpacked.data();
  return result;
}

/// Calls the body with the runtime's form of a configuration. Attributes have the same layout.
template <typename Body> CUresult withConfiguration(const CUlaunchConfig *config, Body body) {
  static_assert(sizeof(CUlaunchAttribute) == sizeof(cudaLaunchAttribute));
  if (!config)
    return CUDA_ERROR_INVALID_VALUE;
  cudaLaunchConfig_t known = {};
  known.gridDim = dim3(config->gridDimX, config->gridDimY, config->gridDimZ);
  known.blockDim = dim3(config->blockDimX, config->blockDimY, config->blockDimZ);
  known.dynamicSmemBytes = config->sharedMemBytes;
  known.stream = config->hStream;
  known.attrs = reinterpret_cast<cudaLaunchAttribute *>(config->attrs);
  known.numAttrs = config->numAttrs;
  return toDriver(body(known));
}

} // namespace

CUresult cuLaunchKernel(CUfunction function, unsigned int gridX, unsigned int gridY,
                        unsigned int gridZ, unsigned int blockX, unsigned int blockY,
                        unsigned int blockZ, unsigned int sharedBytes, CUstream stream,
                        void **arguments, void **extra) {
  std::vector<void *> unpacked;
  if (CUresult result = takeExtra(function, arguments, extra, unpacked); result != CUDA_SUCCESS)
    return result;
  return toDriver(cudaLaunchKernel(function, dim3(gridX, gridY, gridZ),
                                   dim3(blockX, blockY, blockZ), arguments, sharedBytes, stream));
}

CUresult cuLaunchCooperativeKernel(CUfunction function, unsigned int gridX, unsigned int gridY,
                                   unsigned int gridZ, unsigned int blockX, unsigned int blockY,
                                   unsigned int blockZ, unsigned int sharedBytes, CUstream stream,
                                   void **arguments) {
  return toDriver(cudaLaunchCooperativeKernel(function, dim3(gridX, gridY, gridZ),
                                              dim3(blockX, blockY, blockZ), arguments, sharedBytes,
                                              stream));
}

CUresult cuLaunchKernelEx(const CUlaunchConfig *config, CUfunction function, void **arguments,
                          void **extra) {
  std::vector<void *> unpacked;
  if (CUresult result = takeExtra(function, arguments, extra, unpacked); result != CUDA_SUCCESS)
    return result;
  return withConfiguration(config, [&](const cudaLaunchConfig_t &known) {
    return cudaLaunchKernelExC(&known, function, arguments);
  });
}

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, CUfunction function,
                                                     int blockSize, size_t sharedBytes) {
  return toDriver(
      cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, function, blockSize, sharedBytes));
}

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, CUfunction function,
                                                              int blockSize, size_t sharedBytes,
                                                              unsigned int flags) {
  return toDriver(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
      blocks, function, blockSize, sharedBytes, flags));
}

CUresult cuOccupancyMaxPotentialBlockSize(int *gridSize, int *blockSize, CUfunction function,
                                          CUoccupancyB2DSize sharedBytesOf, size_t sharedBytes,
                                          int limit) {
  int device = 0, multiprocessors = 0, mostThreads = 0;
  if (!gridSize || !blockSize)
    return CUDA_ERROR_INVALID_VALUE;
  cudaFuncAttributes attributes = {};
  cudaError_t status = cudaGetDevice(&device);
  if (status == cudaSuccess)
    status = cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device);
  if (status == cudaSuccess)
    status = cudaFuncGetAttributes(&attributes, function);
  int largest = attributes.maxThreadsPerBlock;
  if (limit > 0)
    largest = std::min(largest, limit);
  constexpr int warp = 32;
  for (int size = largest; status == cudaSuccess && size > 0;
       size = size % warp ? size / warp * warp : size - warp) {
    int blocks = 0;
    status = cudaOccupancyMaxActiveBlocksPerMultiprocessor(
        &blocks, function, size, sharedBytesOf ? sharedBytesOf(size) : sharedBytes);
    if (status == cudaSuccess && blocks * size > mostThreads) {
      mostThreads = blocks * size;
      *blockSize = size;
      *gridSize = blocks * multiprocessors;
    }
  }
  return toDriver(status);
}

// The flag concerns the global caching of compute capability 5.2.
CUresult cuOccupancyMaxPotentialBlockSizeWithFlags(int *gridSize, int *blockSize,
                                                   CUfunction function,
                                                   CUoccupancyB2DSize sharedBytesOf,
                                                   size_t sharedBytes, int limit,
                                                   unsigned int flags) {
  if (flags & ~unsigned(CU_OCCUPANCY_DISABLE_CACHING_OVERRIDE))
    return CUDA_ERROR_INVALID_VALUE;
  return driver::cuOccupancyMaxPotentialBlockSize(gridSize, blockSize, function, sharedBytesOf,
                                                  sharedBytes, limit);
}

CUresult cuOccupancyMaxActiveClusters(int *clusters, CUfunction function,
                                      const CUlaunchConfig *config) {
  return withConfiguration(config, [&](const cudaLaunchConfig_t &known) {
    return cudaOccupancyMaxActiveClusters(clusters, function, &known);
  });
}

CUresult cuOccupancyMaxPotentialClusterSize(int *clusterSize, CUfunction function,
                                            const CUlaunchConfig *config) {
  return withConfiguration(config, [&](const cudaLaunchConfig_t &known) {
    return cudaOccupancyMaxPotentialClusterSize(clusterSize, function, &known);
  });
}

} // namespace regrain::driver
