//===- unsupported.cpp - Entries that are declared and not provided -------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/cudart/entry.h"

using namespace regrain;

#define REGRAIN_NOT_SUPPORTED(NAME, PARAMETERS)                                                    \
  cudaError_t NAME PARAMETERS { return notSupported(#NAME); }

cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w,
                                            cudaChannelFormatKind kind) {
  return {x, y, z, w, kind};
}

REGRAIN_NOT_SUPPORTED(cudaGetChannelDesc,
                      (cudaChannelFormatDesc * description, cudaArray_const_t array))
REGRAIN_NOT_SUPPORTED(cudaMallocArray,
                      (cudaArray_t * array, const cudaChannelFormatDesc *description, size_t width,
                       size_t height, unsigned int flags))
REGRAIN_NOT_SUPPORTED(cudaMalloc3DArray,
                      (cudaArray_t * array, const cudaChannelFormatDesc *description,
                       cudaExtent extent, unsigned int flags))
REGRAIN_NOT_SUPPORTED(cudaFreeArray, (cudaArray_t array))
REGRAIN_NOT_SUPPORTED(cudaMemcpyToArray, (cudaArray_t to, size_t wOffset, size_t hOffset,
                                          const void *from, size_t bytes, cudaMemcpyKind kind))
REGRAIN_NOT_SUPPORTED(cudaMemcpyFromArray, (void *to, cudaArray_const_t from, size_t wOffset,
                                            size_t hOffset, size_t bytes, cudaMemcpyKind kind))
REGRAIN_NOT_SUPPORTED(cudaMemcpy2DToArray,
                      (cudaArray_t to, size_t wOffset, size_t hOffset, const void *from,
                       size_t fromPitch, size_t width, size_t height, cudaMemcpyKind kind))
REGRAIN_NOT_SUPPORTED(cudaMemcpy2DFromArray,
                      (void *to, size_t toPitch, cudaArray_const_t from, size_t wOffset,
                       size_t hOffset, size_t width, size_t height, cudaMemcpyKind kind))
REGRAIN_NOT_SUPPORTED(cudaCreateTextureObject,
                      (cudaTextureObject_t * texture, const cudaResourceDesc *resource,
                       const cudaTextureDesc *description, const cudaResourceViewDesc *view))
REGRAIN_NOT_SUPPORTED(cudaDestroyTextureObject, (cudaTextureObject_t texture))
REGRAIN_NOT_SUPPORTED(cudaCreateSurfaceObject,
                      (cudaSurfaceObject_t * surface, const cudaResourceDesc *resource))
REGRAIN_NOT_SUPPORTED(cudaDestroySurfaceObject, (cudaSurfaceObject_t surface))
REGRAIN_NOT_SUPPORTED(cudaLaunchCooperativeKernel,
                      (const void *function, dim3 grid, dim3 block, void **arguments,
                       size_t sharedBytes, cudaStream_t stream))
#undef REGRAIN_NOT_SUPPORTED
