//===- cuda_device_runtime_api.h - Runtime calls in kernels -----*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launching kernels from kernels is not supported, so nothing is declared for it here: for another
// runtime call in a kernel, clang reports an error with file and line.
//
//===----------------------------------------------------------------------===//
#ifndef __CUDA_DEVICE_RUNTIME_API_H__
#define __CUDA_DEVICE_RUNTIME_API_H__
#pragma GCC system_header

#include "driver_types.h"

#if defined(__CUDACC__) && defined(__cplusplus) && __cplusplus >= 201103L
/* A handle is the address of the value, which the kernels of its device reach. */
static __device__ __inline__ void cudaGraphSetConditional(cudaGraphConditionalHandle handle,
                                                          unsigned int value) {
  *reinterpret_cast<unsigned int *>(handle) = value;
}

/* A device gets a graph by a capture, in which a node has no handle that kernels could use. */
#define REGRAIN_DEVICE_NODE_CALL(NAME)                                                             \
  template <class... Arguments>                                                                    \
  __device__ cudaError_t NAME(Arguments...) __attribute__((unavailable(                            \
      "kernels cannot change nodes of graphs; the host can, with "                                 \
      "cudaGraphExecKernelNodeSetParams and cudaGraphNodeSetEnabled")));
REGRAIN_DEVICE_NODE_CALL(cudaGraphKernelNodeSetParam)
REGRAIN_DEVICE_NODE_CALL(cudaGraphKernelNodeSetGridDim)
REGRAIN_DEVICE_NODE_CALL(cudaGraphKernelNodeSetEnabled)
REGRAIN_DEVICE_NODE_CALL(cudaGraphKernelNodeUpdatesApply)
#undef REGRAIN_DEVICE_NODE_CALL
#endif

#endif
