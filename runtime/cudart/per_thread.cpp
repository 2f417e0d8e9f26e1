//===- per_thread.cpp - Entries for per-thread default streams ------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Programs that are compiled with --default-stream per-thread call these. A null stream
// means cudaStreamPerThread there, and calls without a stream work in that one.
//
//===----------------------------------------------------------------------===//
#include "runtime/cudart/entry.h"

#define REGRAIN_CUDA_API_WITHOUT_DEFAULTS
#define REGRAIN_CUDA_API(RESULT, NAME, PARAMETERS, GROUP)
#define REGRAIN_CUDA_DEFAULT_STREAM_API(RESULT, NAME, PARAMETERS, GROUP)
#define REGRAIN_CUDA_STREAM_API(RESULT, NAME, PARAMETERS, ARGUMENTS, GROUP)                        \
  RESULT NAME##_ptsz PARAMETERS {                                                                  \
    if (!stream)                                                                                   \
      stream = cudaStreamPerThread;                                                                \
    return NAME ARGUMENTS;                                                                         \
  }
#include "include/cuda/regrain_api.def"

namespace {

/// Completes a copy that waits, given the result of queueing it in a stream.
cudaError_t waitAfter(cudaError_t queued) {
  return queued == cudaSuccess ? cudaStreamSynchronize(cudaStreamPerThread) : queued;
}

} // namespace

cudaError_t cudaMemcpy_ptds(void *to, const void *from, size_t bytes, cudaMemcpyKind kind) {
  return waitAfter(cudaMemcpyAsync(to, from, bytes, kind, cudaStreamPerThread));
}

cudaError_t cudaMemcpy2D_ptds(void *to, size_t toPitch, const void *from, size_t fromPitch,
                              size_t width, size_t height, cudaMemcpyKind kind) {
  return waitAfter(
      cudaMemcpy2DAsync(to, toPitch, from, fromPitch, width, height, kind, cudaStreamPerThread));
}

cudaError_t cudaMemcpy3D_ptds(const cudaMemcpy3DParms *parameters) {
  return waitAfter(cudaMemcpy3DAsync(parameters, cudaStreamPerThread));
}

cudaError_t cudaMemcpy3DPeer_ptds(const cudaMemcpy3DPeerParms *parameters) {
  return waitAfter(cudaMemcpy3DPeerAsync(parameters, cudaStreamPerThread));
}

cudaError_t cudaMemcpyToArray_ptds(cudaArray_t to, size_t column, size_t row, const void *from,
                                   size_t count, cudaMemcpyKind kind) {
  return waitAfter(cudaMemcpyToArrayAsync(to, column, row, from, count, kind, cudaStreamPerThread));
}

cudaError_t cudaMemcpyFromArray_ptds(void *to, cudaArray_const_t from, size_t column, size_t row,
                                     size_t count, cudaMemcpyKind kind) {
  return waitAfter(
      cudaMemcpyFromArrayAsync(to, from, column, row, count, kind, cudaStreamPerThread));
}

cudaError_t cudaMemcpy2DToArray_ptds(cudaArray_t to, size_t column, size_t row, const void *from,
                                     size_t fromPitch, size_t width, size_t height,
                                     cudaMemcpyKind kind) {
  return waitAfter(cudaMemcpy2DToArrayAsync(to, column, row, from, fromPitch, width, height, kind,
                                            cudaStreamPerThread));
}

cudaError_t cudaMemcpy2DFromArray_ptds(void *to, size_t toPitch, cudaArray_const_t from,
                                       size_t column, size_t row, size_t width, size_t height,
                                       cudaMemcpyKind kind) {
  return waitAfter(cudaMemcpy2DFromArrayAsync(to, toPitch, from, column, row, width, height, kind,
                                              cudaStreamPerThread));
}

// These have no forms that take a stream: they run between the thread's earlier and later work.
cudaError_t cudaMemcpy2DArrayToArray_ptds(cudaArray_t to, size_t toColumn, size_t toRow,
                                          cudaArray_const_t from, size_t fromColumn, size_t fromRow,
                                          size_t width, size_t height, cudaMemcpyKind kind) {
  cudaError_t status = waitAfter(cudaSuccess);
  return status == cudaSuccess ? cudaMemcpy2DArrayToArray(to, toColumn, toRow, from, fromColumn,
                                                          fromRow, width, height, kind)
                               : status;
}

cudaError_t cudaMemcpyArrayToArray_ptds(cudaArray_t to, size_t toColumn, size_t toRow,
                                        cudaArray_const_t from, size_t fromColumn, size_t fromRow,
                                        size_t count, cudaMemcpyKind kind) {
  cudaError_t status = waitAfter(cudaSuccess);
  return status == cudaSuccess
             ? cudaMemcpyArrayToArray(to, toColumn, toRow, from, fromColumn, fromRow, count, kind)
             : status;
}

cudaError_t cudaMemcpyToSymbol_ptds(const void *symbol, const void *from, size_t bytes,
                                    size_t offset, cudaMemcpyKind kind) {
  return waitAfter(cudaMemcpyToSymbolAsync(symbol, from, bytes, offset, kind, cudaStreamPerThread));
}

cudaError_t cudaMemcpyFromSymbol_ptds(void *to, const void *symbol, size_t bytes, size_t offset,
                                      cudaMemcpyKind kind) {
  return waitAfter(cudaMemcpyFromSymbolAsync(to, symbol, bytes, offset, kind, cudaStreamPerThread));
}

// On a GPU, fills do not wait.
cudaError_t cudaMemset_ptds(void *pointer, int value, size_t bytes) {
  return cudaMemsetAsync(pointer, value, bytes, cudaStreamPerThread);
}

cudaError_t cudaMemset2D_ptds(void *pointer, size_t pitch, int value, size_t width, size_t height) {
  return cudaMemset2DAsync(pointer, pitch, value, width, height, cudaStreamPerThread);
}

cudaError_t cudaMemset3D_ptds(cudaPitchedPtr pointer, int value, cudaExtent extent) {
  return cudaMemset3DAsync(pointer, value, extent, cudaStreamPerThread);
}
