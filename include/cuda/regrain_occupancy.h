//===- regrain_occupancy.h - The best block size ----------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cudaOccupancyMaxPotentialBlockSize tries every multiple of the warp size up to
// the limit of the kernel and the caller, and takes the one with the most threads
// on a multiprocessor, the larger block on a tie.
//
//===----------------------------------------------------------------------===//
#ifndef REGRAIN_OCCUPANCY_H
#define REGRAIN_OCCUPANCY_H
#pragma GCC system_header

#include "cuda_runtime_api.h"

template <class SharedBytes, class T>
static __inline__ __host__ cudaError_t
cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(
    int *minGridSize, int *blockSize, T kernel, SharedBytes sharedBytesOfBlockSize,
    int blockSizeLimit = 0, unsigned int flags = 0) {
  if (!minGridSize || !blockSize || !kernel)
    return cudaErrorInvalidValue;
  int device = 0, multiprocessors = 0, warp = 0, threadsPerMultiprocessor = 0;
  struct cudaFuncAttributes attributes;
  cudaError_t error = ::cudaGetDevice(&device);
  if (error == cudaSuccess)
    error = ::cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount,
                                     device);
  if (error == cudaSuccess)
    error = ::cudaDeviceGetAttribute(&warp, cudaDevAttrWarpSize, device);
  if (error == cudaSuccess)
    error = ::cudaDeviceGetAttribute(&threadsPerMultiprocessor,
                                     cudaDevAttrMaxThreadsPerMultiProcessor, device);
  if (error == cudaSuccess)
    error = ::cudaFuncGetAttributes(&attributes, (const void *)kernel);
  if (error != cudaSuccess)
    return error;

  int limit = attributes.maxThreadsPerBlock;
  if (blockSizeLimit > 0 && blockSizeLimit < limit)
    limit = blockSizeLimit;
  int bestThreads = 0, bestBlocks = 0, bestBlockSize = 0;
  for (int size = (limit + warp - 1) / warp * warp; size > 0; size -= warp) {
    int candidate = size < limit ? size : limit;
    int blocks = 0;
    error = ::cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
        &blocks, (const void *)kernel, candidate, sharedBytesOfBlockSize(candidate),
        flags);
    if (error != cudaSuccess)
      return error;
    if (blocks * candidate > bestThreads) {
      bestThreads = blocks * candidate;
      bestBlocks = blocks;
      bestBlockSize = candidate;
    }
    if (bestThreads == threadsPerMultiprocessor)
      break;
  }
  *minGridSize = bestBlocks * multiprocessors;
  *blockSize = bestBlockSize;
  return cudaSuccess;
}

template <class SharedBytes, class T>
static __inline__ __host__ cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(
    int *minGridSize, int *blockSize, T kernel, SharedBytes sharedBytesOfBlockSize,
    int blockSizeLimit = 0) {
  return cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(
      minGridSize, blockSize, kernel, sharedBytesOfBlockSize, blockSizeLimit, 0u);
}

struct regrainConstantSharedBytes {
  size_t bytes;
  __host__ size_t operator()(int) const { return bytes; }
};

template <class T>
static __inline__ __host__ cudaError_t cudaOccupancyMaxPotentialBlockSizeWithFlags(
    int *minGridSize, int *blockSize, T kernel, size_t dynamicSharedBytes = 0,
    int blockSizeLimit = 0, unsigned int flags = 0) {
  regrainConstantSharedBytes sharedBytes = {dynamicSharedBytes};
  return cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(
      minGridSize, blockSize, kernel, sharedBytes, blockSizeLimit, flags);
}

template <class T>
static __inline__ __host__ cudaError_t
cudaOccupancyMaxPotentialBlockSize(int *minGridSize, int *blockSize, T kernel,
                                   size_t dynamicSharedBytes = 0,
                                   int blockSizeLimit = 0) {
  return cudaOccupancyMaxPotentialBlockSizeWithFlags(
      minGridSize, blockSize, kernel, dynamicSharedBytes, blockSizeLimit, 0u);
}

#endif
