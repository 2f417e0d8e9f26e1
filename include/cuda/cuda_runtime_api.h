//===- cuda_runtime_api.h - The CUDA runtime API ----------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The C interface; usable from C and C++ without CUDA compilation. The entries
// themselves stand in regrain_api.def.
//
//===----------------------------------------------------------------------===//
#ifndef __CUDA_RUNTIME_API_H__
#define __CUDA_RUNTIME_API_H__
#pragma GCC system_header

#define CUDART_VERSION 12050

#include "builtin_types.h"
#include "cuda_device_runtime_api.h"

/* The properties grew in CUDA 12, and the symbol with them. */
#define cudaGetDeviceProperties cudaGetDeviceProperties_v2
/* So did the answer about a capture. */
#define cudaStreamGetCaptureInfo cudaStreamGetCaptureInfo_v2

#if defined(__cplusplus)
extern "C" {
#endif

#define REGRAIN_CUDA_API(RESULT, NAME, PARAMETERS, GROUP)                      \
  __host__ RESULT NAME PARAMETERS;
#if defined(CUDA_API_PER_THREAD_DEFAULT_STREAM)
/* The plain name stands for the entry with the thread's own stream. */
#define REGRAIN_CUDA_STREAM_API(RESULT, NAME, PARAMETERS, ARGUMENTS, GROUP)    \
  __host__ RESULT NAME PARAMETERS __asm__(#NAME "_ptsz");                      \
  __host__ RESULT NAME##_ptsz PARAMETERS;
#define REGRAIN_CUDA_DEFAULT_STREAM_API(RESULT, NAME, PARAMETERS, GROUP)       \
  __host__ RESULT NAME PARAMETERS __asm__(#NAME "_ptds");                      \
  __host__ RESULT NAME##_ptds PARAMETERS;
#define cudaLaunchKernelExC cudaLaunchKernelExC_ptsz
#endif
#include "regrain_api.def"

#if defined(__cplusplus)
}
#endif

#endif
