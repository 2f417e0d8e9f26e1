//===- regrain_driver_records.h - Types of what is only recorded -*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Types of the driver API that headers for profilers name in the records of its calls. No entry
// here takes them. Those that have the same members as a type of the runtime API are that type; a
// structure without a definition is only pointed to.
//
//===----------------------------------------------------------------------===//
#ifndef REGRAIN_DRIVER_RECORDS_H
#define REGRAIN_DRIVER_RECORDS_H
#pragma GCC system_header

#include "driver_types.h"
#include "regrain_driver_enums.h"
#include "regrain_driver_graphs.h"
#include "regrain_driver_structs.h"

/* Handles */
typedef struct CUtexref_st *CUtexref;
typedef struct CUsurfref_st *CUsurfref;
typedef struct CUgreenCtx_st *CUgreenCtx;
typedef struct CUdevResourceDesc_st *CUdevResourceDesc;
typedef cudaExternalMemory_t CUexternalMemory;
typedef cudaExternalSemaphore_t CUexternalSemaphore;
typedef cudaUserObject_t CUuserObject;
typedef cudaGraphConditionalHandle CUgraphConditionalHandle;

/* Messages to the program */
typedef cudaLogsCallbackHandle CUlogsCallbackHandle;
typedef cudaLogIterator CUlogIterator;
typedef cudaLogsCallback_t CUlogsCallback;
typedef cudaAsyncCallbackHandle_t CUasyncCallbackHandle;
typedef cudaAsyncCallback CUasyncCallback;

/* Enumerations */
typedef enum cudaMemRangeAttribute CUmem_range_attribute;
typedef enum cudaGraphMemAttributeType CUgraphMem_attribute;
typedef enum cudaFlushGPUDirectRDMAWritesTarget CUflushGPUDirectRDMAWritesTarget;
typedef enum cudaFlushGPUDirectRDMAWritesScope CUflushGPUDirectRDMAWritesScope;
typedef cudaAtomicOperation CUatomicOperation;

typedef enum CUmoduleLoadingMode_enum {
  CU_MODULE_EAGER_LOADING = 1,
  CU_MODULE_LAZY_LOADING = 2
} CUmoduleLoadingMode;

typedef enum CUfunctionLoadingState_enum {
  CU_FUNCTION_LOADING_STATE_UNLOADED = 0,
  CU_FUNCTION_LOADING_STATE_LOADED = 1,
  CU_FUNCTION_LOADING_STATE_MAX
} CUfunctionLoadingState;

typedef enum CUcoredumpSettings_enum {
  CU_COREDUMP_ENABLE_ON_EXCEPTION = 1,
  CU_COREDUMP_TRIGGER_HOST,
  CU_COREDUMP_LIGHTWEIGHT,
  CU_COREDUMP_ENABLE_USER_TRIGGER,
  CU_COREDUMP_FILE,
  CU_COREDUMP_PIPE,
  CU_COREDUMP_GENERATION_FLAGS,
  CU_COREDUMP_MAX
} CUcoredumpSettings;

typedef enum CUprocessState_enum {
  CU_PROCESS_STATE_RUNNING = 0,
  CU_PROCESS_STATE_LOCKED,
  CU_PROCESS_STATE_CHECKPOINTED,
  CU_PROCESS_STATE_FAILED
} CUprocessState;

typedef enum CUtensorMapIm2ColWideMode_enum {
  CU_TENSOR_MAP_IM2COL_WIDE_MODE_W = 0,
  CU_TENSOR_MAP_IM2COL_WIDE_MODE_W128 = 1
} CUtensorMapIm2ColWideMode;

typedef enum CUdevResourceType_enum {
  CU_DEV_RESOURCE_TYPE_INVALID = 0,
  CU_DEV_RESOURCE_TYPE_SM = 1
} CUdevResourceType;

/* Memory and semaphores of other interfaces */
typedef struct cudaExternalMemoryHandleDesc CUDA_EXTERNAL_MEMORY_HANDLE_DESC;
typedef struct cudaExternalMemoryBufferDesc CUDA_EXTERNAL_MEMORY_BUFFER_DESC;
typedef struct cudaExternalSemaphoreHandleDesc CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC;
typedef struct cudaExternalSemaphoreSignalParams CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS;
typedef struct cudaExternalSemaphoreWaitParams CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS;
typedef struct cudaExternalSemaphoreSignalNodeParams CUDA_EXT_SEM_SIGNAL_NODE_PARAMS;
typedef struct cudaExternalSemaphoreWaitNodeParams CUDA_EXT_SEM_WAIT_NODE_PARAMS;

