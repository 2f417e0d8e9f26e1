//===- cudaTypedefs.h - Types of the driver's entries -----------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// PFN_cuMemAlloc is the type of a pointer to cuMemAlloc, as for what cudaGetDriverEntryPoint gives.
// Names with a release stand for the entries that programs look up by their release. For C++; in C
// some entries are macros (cuda.h).
//
//===----------------------------------------------------------------------===//
#ifndef CUDATYPEDEFS_H
#define CUDATYPEDEFS_H
#pragma GCC system_header

#include "cuda.h"

#if defined(__cplusplus)
#define REGRAIN_DRIVER_API_WITHOUT_DEFAULTS
#define REGRAIN_DRIVER_ENTRY(NAME, PARAMETERS) typedef CUresult(CUDAAPI *PFN_##NAME) PARAMETERS;
#include "regrain_driver_api.def"

typedef PFN_cuGetProcAddress PFN_cuGetProcAddress_v12000;
typedef PFN_cuTensorMapEncodeTiled PFN_cuTensorMapEncodeTiled_v12000;
typedef PFN_cuTensorMapEncodeIm2col PFN_cuTensorMapEncodeIm2col_v12000;
typedef PFN_cuTensorMapReplaceAddress PFN_cuTensorMapReplaceAddress_v12000;
#endif

#endif
