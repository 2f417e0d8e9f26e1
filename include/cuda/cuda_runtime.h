//===- cuda_runtime.h - The CUDA runtime for C++ ----------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This is the runtime API with its typed C++ forms. Device functions come from
// regrain_prelude.h, which the compiler reads ahead of every CUDA source.
//
//===----------------------------------------------------------------------===//
#ifndef __CUDA_RUNTIME_H__
#define __CUDA_RUNTIME_H__
#pragma GCC system_header

#include "crt/host_config.h"

#include "builtin_types.h"
#include "channel_descriptor.h"
#include "cuda_runtime_api.h"
#include "driver_functions.h"
#include "library_types.h"
#include "vector_functions.h"

#if defined(__cplusplus)

template <class T>
static inline __host__ cudaError_t cudaMalloc(T **pointer, size_t bytes) {
  return ::cudaMalloc((void **)(void *)pointer, bytes);
}

template <class T>
static inline __host__ cudaError_t cudaMallocHost(T **pointer, size_t bytes,
                                                  unsigned int flags = 0) {
  return ::cudaHostAlloc((void **)(void *)pointer, bytes, flags);
}

template <class T>
static inline __host__ cudaError_t cudaHostAlloc(T **pointer, size_t bytes,
                                                 unsigned int flags) {
  return ::cudaHostAlloc((void **)(void *)pointer, bytes, flags);
}

template <class T>
static inline __host__ cudaError_t cudaHostGetDevicePointer(T **device, void *host,
                                                            unsigned int flags) {
  return ::cudaHostGetDevicePointer((void **)(void *)device, host, flags);
}

template <class T>
static inline __host__ cudaError_t
cudaMallocManaged(T **pointer, size_t bytes, unsigned int flags = cudaMemAttachGlobal) {
  return ::cudaMallocManaged((void **)(void *)pointer, bytes, flags);
}

template <class T>
static inline __host__ cudaError_t cudaMallocPitch(T **pointer, size_t *pitch,
                                                   size_t width, size_t height) {
  return ::cudaMallocPitch((void **)(void *)pointer, pitch, width, height);
}

template <class T>
static inline __host__ cudaError_t cudaMallocAsync(T **pointer, size_t bytes,
                                                   cudaStream_t stream) {
  return ::cudaMallocAsync((void **)(void *)pointer, bytes, stream);
}

template <class T>
static inline __host__ cudaError_t cudaMallocFromPoolAsync(T **pointer, size_t bytes,
                                                           cudaMemPool_t pool,
                                                           cudaStream_t stream) {
  return ::cudaMallocFromPoolAsync((void **)(void *)pointer, bytes, pool, stream);
}

static inline __host__ cudaError_t cudaMallocAsync(void **pointer, size_t bytes,
                                                   cudaMemPool_t pool,
                                                   cudaStream_t stream) {
  return ::cudaMallocFromPoolAsync(pointer, bytes, pool, stream);
}

template <class T>
static inline __host__ cudaError_t cudaMallocAsync(T **pointer, size_t bytes,
                                                   cudaMemPool_t pool,
                                                   cudaStream_t stream) {
  return ::cudaMallocFromPoolAsync((void **)(void *)pointer, bytes, pool, stream);
}

template <class T>
static inline __host__ cudaError_t
cudaStreamAttachMemAsync(cudaStream_t stream, T *pointer, size_t bytes = 0,
                         unsigned int flags = cudaMemAttachSingle) {
  return ::cudaStreamAttachMemAsync(stream, (void *)pointer, bytes, flags);
}

static inline __host__ cudaError_t cudaEventCreate(cudaEvent_t *event,
                                                   unsigned int flags) {
  return ::cudaEventCreateWithFlags(event, flags);
}

template <class T>
static inline __host__ cudaError_t
cudaMemcpyToSymbol(const T &symbol, const void *from, size_t bytes, size_t offset = 0,
                   enum cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
  return ::cudaMemcpyToSymbol((const void *)&symbol, from, bytes, offset, kind);
}

template <class T>
static inline __host__ cudaError_t
cudaMemcpyToSymbolAsync(const T &symbol, const void *from, size_t bytes,
                        size_t offset = 0,
                        enum cudaMemcpyKind kind = cudaMemcpyHostToDevice,
                        cudaStream_t stream = 0) {
  return ::cudaMemcpyToSymbolAsync((const void *)&symbol, from, bytes, offset, kind,
                                   stream);
}

