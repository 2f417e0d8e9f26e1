//===- layout.cpp - Prints sizes, offsets and values ------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The table has what CUDA 12 and 13 share: cudaDeviceProp and the pointer
// attributes changed in 13, and some error codes were removed.
//
//===----------------------------------------------------------------------===//
#include <cuComplex.h>
#include <cuda_runtime.h>
#include <curand.h>
#include <curand_discrete.h>
#include <curand_mtgp32.h>

#include <cstddef>
#include <cstdio>

#define TYPE(T) printf("%s: %zu bytes, aligned to %zu\n", #T, sizeof(T), alignof(T))
#define FIELD(T, f) printf("%s.%s at %zu\n", #T, #f, offsetof(T, f))
#define VALUE(v) printf("%s = %lld\n", #v, (long long)(v))
#define VECTORS(name)                                                                              \
  TYPE(name##1);                                                                                   \
  TYPE(name##2);                                                                                   \
  TYPE(name##3);                                                                                   \
  FIELD(name##3, z)

static void vectors() {
  VECTORS(char);
  VECTORS(uchar);
  VECTORS(short);
  VECTORS(ushort);
  VECTORS(int);
  VECTORS(uint);
  VECTORS(long);
  VECTORS(ulong);
  VECTORS(longlong);
  VECTORS(ulonglong);
  VECTORS(float);
  VECTORS(double);
  TYPE(char4);
  TYPE(ushort4);
  TYPE(int4);
  TYPE(float4);
  TYPE(dim3);
  TYPE(cuComplex);
  TYPE(cuDoubleComplex);
}

static void structures() {
  TYPE(cudaExtent);
  TYPE(cudaPos);
  TYPE(cudaPitchedPtr);
  FIELD(cudaPitchedPtr, xsize);
  TYPE(cudaMemcpy3DParms);
  FIELD(cudaMemcpy3DParms, dstPtr);
  FIELD(cudaMemcpy3DParms, kind);
  TYPE(cudaFuncAttributes);
  FIELD(cudaFuncAttributes, numRegs);
  FIELD(cudaFuncAttributes, maxDynamicSharedSizeBytes);
  FIELD(cudaFuncAttributes, nonPortableClusterSizeAllowed);
  FIELD(cudaPointerAttributes, hostPointer);
  TYPE(cudaChannelFormatDesc);
  TYPE(cudaTextureDesc);
  FIELD(cudaTextureDesc, seamlessCubemap);
  FIELD(cudaResourceDesc, res);
  TYPE(cudaUUID_t);
  TYPE(cudaIpcMemHandle_t);
  TYPE(cudaGraphExecUpdateResultInfo);
  TYPE(cudaGraphEdgeData);
  TYPE(cudaKernelNodeParams);
  TYPE(cudaMemsetParams);
  TYPE(cudaHostNodeParams);
  TYPE(cudaMemPoolProps);
  TYPE(cudaMemAccessDesc);
  TYPE(cudaMemPoolPtrExportData);
  TYPE(cudaMemcpyAttributes);
  TYPE(cudaMemcpy3DOperand);
  TYPE(cudaMemcpy3DBatchOp);
  TYPE(cudaMemcpy3DPeerParms);
  TYPE(cudaArraySparseProperties);
  TYPE(cudaArrayMemoryRequirements);
  TYPE(cudaExternalMemoryHandleDesc);
  TYPE(cudaExternalMemoryBufferDesc);
  TYPE(cudaExternalMemoryMipmappedArrayDesc);
  TYPE(cudaExternalSemaphoreHandleDesc);
  TYPE(cudaExternalSemaphoreSignalParams);
  TYPE(cudaExternalSemaphoreWaitParams);
  TYPE(cudaExternalSemaphoreSignalNodeParams);
  TYPE(cudaMemAllocNodeParams);
  TYPE(cudaConditionalNodeParams);
  TYPE(cudaChildGraphNodeParams);
  TYPE(cudaGraphNodeParams);
  TYPE(cudaGraphInstantiateParams);
  TYPE(cudaAsyncNotificationInfo_t);
  FIELD(cudaGraphNodeParams, kernel);
  FIELD(cudaGraphNodeParams, reserved2);
  FIELD(cudaMemPoolProps, usage);
}

static void attributes() {
  VALUE(cudaDevAttrMaxThreadsPerBlock);
  VALUE(cudaDevAttrMaxSharedMemoryPerBlock);
  VALUE(cudaDevAttrMultiProcessorCount);
  VALUE(cudaDevAttrL2CacheSize);
  VALUE(cudaDevAttrPciDomainId);
  VALUE(cudaDevAttrComputeCapabilityMajor);
  VALUE(cudaDevAttrMaxSharedMemoryPerMultiprocessor);
  VALUE(cudaDevAttrManagedMemory);
  VALUE(cudaDevAttrConcurrentManagedAccess);
  VALUE(cudaDevAttrCooperativeLaunch);
  VALUE(cudaDevAttrMaxSharedMemoryPerBlockOptin);
  VALUE(cudaDevAttrMaxBlocksPerMultiprocessor);
  VALUE(cudaDevAttrReservedSharedMemoryPerBlock);
  VALUE(cudaDevAttrMemoryPoolsSupported);
  VALUE(cudaDevAttrClusterLaunch);
  VALUE(cudaDevAttrIpcEventSupport);
  VALUE(cudaDevAttrNumaId);
  VALUE(cudaDevAttrHostNumaId);
}

static void values() {
  VALUE(cudaErrorInvalidConfiguration);
  VALUE(cudaErrorInvalidSymbol);
  VALUE(cudaErrorInvalidDeviceFunction);
  VALUE(cudaErrorNoDevice);
  VALUE(cudaErrorInvalidKernelImage);
  VALUE(cudaErrorNoKernelImageForDevice);
  VALUE(cudaErrorInvalidResourceHandle);
  VALUE(cudaErrorNotReady);
  VALUE(cudaErrorIllegalAddress);
  VALUE(cudaErrorLaunchOutOfResources);
  VALUE(cudaErrorAssert);
  VALUE(cudaErrorLaunchFailure);
  VALUE(cudaErrorNotSupported);
  VALUE(cudaErrorStreamCaptureUnsupported);
  VALUE(cudaErrorUnknown);
  VALUE(cudaMemcpyDefault);
  VALUE(cudaMemoryTypeManaged);
  VALUE(cudaFuncAttributePreferredSharedMemoryCarveout);
  VALUE(cudaFuncAttributeClusterSchedulingPolicyPreference);
  VALUE(cudaLimitPersistingL2CacheSize);
  VALUE(cudaMemAdviseUnsetAccessedBy);
  VALUE(cudaStreamCaptureModeRelaxed);
  VALUE(cudaHostAllocWriteCombined);
  VALUE(cudaHostRegisterReadOnly);
  VALUE(cudaDeviceScheduleMask);
  VALUE(cudaOccupancyDisableCachingOverride);
  VALUE(cudaGraphExecUpdateErrorAttributesChanged);
  VALUE(cudaGraphInstantiateFlagUseNodePriority);
  VALUE(cudaGraphNodeTypeCount);
  VALUE(cudaResourceTypePitch2D);
  VALUE(cudaTextureType2DLayered);
}

static void randomNumbers() {
  TYPE(curandDiscreteDistribution_st);
  FIELD(curandDiscreteDistribution_st, method);
  TYPE(curandDistributionM2Shift_st);
  FIELD(curandDistributionM2Shift_st, length);
  TYPE(curandHistogramM2_st);
  FIELD(curandHistogramM2_st, host_K);
  TYPE(mtgp32_params_fast_t);
  FIELD(mtgp32_params_fast_t, mask);
  TYPE(mtgp32_kernel_params_t);
  FIELD(mtgp32_kernel_params_t, sh2_tbl);
  TYPE(curandStateMtgp32);
  VALUE(CURAND_STATUS_INTERNAL_ERROR);
  VALUE(CURAND_STATUS_ARCH_MISMATCH);
  VALUE(CURAND_RNG_PSEUDO_MT19937);
  VALUE(CURAND_RNG_QUASI_SCRAMBLED_SOBOL64);
  VALUE(CURAND_ORDERING_PSEUDO_DYNAMIC);
  VALUE(CURAND_SCRAMBLED_DIRECTION_VECTORS_64_JOEKUO6);
  VALUE(CURAND_POISSON);
  VALUE(CURAND_NUM_MTGP32_PARAMS);
}

int main() {
  randomNumbers();
  vectors();
  structures();
  attributes();
  values();
}
