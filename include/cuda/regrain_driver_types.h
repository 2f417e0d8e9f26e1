//===- regrain_driver_types.h - What every program has of the driver API -*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// These are the version, the handles and the results of the driver API. Every CUDA source has them;
// cuda.h declares the rest.
//
//===----------------------------------------------------------------------===//
#ifndef REGRAIN_DRIVER_HANDLES_H
#define REGRAIN_DRIVER_HANDLES_H
#pragma GCC system_header

#include <stddef.h>
#include <stdint.h>

#include "crt/host_config.h"

#ifndef CUDA_VERSION
#define CUDA_VERSION REGRAIN_CUDA_VERSION
#endif

#define CUDA_CB
#define CUDAAPI

typedef uint32_t cuuint32_t;
typedef uint64_t cuuint64_t;

typedef unsigned long long CUdeviceptr;
typedef int CUdevice;
typedef struct CUctx_st *CUcontext;
typedef struct CUmod_st *CUmodule;
typedef struct CUfunc_st *CUfunction;
typedef struct CUkern_st *CUkernel;
typedef struct CUlib_st *CUlibrary;
typedef struct CUarray_st *CUarray;
typedef struct CUmipmappedArray_st *CUmipmappedArray;
typedef unsigned long long CUtexObject;
typedef unsigned long long CUsurfObject;
typedef struct CUevent_st *CUevent;
typedef struct CUstream_st *CUstream;
typedef struct CUgraph_st *CUgraph;
typedef struct CUgraphNode_st *CUgraphNode;
typedef struct CUgraphExec_st *CUgraphExec;

/* The runtime's codes have the same values as the driver's. */
typedef enum cudaError_enum {
#define REGRAIN_DRIVER_ERROR(NAME, VALUE) NAME = VALUE,
#include "regrain_driver_errors.def"
} CUresult;

#endif
