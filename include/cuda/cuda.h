//===- cuda.h - The CUDA driver API -----------------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// C and C++ can use it without CUDA compilation. The entries are listed in regrain_driver_api.def.
// Regrain's runtime has them: on NVIDIA GPUs they are calls of NVIDIA's driver, elsewhere of the
// runtime, whose modules are Regrain images.
//
//===----------------------------------------------------------------------===//
#ifndef __cuda_cuda_h__
#define __cuda_cuda_h__
#pragma GCC system_header

#include "driver_types.h"
#include "regrain_driver_enums.h"
#include "regrain_driver_types.h"
#include "regrain_symbol.h"

#define CU_IPC_HANDLE_SIZE 64
#define CU_STREAM_LEGACY ((CUstream)0x1)
#define CU_STREAM_PER_THREAD ((CUstream)0x2)
#define CU_DEVICE_CPU ((CUdevice)-1)
#define CU_DEVICE_INVALID ((CUdevice)-2)
#define CU_MEMHOSTALLOC_PORTABLE 0x01
#define CU_MEMHOSTALLOC_DEVICEMAP 0x02
#define CU_MEMHOSTALLOC_WRITECOMBINED 0x04
#define CU_MEMHOSTREGISTER_PORTABLE 0x01
#define CU_MEMHOSTREGISTER_DEVICEMAP 0x02
#define CU_MEMHOSTREGISTER_IOMEMORY 0x04
#define CU_MEMHOSTREGISTER_READ_ONLY 0x08
#define CU_LAUNCH_PARAM_END ((void *)0x00)
#define CU_LAUNCH_PARAM_BUFFER_POINTER ((void *)0x01)
#define CU_LAUNCH_PARAM_BUFFER_SIZE ((void *)0x02)

typedef CUdeviceptr CUdeviceptr_v2;
typedef CUdevice CUdevice_v1;
typedef struct CUlinkState_st *CUlinkState;
typedef void(CUDA_CB *CUstreamCallback)(CUstream stream, CUresult status, void *userData);
typedef void(CUDA_CB *CUhostFn)(void *userData);
typedef size_t(CUDA_CB *CUoccupancyB2DSize)(int blockSize);

typedef struct CUDA_MEMCPY2D_st {
  size_t srcXInBytes;
  size_t srcY;
  CUmemorytype srcMemoryType;
  const void *srcHost;
  CUdeviceptr srcDevice;
  CUarray srcArray;
  size_t srcPitch;
  size_t dstXInBytes;
  size_t dstY;
  CUmemorytype dstMemoryType;
  void *dstHost;
  CUdeviceptr dstDevice;
  CUarray dstArray;
  size_t dstPitch;
  size_t WidthInBytes;
  size_t Height;
} CUDA_MEMCPY2D;

/* The values are those of the runtime API. */
typedef cudaLaunchAttributeValue CUlaunchAttributeValue;

typedef struct CUlaunchAttribute_st {
  CUlaunchAttributeID id;
  char pad[8 - sizeof(CUlaunchAttributeID)];
  CUlaunchAttributeValue value;
} CUlaunchAttribute;

typedef struct CUlaunchConfig_st {
  unsigned int gridDimX, gridDimY, gridDimZ;
  unsigned int blockDimX, blockDimY, blockDimZ;
  unsigned int sharedMemBytes;
  CUstream hStream;
  CUlaunchAttribute *attrs;
  unsigned int numAttrs;
} CUlaunchConfig;

#if defined(__cplusplus)
extern "C" {
#endif

#define REGRAIN_DRIVER_ENTRY(NAME, PARAMETERS)                                 \
  CUresult CUDAAPI NAME PARAMETERS REGRAIN_SYMBOL(#NAME);
#include "regrain_driver_api.def"

#if defined(__cplusplus)
}
#endif

#endif
