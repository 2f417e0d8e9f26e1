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

// Nothing is ever captured.
cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus *status) {
  return entry([&] {
    if (!status)
      return cudaErrorInvalidValue;
    *status = cudaStreamCaptureStatusNone;
    return cudaSuccess;
  });
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
REGRAIN_NOT_SUPPORTED(cudaStreamBeginCapture, (cudaStream_t stream, cudaStreamCaptureMode mode))
REGRAIN_NOT_SUPPORTED(cudaStreamEndCapture, (cudaStream_t stream, cudaGraph_t *graph))
REGRAIN_NOT_SUPPORTED(cudaThreadExchangeStreamCaptureMode, (cudaStreamCaptureMode * mode))
REGRAIN_NOT_SUPPORTED(cudaGraphCreate, (cudaGraph_t * graph, unsigned int flags))
REGRAIN_NOT_SUPPORTED(cudaGraphDestroy, (cudaGraph_t graph))
REGRAIN_NOT_SUPPORTED(cudaGraphInstantiate,
                      (cudaGraphExec_t * executable, cudaGraph_t graph, unsigned long long flags))
REGRAIN_NOT_SUPPORTED(cudaGraphInstantiateWithFlags,
                      (cudaGraphExec_t * executable, cudaGraph_t graph, unsigned long long flags))
REGRAIN_NOT_SUPPORTED(cudaGraphUpload, (cudaGraphExec_t executable, cudaStream_t stream))
REGRAIN_NOT_SUPPORTED(cudaGraphLaunch, (cudaGraphExec_t executable, cudaStream_t stream))
REGRAIN_NOT_SUPPORTED(cudaGraphExecDestroy, (cudaGraphExec_t executable))
REGRAIN_NOT_SUPPORTED(cudaGraphExecUpdate, (cudaGraphExec_t executable, cudaGraph_t graph,
                                            cudaGraphExecUpdateResultInfo *result))
REGRAIN_NOT_SUPPORTED(cudaGraphGetNodes, (cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *count))

#undef REGRAIN_NOT_SUPPORTED
