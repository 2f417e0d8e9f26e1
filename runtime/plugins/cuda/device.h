//===- device.h - An NVIDIA GPU ---------------------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The device uses its primary context, and streams and events are driver
// handles, so that libraries over the CUDA runtime or driver work in the same
// process.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/core/device.h"
#include "runtime/plugins/cuda/arrays.h"
#include "runtime/plugins/cuda/driver.h"
#include "runtime/plugins/gpu/graph_device.h"
#include "runtime/plugins/gpu/page_comparison.h"

#include <atomic>
#include <mutex>
#include <optional>
#include <vector>

namespace regrain::cuda {

/// What GraphDevice needs of the driver.
struct CudaApi {
  using Calls = Driver;
  using CaptureId = cuuint64_t;
  static cudaError_t toRuntime(CUresult result) { return cuda::toRuntime(result); }
  static CUstream handleOf(cudaStream_t stream) { return stream; }
};

/// Memory for values of conditions. Each block of memory lasts as long as the context.
struct ConditionValues {
  std::mutex mutex;
  std::vector<unsigned *> unused;
};

class CudaDevice final : public GraphDevice<CudaApi> {
public:
  CudaDevice(const Driver &driver, CUdevice device)
      : GraphDevice(driver), driver(driver), device(device),
        comparison(*this, [this](auto &out) { return loadComparison(out); }) {}

  cudaError_t properties(cudaDeviceProp &out) override;
  cudaError_t attribute(cudaDeviceAttr attribute, int &value) override;
  int codeRank(const image::Module &module) override;
  std::optional<SharedMemoryUnits> sharedMemoryUnits() override;

  cudaError_t bindThread() override;
  bool isBound() override;
  cudaError_t synchronize() override;
  cudaError_t reset() override;
  cudaError_t stickyError() override;
  cudaError_t memoryInfo(size_t &freeBytes, size_t &totalBytes) override;
  cudaError_t limit(cudaLimit limit, size_t &value) override;
  cudaError_t setLimit(cudaLimit limit, size_t value) override;
  cudaError_t cacheConfig(cudaFuncCache &config) override;
  cudaError_t setCacheConfig(cudaFuncCache config) override;
  cudaError_t flags(unsigned &flags) override;
  cudaError_t setFlags(unsigned flags) override;

  cudaError_t canAccessPeer(Device &peer, int &canAccess) override;
  cudaError_t enablePeer(Device &peer) override;
  cudaError_t disablePeer(Device &peer) override;
  cudaError_t peerAttribute(cudaDeviceP2PAttr attribute, Device &peer, int &value) override;
  cudaError_t peerAtomics(std::span<const cudaAtomicOperation> operations, Device &peer,
                          unsigned *capabilities) override;
  cudaError_t hostAtomics(std::span<const cudaAtomicOperation> operations,
                          unsigned *capabilities) override;

  cudaError_t allocate(size_t bytes, void *&out) override;
  bool mayAllocationsTouch() override { return true; }
  cudaError_t allocatePitched(size_t width, size_t height, void *&out, size_t &pitch) override;
  cudaError_t free(void *pointer) override;
  cudaError_t allocateInOrder(size_t bytes, cudaStream_t stream, void *&out) override;
  cudaError_t freeInOrder(void *pointer, cudaStream_t stream) override;