template <class T>
static inline __host__ cudaError_t
cudaMemcpyFromSymbol(void *to, const T &symbol, size_t bytes, size_t offset = 0,
                     enum cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
  return ::cudaMemcpyFromSymbol(to, (const void *)&symbol, bytes, offset, kind);
}

template <class T>
static inline __host__ cudaError_t
cudaMemcpyFromSymbolAsync(void *to, const T &symbol, size_t bytes, size_t offset = 0,
                          enum cudaMemcpyKind kind = cudaMemcpyDeviceToHost,
                          cudaStream_t stream = 0) {
  return ::cudaMemcpyFromSymbolAsync(to, (const void *)&symbol, bytes, offset, kind,
                                     stream);
}

template <class T>
static inline __host__ cudaError_t cudaGetSymbolAddress(void **pointer,
                                                        const T &symbol) {
  return ::cudaGetSymbolAddress(pointer, (const void *)&symbol);
}

template <class T>
static inline __host__ cudaError_t cudaGetSymbolSize(size_t *bytes, const T &symbol) {
  return ::cudaGetSymbolSize(bytes, (const void *)&symbol);
}

template <class T>
static inline __host__ cudaError_t cudaLaunchKernel(T *kernel, dim3 grid, dim3 block,
                                                    void **arguments,
                                                    size_t sharedBytes = 0,
                                                    cudaStream_t stream = 0) {
  return ::cudaLaunchKernel((const void *)kernel, grid, block, arguments, sharedBytes,
                            stream);
}

template <class T>
static inline __host__ cudaError_t
cudaLaunchCooperativeKernel(T *kernel, dim3 grid, dim3 block, void **arguments,
                            size_t sharedBytes = 0, cudaStream_t stream = 0) {
  return ::cudaLaunchCooperativeKernel((const void *)kernel, grid, block, arguments,
                                       sharedBytes, stream);
}

#if __cplusplus >= 201103L
/* Converts the arguments to the kernel's parameters. */
template <class... Parameters, class... Arguments>
static inline __host__ cudaError_t
cudaLaunchKernelEx(const cudaLaunchConfig_t *config, void (*kernel)(Parameters...),
                   Arguments &&...arguments) {
  return [&](Parameters... values) {
    void *pointers[] = {(void *)&values..., nullptr};
    return ::cudaLaunchKernelExC(config, (const void *)kernel, pointers);
  }(static_cast<Arguments &&>(arguments)...);
}

template <class... Parameters>
static inline __host__ cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config,
                                                       void (*kernel)(Parameters...),
                                                       void **arguments) {
  return ::cudaLaunchKernelExC(config, (const void *)kernel, arguments);
}
#endif

template <class T>
static inline __host__ cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *attributes,
                                                         T *kernel) {
  return ::cudaFuncGetAttributes(attributes, (const void *)kernel);
}

template <class T>
static inline __host__ cudaError_t cudaFuncGetName(const char **name, T *kernel) {
  return ::cudaFuncGetName(name, (const void *)kernel);
}

/* The last reference deletes the object. `Flags` is a number or cudaUserObjectFlags. */
template <class T, class Flags>
static inline __host__ cudaError_t cudaUserObjectCreate(cudaUserObject_t *handle, T *object,
                                                        unsigned int count, Flags flags) {
  return ::cudaUserObjectCreate(
      handle, object, [](void *deleted) { delete static_cast<T *>(deleted); }, count,
      static_cast<unsigned int>(flags));
}

template <class T>
static inline __host__ cudaError_t cudaGetKernel(cudaKernel_t *handle, T *kernel) {
  return ::cudaGetKernel(handle, (const void *)kernel);
}

template <class T>
static inline __host__ cudaError_t
cudaFuncSetAttribute(T *kernel, enum cudaFuncAttribute attribute, int value) {
  return ::cudaFuncSetAttribute((const void *)kernel, attribute, value);
}

template <class T>
static inline __host__ cudaError_t cudaFuncSetCacheConfig(T *kernel,
                                                          enum cudaFuncCache config) {
  return ::cudaFuncSetCacheConfig((const void *)kernel, config);
}

template <class T>
static inline __host__ cudaError_t
cudaFuncSetSharedMemConfig(T *kernel, enum cudaSharedMemConfig config) {
  return ::cudaFuncSetSharedMemConfig((const void *)kernel, config);
}

template <class T>
static inline __host__ cudaError_t
cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, T kernel, int blockSize,
                                              size_t dynamicSharedBytes) {
  return ::cudaOccupancyMaxActiveBlocksPerMultiprocessor(
      blocks, (const void *)kernel, blockSize, dynamicSharedBytes);
}

