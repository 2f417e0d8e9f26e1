//===- cuda_runtime_api.h - The CUDA runtime API ----------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This is the C interface; C and C++ can use it without CUDA compilation. The
// entries themselves are listed in regrain_api.def.
//
//===----------------------------------------------------------------------===//
#ifndef __CUDA_RUNTIME_API_H__
#define __CUDA_RUNTIME_API_H__
#pragma GCC system_header

#include "crt/host_config.h"

#define CUDART_VERSION REGRAIN_CUDA_VERSION

#include "builtin_types.h"
#include "cuda_device_runtime_api.h"
#include "regrain_symbol.h"

#if !defined(REGRAIN_DRIVER_TYPES)
#error "a toolkit's driver_types.h, whose structures may differ from Regrain's, came first: include cuda_runtime.h before the headers of libraries"
#endif

/* CUDA 12 extended the properties and renamed the symbol. */
#define cudaGetDeviceProperties cudaGetDeviceProperties_v2
/* CUDA 12 renamed this symbol, too. */
#define cudaStreamGetCaptureInfo cudaStreamGetCaptureInfo_v2

typedef void(CUDART_CB *cudaStreamCallback_t)(cudaStream_t stream, cudaError_t status,
                                              void *userData);

#if defined(__cplusplus)
extern "C" {
#endif

#define REGRAIN_CUDA_API(RESULT, NAME, PARAMETERS, GROUP)                      \
  __host__ RESULT NAME PARAMETERS REGRAIN_SYMBOL(#NAME);
#if defined(CUDA_API_PER_THREAD_DEFAULT_STREAM)
/* The plain name denotes the entry that uses the thread's own stream. */
#define REGRAIN_CUDA_STREAM_API(RESULT, NAME, PARAMETERS, ARGUMENTS, GROUP)    \
  __host__ RESULT NAME PARAMETERS REGRAIN_SYMBOL(#NAME "_ptsz");               \
  __host__ RESULT NAME##_ptsz PARAMETERS REGRAIN_SYMBOL(#NAME "_ptsz");
#define REGRAIN_CUDA_DEFAULT_STREAM_API(RESULT, NAME, PARAMETERS, GROUP)       \
  __host__ RESULT NAME PARAMETERS REGRAIN_SYMBOL(#NAME "_ptds");               \
  __host__ RESULT NAME##_ptds PARAMETERS REGRAIN_SYMBOL(#NAME "_ptds");
#endif
#include "regrain_api.def"
#if defined(CUDA_API_PER_THREAD_DEFAULT_STREAM)
#define cudaLaunchKernelExC cudaLaunchKernelExC_ptsz
#define cudaGetDriverEntryPoint cudaGetDriverEntryPoint_ptsz
#define cudaGetDriverEntryPointByVersion cudaGetDriverEntryPointByVersion_ptsz
#endif
/* CUDA 13 gave these other parameters. In C++ both forms are there. */
#if !defined(__cplusplus) && CUDART_VERSION >= 13000
#undef cudaStreamGetCaptureInfo
#define cudaStreamGetCaptureInfo cudaStreamGetCaptureInfo_v3
#define cudaStreamUpdateCaptureDependencies cudaStreamUpdateCaptureDependencies_v2
#define cudaMemPrefetchAsync cudaMemPrefetchAsync_v2
#define cudaMemAdvise cudaMemAdvise_v2
#define cudaGraphAddDependencies cudaGraphAddDependencies_v2
#define cudaGraphGetEdges cudaGraphGetEdges_v2
#define cudaGraphNodeGetDependencies cudaGraphNodeGetDependencies_v2
#define cudaGraphNodeGetDependentNodes cudaGraphNodeGetDependentNodes_v2
#define cudaGraphRemoveDependencies cudaGraphRemoveDependencies_v2
#define cudaGraphAddNode cudaGraphAddNode_v2
#endif

#if defined(__cplusplus)
}
#endif

#endif
