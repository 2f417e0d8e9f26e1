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
#include "regrain_driver_attributes.h"
#include "regrain_driver_enums.h"
#include "regrain_driver_graphs.h"
#include "regrain_driver_records.h"
#include "regrain_driver_structs.h"
#include "regrain_driver_types.h"
#include "regrain_symbol.h"
#include "regrain_tensor_maps.h"

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
#define CU_TRSF_READ_AS_INTEGER 0x01
#define CU_TRSF_NORMALIZED_COORDINATES 0x02
#define CU_TRSF_SRGB 0x10
#define CU_TRSF_DISABLE_TRILINEAR_OPTIMIZATION 0x20
#define CU_TRSF_SEAMLESS_CUBEMAP 0x40
#define CUDA_ARRAY3D_LAYERED 0x01
#define CUDA_ARRAY3D_SURFACE_LDST 0x02
#define CUDA_ARRAY3D_CUBEMAP 0x04
#define CUDA_ARRAY3D_TEXTURE_GATHER 0x08
#define CU_LAUNCH_PARAM_END ((void *)0x00)
#define CU_LAUNCH_PARAM_BUFFER_POINTER ((void *)0x01)
#define CU_LAUNCH_PARAM_BUFFER_SIZE ((void *)0x02)

typedef CUdeviceptr CUdeviceptr_v2;
typedef CUdevice CUdevice_v1;
typedef struct CUlinkState_st *CUlinkState;
typedef void(CUDA_CB *CUstreamCallback)(CUstream stream, CUresult status, void *userData);
typedef size_t(CUDA_CB *CUoccupancyB2DSize)(int blockSize);

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

typedef struct CUDA_KERNEL_NODE_PARAMS_v2_st {
  CUfunction func;
  unsigned int gridDimX, gridDimY, gridDimZ;
  unsigned int blockDimX, blockDimY, blockDimZ;
  unsigned int sharedMemBytes;
  void **kernelParams;
  void **extra;
  CUkernel kern; /* is used if func is null */
  CUcontext ctx;
} CUDA_KERNEL_NODE_PARAMS_v2;
typedef CUDA_KERNEL_NODE_PARAMS_v2 CUDA_KERNEL_NODE_PARAMS;

/* The runtime's type has the same members. */
typedef cudaGraphEdgeData CUgraphEdgeData;

typedef enum CUstreamCaptureStatus_enum {
  CU_STREAM_CAPTURE_STATUS_NONE = 0,
  CU_STREAM_CAPTURE_STATUS_ACTIVE = 1,
  CU_STREAM_CAPTURE_STATUS_INVALIDATED = 2
} CUstreamCaptureStatus;

typedef enum CUstreamUpdateCaptureDependencies_flags_enum {
  CU_STREAM_ADD_CAPTURE_DEPENDENCIES = 0,
  CU_STREAM_SET_CAPTURE_DEPENDENCIES = 1
} CUstreamUpdateCaptureDependencies_flags;

#if defined(__cplusplus)
extern "C" {
#endif

#define REGRAIN_DRIVER_ENTRY(NAME, PARAMETERS)                                 \
  CUresult CUDAAPI NAME PARAMETERS REGRAIN_SYMBOL(#NAME);
#include "regrain_driver_api.def"

#define cuGraphInstantiate cuGraphInstantiateWithFlags

/* CUDA 13 gave these other parameters. In C++ both forms are there. */
#if !defined(__cplusplus) && CUDA_VERSION >= 13000
#define cuCtxCreate cuCtxCreate_v4
#define cuMemPrefetchAsync cuMemPrefetchAsync_v2
#define cuMemAdvise cuMemAdvise_v2
#define cuStreamGetCaptureInfo cuStreamGetCaptureInfo_v3
#define cuStreamUpdateCaptureDependencies cuStreamUpdateCaptureDependencies_v2
#endif

#if defined(__cplusplus)
}

static inline CUresult cuCtxCreate(CUcontext *context, CUctxCreateParams *parameters,
                                   unsigned int flags, CUdevice device) {
  return ::cuCtxCreate_v4(context, parameters, flags, device);
}

static inline CUresult cuMemPrefetchAsync(CUdeviceptr pointer, size_t bytes, CUmemLocation location,
                                          unsigned int flags, CUstream stream) {
  return ::cuMemPrefetchAsync_v2(pointer, bytes, location, flags, stream);
}

static inline CUresult cuMemAdvise(CUdeviceptr pointer, size_t bytes, CUmem_advise advice,
                                   CUmemLocation location) {
  return ::cuMemAdvise_v2(pointer, bytes, advice, location);
}

static inline CUresult cuStreamGetCaptureInfo(CUstream stream, CUstreamCaptureStatus *status,
                                              cuuint64_t *id, CUgraph *graph,
                                              const CUgraphNode **dependencies,
                                              const CUgraphEdgeData **edges,
                                              size_t *dependencyCount) {
  return ::cuStreamGetCaptureInfo_v3(stream, status, id, graph, dependencies, edges,
                                     dependencyCount);
}

static inline CUresult cuStreamUpdateCaptureDependencies(CUstream stream, CUgraphNode *dependencies,
                                                         const CUgraphEdgeData *edges,
                                                         size_t dependencyCount,
                                                         unsigned int flags) {
  return ::cuStreamUpdateCaptureDependencies_v2(stream, dependencies, edges, dependencyCount,
                                                flags);
}
#endif

#endif