template <class T>
static inline __host__ cudaError_t
cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, T kernel,
                                                       int blockSize,
                                                       size_t dynamicSharedBytes,
                                                       unsigned int flags) {
  return ::cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
      blocks, (const void *)kernel, blockSize, dynamicSharedBytes, flags);
}

template <class T>
static inline __host__ cudaError_t
cudaOccupancyAvailableDynamicSMemPerBlock(size_t *dynamicSharedBytes, T *kernel,
                                          int blocks, int blockSize) {
  return ::cudaOccupancyAvailableDynamicSMemPerBlock(
      dynamicSharedBytes, (const void *)kernel, blocks, blockSize);
}

template <class T>
static inline __host__ cudaError_t
cudaOccupancyMaxActiveClusters(int *clusters, T *kernel, const cudaLaunchConfig_t *config) {
  return ::cudaOccupancyMaxActiveClusters(clusters, (const void *)kernel, config);
}

template <class T>
static inline __host__ cudaError_t cudaOccupancyMaxPotentialClusterSize(
    int *clusterSize, T *kernel, const cudaLaunchConfig_t *config) {
  return ::cudaOccupancyMaxPotentialClusterSize(clusterSize, (const void *)kernel, config);
}

template <class T>
static inline __host__ cudaError_t cudaLibraryGetGlobal(T **pointer, size_t *bytes,
                                                        cudaLibrary_t library,
                                                        const char *name) {
  return ::cudaLibraryGetGlobal((void **)(void *)pointer, bytes, library, name);
}

template <class T>
static inline __host__ cudaError_t cudaLibraryGetManaged(T **pointer, size_t *bytes,
                                                         cudaLibrary_t library,
                                                         const char *name) {
  return ::cudaLibraryGetManaged((void **)(void *)pointer, bytes, library, name);
}

template <class T>
static inline __host__ cudaError_t cudaLibraryGetUnifiedFunction(T **function,
                                                                 cudaLibrary_t library,
                                                                 const char *symbol) {
  return ::cudaLibraryGetUnifiedFunction((void **)(void *)function, library, symbol);
}

/* These are the forms of CUDA 13. */
static inline __host__ cudaError_t cudaMemPrefetchAsync(const void *pointer, size_t bytes,
                                                        struct cudaMemLocation location,
                                                        unsigned int flags,
                                                        cudaStream_t stream = 0) {
  return ::cudaMemPrefetchAsync_v2(pointer, bytes, location, flags, stream);
}

static inline __host__ cudaError_t cudaMemAdvise(const void *pointer, size_t bytes,
                                                 enum cudaMemoryAdvise advice,
                                                 struct cudaMemLocation location) {
  return ::cudaMemAdvise_v2(pointer, bytes, advice, location);
}

static inline __host__ cudaError_t
cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t *from,
                         const cudaGraphNode_t *to, const cudaGraphEdgeData *edges,
                         size_t count) {
  return ::cudaGraphAddDependencies_v2(graph, from, to, edges, count);
}

static inline __host__ cudaError_t cudaStreamGetCaptureInfo(
    cudaStream_t stream, enum cudaStreamCaptureStatus *status, unsigned long long *id,
    cudaGraph_t *graph, const cudaGraphNode_t **dependencies,
    const cudaGraphEdgeData **edges, size_t *dependencyCount) {
  return ::cudaStreamGetCaptureInfo_v3(stream, status, id, graph, dependencies, edges,
                                       dependencyCount);
}

/* These are the forms of CUDA 13. */
static inline __host__ cudaError_t cudaStreamUpdateCaptureDependencies(
    cudaStream_t stream, cudaGraphNode_t *dependencies, const cudaGraphEdgeData *edges,
    size_t dependencyCount, unsigned int flags = 0) {
  return ::cudaStreamUpdateCaptureDependencies_v2(stream, dependencies, edges, dependencyCount,
                                                  flags);
}

#if CUDART_VERSION < 13000
/* The older form with a count of any integral type: a literal 0 is a null pointer, too. */
template <class Count, class = decltype(Count() % 2)>
static inline __host__ cudaError_t
cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t *dependencies,
                                    Count dependencyCount, unsigned int flags) {
  return ::cudaStreamUpdateCaptureDependencies(stream, dependencies, size_t(dependencyCount),
                                               flags);
}
#endif

static inline __host__ cudaError_t
cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t *from, cudaGraphNode_t *to, cudaGraphEdgeData *edges, size_t *count) {
  return ::cudaGraphGetEdges_v2(graph, from, to, edges, count);
}

