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

#define REGRAIN_OF_RELEASE(NAME, RELEASE) typedef PFN_##NAME PFN_##NAME##_v##RELEASE;
REGRAIN_OF_RELEASE(cuInit, 2000)
REGRAIN_OF_RELEASE(cuDriverGetVersion, 2020)
REGRAIN_OF_RELEASE(cuDeviceGet, 2000)
REGRAIN_OF_RELEASE(cuDeviceGetCount, 2000)
REGRAIN_OF_RELEASE(cuDeviceGetName, 2000)
REGRAIN_OF_RELEASE(cuDeviceGetAttribute, 2000)
REGRAIN_OF_RELEASE(cuDeviceGetUuid, 11040)
REGRAIN_OF_RELEASE(cuDeviceGetUuid, 9020)
REGRAIN_OF_RELEASE(cuDeviceTotalMem, 3020)
REGRAIN_OF_RELEASE(cuDeviceCanAccessPeer, 4000)
REGRAIN_OF_RELEASE(cuDevicePrimaryCtxRetain, 7000)
REGRAIN_OF_RELEASE(cuDevicePrimaryCtxRelease, 11000)
REGRAIN_OF_RELEASE(cuGetErrorString, 6000)
REGRAIN_OF_RELEASE(cuGetErrorName, 6000)
REGRAIN_OF_RELEASE(cuGetProcAddress, 11030)
REGRAIN_OF_RELEASE(cuGetProcAddress, 12000)
REGRAIN_OF_RELEASE(cuCtxCreate, 11040)
REGRAIN_OF_RELEASE(cuCtxDestroy, 4000)
REGRAIN_OF_RELEASE(cuCtxGetCurrent, 4000)
REGRAIN_OF_RELEASE(cuCtxSetCurrent, 4000)
REGRAIN_OF_RELEASE(cuCtxPushCurrent, 4000)
REGRAIN_OF_RELEASE(cuCtxPopCurrent, 4000)
REGRAIN_OF_RELEASE(cuCtxGetDevice, 2000)
REGRAIN_OF_RELEASE(cuCtxSynchronize, 2000)
REGRAIN_OF_RELEASE(cuCtxEnablePeerAccess, 4000)
REGRAIN_OF_RELEASE(cuModuleLoadData, 2000)
REGRAIN_OF_RELEASE(cuModuleLoadDataEx, 2010)
REGRAIN_OF_RELEASE(cuModuleUnload, 2000)
REGRAIN_OF_RELEASE(cuModuleGetFunction, 2000)
REGRAIN_OF_RELEASE(cuModuleGetGlobal, 3020)
REGRAIN_OF_RELEASE(cuLibraryLoadData, 12000)
REGRAIN_OF_RELEASE(cuLibraryGetKernel, 12000)
REGRAIN_OF_RELEASE(cuLibraryUnload, 12000)
REGRAIN_OF_RELEASE(cuKernelGetFunction, 12000)
REGRAIN_OF_RELEASE(cuFuncGetAttribute, 2020)
REGRAIN_OF_RELEASE(cuFuncSetAttribute, 9000)
REGRAIN_OF_RELEASE(cuOccupancyMaxActiveBlocksPerMultiprocessor, 6050)
REGRAIN_OF_RELEASE(cuLaunchKernel, 4000)
REGRAIN_OF_RELEASE(cuLaunchKernelEx, 11060)
REGRAIN_OF_RELEASE(cuLaunchCooperativeKernel, 9000)
REGRAIN_OF_RELEASE(cuMemAlloc, 3020)
REGRAIN_OF_RELEASE(cuMemAllocAsync, 11020)
REGRAIN_OF_RELEASE(cuMemFree, 3020)
REGRAIN_OF_RELEASE(cuMemFreeAsync, 11020)
REGRAIN_OF_RELEASE(cuMemGetInfo, 3020)
REGRAIN_OF_RELEASE(cuMemGetAddressRange, 3020)
REGRAIN_OF_RELEASE(cuMemcpyHtoD, 3020)
REGRAIN_OF_RELEASE(cuMemcpyDtoH, 3020)
REGRAIN_OF_RELEASE(cuMemcpyDtoD, 3020)
REGRAIN_OF_RELEASE(cuMemcpyHtoDAsync, 3020)
REGRAIN_OF_RELEASE(cuMemcpyDtoHAsync, 3020)
REGRAIN_OF_RELEASE(cuMemcpyAsync, 4000)
REGRAIN_OF_RELEASE(cuMemsetD8, 3020)
REGRAIN_OF_RELEASE(cuMemsetD32, 3020)
REGRAIN_OF_RELEASE(cuMemAddressReserve, 10020)
REGRAIN_OF_RELEASE(cuMemAddressFree, 10020)
REGRAIN_OF_RELEASE(cuMemCreate, 10020)
REGRAIN_OF_RELEASE(cuMemRelease, 10020)
REGRAIN_OF_RELEASE(cuMemMap, 10020)
REGRAIN_OF_RELEASE(cuMemUnmap, 10020)
REGRAIN_OF_RELEASE(cuMemSetAccess, 10020)
REGRAIN_OF_RELEASE(cuMemGetAllocationGranularity, 10020)
REGRAIN_OF_RELEASE(cuMemGetAllocationPropertiesFromHandle, 10020)
REGRAIN_OF_RELEASE(cuMemExportToShareableHandle, 10020)
REGRAIN_OF_RELEASE(cuMemImportFromShareableHandle, 10020)
REGRAIN_OF_RELEASE(cuMemRetainAllocationHandle, 11000)
REGRAIN_OF_RELEASE(cuPointerGetAttribute, 4000)
REGRAIN_OF_RELEASE(cuStreamCreate, 2000)
REGRAIN_OF_RELEASE(cuStreamCreateWithPriority, 5050)
REGRAIN_OF_RELEASE(cuStreamDestroy, 4000)
REGRAIN_OF_RELEASE(cuStreamSynchronize, 2000)
REGRAIN_OF_RELEASE(cuStreamWaitEvent, 3020)
REGRAIN_OF_RELEASE(cuMemGetHandleForAddressRange, 11070)
REGRAIN_OF_RELEASE(cuMulticastCreate, 12010)
REGRAIN_OF_RELEASE(cuMulticastAddDevice, 12010)
REGRAIN_OF_RELEASE(cuMulticastBindMem, 12010)
REGRAIN_OF_RELEASE(cuMulticastBindAddr, 12010)
REGRAIN_OF_RELEASE(cuMulticastUnbind, 12010)
REGRAIN_OF_RELEASE(cuMulticastGetGranularity, 12010)
REGRAIN_OF_RELEASE(cuStreamBatchMemOp, 11070)
REGRAIN_OF_RELEASE(cuStreamWaitValue32, 11070)
REGRAIN_OF_RELEASE(cuStreamWaitValue64, 11070)
REGRAIN_OF_RELEASE(cuStreamWriteValue32, 11070)
REGRAIN_OF_RELEASE(cuStreamWriteValue64, 11070)
REGRAIN_OF_RELEASE(cuEventCreate, 2000)
REGRAIN_OF_RELEASE(cuEventRecord, 2000)
REGRAIN_OF_RELEASE(cuEventSynchronize, 2000)
REGRAIN_OF_RELEASE(cuEventElapsedTime, 2000)
REGRAIN_OF_RELEASE(cuEventDestroy, 4000)
REGRAIN_OF_RELEASE(cuTensorMapEncodeTiled, 12000)
REGRAIN_OF_RELEASE(cuTensorMapEncodeIm2col, 12000)
REGRAIN_OF_RELEASE(cuTensorMapReplaceAddress, 12000)
#undef REGRAIN_OF_RELEASE
#endif

#endif