  cudaError_t makePool(const cudaMemPoolProps &properties, cudaMemPool_t &out) override;
  cudaError_t firstPool(cudaMemPool_t &out) override;
  cudaError_t destroyPool(cudaMemPool_t pool) override;
  cudaError_t allocateFrom(cudaMemPool_t pool, size_t bytes, cudaStream_t stream,
                           void *&out) override;
  cudaError_t trimPool(cudaMemPool_t pool, size_t keptBytes) override;
  cudaError_t setPoolAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void *value) override;
  cudaError_t poolAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void *value) override;
  cudaError_t setPoolAccess(cudaMemPool_t pool, Device &peer, cudaMemAccessFlags flags) override;
  cudaError_t poolAccess(cudaMemPool_t pool, Device &peer, cudaMemAccessFlags &flags) override;
  cudaError_t exportPool(cudaMemPool_t pool, cudaMemAllocationHandleType type, unsigned flags,
                         void *handle) override;
  cudaError_t importPool(void *handle, cudaMemAllocationHandleType type, unsigned flags,
                         cudaMemPool_t &out) override;
  cudaError_t exportPointer(void *pointer, cudaMemPoolPtrExportData &out) override;
  cudaError_t importPointer(cudaMemPool_t pool, cudaMemPoolPtrExportData &data,
                            void *&out) override;

  cudaError_t allocateHost(HostMemory kind, size_t bytes, unsigned flags, void *&out) override;
  cudaError_t freeHost(void *pointer) override;
  cudaError_t registerHost(void *pointer, size_t bytes, unsigned flags) override;
  cudaError_t unregisterHost(void *pointer) override;
  cudaError_t hostDevicePointer(void *host, void *&device) override;
  cudaError_t hostFlags(void *host, unsigned &flags) override;
  cudaError_t pointerAttributes(const void *pointer, cudaPointerAttributes &out) override;
  cudaError_t memoryExtent(uintptr_t address, MemoryExtent &out, std::string &reason) override;
  cudaError_t copy(void *to, size_t toPitch, const void *from, size_t fromPitch, Rows rows,
                   cudaMemcpyKind kind, cudaStream_t stream, bool async) override;
  cudaError_t fill(void *to, size_t pitch, int value, Rows rows, cudaStream_t stream,
                   bool async) override;
  cudaError_t prefetch(const void *pointer, size_t bytes, int toDevice,
                       cudaStream_t stream) override;
  cudaError_t advise(const void *pointer, size_t bytes, cudaMemoryAdvise advice,
                     int device) override;
  std::unique_ptr<Arrays> makeArrays() override { return std::make_unique<CudaArrays>(driver); }
  cudaError_t comparePages(const void *left, const void *right, size_t bytes, size_t pageBytes,
                           std::span<uint8_t> differs) override;

  cudaError_t createStream(unsigned flags, int priority, cudaStream_t &out) override;
  cudaError_t destroyStream(cudaStream_t stream) override;
  cudaError_t synchronizeStream(cudaStream_t stream) override;
  cudaError_t queryStream(cudaStream_t stream) override;
  cudaError_t streamFlags(cudaStream_t stream, unsigned &flags) override;
  cudaError_t streamPriority(cudaStream_t stream, int &priority) override;
  cudaError_t priorityRange(int &least, int &greatest) override;
  cudaError_t streamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags) override;
  cudaError_t launchHostFunction(cudaStream_t stream, void (*function)(void *),
                                 void *data) override;
  cudaError_t delay(cudaStream_t stream, std::chrono::microseconds time) override;
  cudaError_t copyByKernel(void *to, const void *from, size_t bytes, cudaStream_t stream) override;
  cudaError_t createEvent(unsigned flags, cudaEvent_t &out) override;
  cudaError_t destroyEvent(cudaEvent_t event) override;
  cudaError_t recordEvent(cudaEvent_t event, cudaStream_t stream, unsigned flags) override;
  cudaError_t synchronizeEvent(cudaEvent_t event) override;
  cudaError_t queryEvent(cudaEvent_t event) override;
  cudaError_t elapsedTime(cudaEvent_t start, cudaEvent_t end, float &milliseconds) override;

  cudaError_t updateExecutable(cudaGraphExec_t executable, cudaGraph_t graph,
                               cudaGraphExecUpdateResultInfo &result) override;
  cudaError_t uploadExecutable(cudaGraphExec_t executable, cudaStream_t stream) override;
  cudaError_t makeConditionValue(std::shared_ptr<unsigned> &value, std::string &reason) override;
  cudaError_t assignConditionValue(unsigned *value, unsigned to, cudaStream_t stream) override;
  cudaError_t captureConditional(cudaStream_t stream, Conditional &node) override;
  cudaError_t beginBody(cudaStream_t stream, const Conditional &node, size_t body) override;
  cudaError_t endBody(cudaStream_t stream, const Conditional &node, size_t body) override;

  cudaError_t loadModule(const image::Module &module, std::unique_ptr<Module> &out,
                         std::string &reason) override;
  cudaError_t launch(Function &function, const Launch &launch) override;

  cudaError_t driverFunction(const char *symbol, int cudaVersion, uint64_t flags, void *&out,
                             cudaDriverEntryPointQueryResult &result) override;
  cudaError_t shareMemory(void *pointer, cudaIpcMemHandle_t &handle) override;
  cudaError_t openShared(const cudaIpcMemHandle_t &handle, unsigned flags, void *&out) override;
  cudaError_t closeShared(void *pointer) override;
  cudaError_t shareEvent(cudaEvent_t event, cudaIpcEventHandle_t &handle) override;
  cudaError_t openShared(const cudaIpcEventHandle_t &handle, cudaEvent_t &out) override;

private:
  static CUcontext contextOf(Device &device);
  cudaError_t loadComparison(std::unique_ptr<Module> &out);
  /// `code` ends with a zero byte; `name` is for `reason`.
  cudaError_t loadCode(const char *code, const std::string &name, CUmodule &out,
                       std::string &reason);
  cudaError_t loadSetter(std::string &reason);
  /// Makes the next node of a stream that captures: it gives the node's value to the driver.
  cudaError_t captureSetter(cudaStream_t stream, const Conditional &node);
  cudaError_t copyLinear(void *to, const void *from, size_t bytes, cudaMemcpyKind kind,
                         cudaStream_t stream, bool async);
  cudaError_t copyRows(void *to, size_t toPitch, const void *from, size_t fromPitch, Rows rows,
                       cudaMemcpyKind kind, cudaStream_t stream, bool async);

  /// Null, all of them, if the driver does not load their code.
  struct OwnKernels {
    CUfunction delay = nullptr, copy = nullptr;
  };
  CUfunction ownKernel(CUfunction OwnKernels::*kernel);

  const Driver &driver;
  CUdevice device;
  std::mutex contextLock;
  std::atomic<CUcontext> context = nullptr; ///< null until the first bindThread, and after reset
  PageComparison comparison;
  std::mutex conditionLock; ///< guards the next two, which end with the context
  CUfunction setter = nullptr;
  std::shared_ptr<ConditionValues> conditionValues;
  std::mutex ownKernelsLock; ///< guards the next one, which ends with the context
  std::optional<OwnKernels> ownKernels;
};

inline CUdeviceptr toDriver(const void *pointer) { return reinterpret_cast<CUdeviceptr>(pointer); }

} // namespace regrain::cuda