typedef struct CUDA_EXTERNAL_MEMORY_MIPMAPPED_ARRAY_DESC_st {
  unsigned long long offset;
  CUDA_ARRAY3D_DESCRIPTOR arrayDesc;
  unsigned int numLevels;
  unsigned int reserved[16];
} CUDA_EXTERNAL_MEMORY_MIPMAPPED_ARRAY_DESC;

/* Memory */
typedef struct cudaMemPoolPtrExportData CUmemPoolPtrExportData;
typedef struct cudaMemcpyAttributes CUmemcpyAttributes;
typedef struct cudaMemcpy3DBatchOp CUDA_MEMCPY3D_BATCH_OP;
typedef struct cudaArraySparseProperties CUDA_ARRAY_SPARSE_PROPERTIES;
typedef struct cudaArrayMemoryRequirements CUDA_ARRAY_MEMORY_REQUIREMENTS;
typedef struct CUarrayMapInfo_st CUarrayMapInfo;
typedef struct CUmemDecompressParams_st CUmemDecompressParams;

typedef struct CUDA_MEMCPY3D_PEER_st {
  size_t srcXInBytes;
  size_t srcY;
  size_t srcZ;
  size_t srcLOD;
  CUmemorytype srcMemoryType;
  const void *srcHost;
  CUdeviceptr srcDevice;
  CUarray srcArray;
  CUcontext srcContext;
  size_t srcPitch;
  size_t srcHeight;
  size_t dstXInBytes;
  size_t dstY;
  size_t dstZ;
  size_t dstLOD;
  CUmemorytype dstMemoryType;
  void *dstHost;
  CUdeviceptr dstDevice;
  CUarray dstArray;
  CUcontext dstContext;
  size_t dstPitch;
  size_t dstHeight;
  size_t WidthInBytes;
  size_t Height;
  size_t Depth;
} CUDA_MEMCPY3D_PEER;

/* Launches and nodes of graphs */
typedef struct CUDA_LAUNCH_PARAMS_st {
  CUfunction function;
  unsigned int gridDimX;
  unsigned int gridDimY;
  unsigned int gridDimZ;
  unsigned int blockDimX;
  unsigned int blockDimY;
  unsigned int blockDimZ;
  unsigned int sharedMemBytes;
  CUstream hStream;
  void **kernelParams;
} CUDA_LAUNCH_PARAMS;

typedef struct CUDA_KERNEL_NODE_PARAMS_v1_st {
  CUfunction func;
  unsigned int gridDimX;
  unsigned int gridDimY;
  unsigned int gridDimZ;
  unsigned int blockDimX;
  unsigned int blockDimY;
  unsigned int blockDimZ;
  unsigned int sharedMemBytes;
  void **kernelParams;
  void **extra;
} CUDA_KERNEL_NODE_PARAMS_v1;

typedef struct CUDA_BATCH_MEM_OP_NODE_PARAMS_st {
  CUcontext ctx;
  unsigned int count;
  CUstreamBatchMemOpParams *paramArray;
  unsigned int flags;
} CUDA_BATCH_MEM_OP_NODE_PARAMS;

typedef struct CUDA_MEM_ALLOC_NODE_PARAMS_st {
  CUmemPoolProps poolProps;
  const CUmemAccessDesc *accessDescs;
  size_t accessDescCount;
  size_t bytesize;
  CUdeviceptr dptr;
} CUDA_MEM_ALLOC_NODE_PARAMS;

typedef struct CUDA_GRAPH_INSTANTIATE_PARAMS_st CUDA_GRAPH_INSTANTIATE_PARAMS;
typedef struct CUgraphNodeParams_st CUgraphNodeParams;

/* Devices and processes */
typedef struct CUdevprop_st {
  int maxThreadsPerBlock;
  int maxThreadsDim[3];
  int maxGridSize[3];
  int sharedMemPerBlock;
  int totalConstantMemory;
  int SIMDWidth;
  int memPitch;
  int regsPerBlock;
  int clockRate;
  int textureAlign;
} CUdevprop;

typedef struct CUdevResource_st CUdevResource;
typedef struct CUcheckpointLockArgs_st CUcheckpointLockArgs;
typedef struct CUcheckpointCheckpointArgs_st CUcheckpointCheckpointArgs;
typedef struct CUcheckpointRestoreArgs_st CUcheckpointRestoreArgs;
typedef struct CUcheckpointUnlockArgs_st CUcheckpointUnlockArgs;

#endif