static inline __host__ cudaError_t
cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t *dependencies, cudaGraphEdgeData *edges, size_t *dependencyCount) {
  return ::cudaGraphNodeGetDependencies_v2(node, dependencies, edges, dependencyCount);
}

static inline __host__ cudaError_t
cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t *dependents, cudaGraphEdgeData *edges, size_t *dependentCount) {
  return ::cudaGraphNodeGetDependentNodes_v2(node, dependents, edges, dependentCount);
}

static inline __host__ cudaError_t
cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t *from, const cudaGraphNode_t *to, const cudaGraphEdgeData *edges, size_t dependencyCount) {
  return ::cudaGraphRemoveDependencies_v2(graph, from, to, edges, dependencyCount);
}

static inline __host__ cudaError_t
cudaGraphAddNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *dependencies, const cudaGraphEdgeData *edges, size_t dependencyCount, struct cudaGraphNodeParams *parameters) {
  return ::cudaGraphAddNode_v2(node, graph, dependencies, edges, dependencyCount, parameters);
}

/* These take a module variable itself. */
template <class T>
static inline __host__ cudaError_t
cudaGraphAddMemcpyNodeToSymbol(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *dependencies, size_t dependencyCount, const T &symbol, const void *from, size_t count, size_t offset, enum cudaMemcpyKind kind) {
  return ::cudaGraphAddMemcpyNodeToSymbol(node, graph, dependencies, dependencyCount, (const void *)&symbol, from, count, offset, kind);
}

template <class T>
static inline __host__ cudaError_t
cudaGraphAddMemcpyNodeFromSymbol(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *dependencies, size_t dependencyCount, void *to, const T &symbol, size_t count, size_t offset, enum cudaMemcpyKind kind) {
  return ::cudaGraphAddMemcpyNodeFromSymbol(node, graph, dependencies, dependencyCount, to, (const void *)&symbol, count, offset, kind);
}

template <class T>
static inline __host__ cudaError_t
cudaGraphMemcpyNodeSetParamsToSymbol(cudaGraphNode_t node, const T &symbol, const void *from, size_t count, size_t offset, enum cudaMemcpyKind kind) {
  return ::cudaGraphMemcpyNodeSetParamsToSymbol(node, (const void *)&symbol, from, count, offset, kind);
}

template <class T>
static inline __host__ cudaError_t
cudaGraphMemcpyNodeSetParamsFromSymbol(cudaGraphNode_t node, void *to, const T &symbol, size_t count, size_t offset, enum cudaMemcpyKind kind) {
  return ::cudaGraphMemcpyNodeSetParamsFromSymbol(node, to, (const void *)&symbol, count, offset, kind);
}

template <class T>
static inline __host__ cudaError_t
cudaGraphExecMemcpyNodeSetParamsToSymbol(cudaGraphExec_t executable, cudaGraphNode_t node, const T &symbol, const void *from, size_t count, size_t offset, enum cudaMemcpyKind kind) {
  return ::cudaGraphExecMemcpyNodeSetParamsToSymbol(executable, node, (const void *)&symbol, from, count, offset, kind);
}

template <class T>
static inline __host__ cudaError_t
cudaGraphExecMemcpyNodeSetParamsFromSymbol(cudaGraphExec_t executable, cudaGraphNode_t node, void *to, const T &symbol, size_t count, size_t offset, enum cudaMemcpyKind kind) {
  return ::cudaGraphExecMemcpyNodeSetParamsFromSymbol(executable, node, to, (const void *)&symbol, count, offset, kind);
}

/* These are the forms of CUDA 11, which programs still call. */
static inline __host__ cudaError_t cudaGraphInstantiate(cudaGraphExec_t *executable,
                                                        cudaGraph_t graph,
                                                        cudaGraphNode_t *errorNode,
                                                        char *log, size_t logBytes) {
  (void)errorNode;
  (void)log;
  (void)logBytes;
  return ::cudaGraphInstantiate(executable, graph, 0);
}

static inline __host__ cudaError_t
cudaGraphExecUpdate(cudaGraphExec_t executable, cudaGraph_t graph,
                    cudaGraphNode_t *errorNode, enum cudaGraphExecUpdateResult *result) {
  cudaGraphExecUpdateResultInfo info;
  cudaError_t status = ::cudaGraphExecUpdate(executable, graph, &info);
  if (errorNode)
    *errorNode = info.errorNode;
  if (result)
    *result = info.result;
  return status;
}

#include "regrain_batches.h"
#include "regrain_occupancy.h"

#if defined(__CUDA__)
#include "regrain_textures.h"
#endif

#endif // __cplusplus

#endif
