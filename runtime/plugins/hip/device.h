//===- device.h - An AMD GPU ------------------------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Streams, events and graphs are the library's handles, so that libraries over HIP
// work in the same process.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/core/device.h"
#include "runtime/plugins/gpu/graph_device.h"
#include "runtime/plugins/gpu/page_comparison.h"
#include "runtime/plugins/hip/library.h"

#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace regrain::hip {

/// Programs see this compute capability, because their device code is compiled
/// for it.
inline constexpr int capabilityMajor = 7, capabilityMinor = 0;

/// What GraphDevice needs of the library.
struct HipApi {
  using Calls = Library;
  using CaptureId = unsigned long long;
  static cudaError_t toRuntime(HipResult result) { return hip::toRuntime(result); }
  static HipStream handleOf(cudaStream_t stream) { return toHip(stream); }
};

class HipDevice final : public GraphDevice<HipApi> {
public:
  /// `chip` is the name of the chip with its features: "gfx90a:sramecc+:xnack-".
  HipDevice(const Library &library, int ordinal, std::string chip)
      : GraphDevice(library), library(library), ordinal(ordinal), chip(std::move(chip)),
        comparison(*this, [this](auto &out) { return loadComparison(out); }) {}

  cudaError_t properties(cudaDeviceProp &out) override;
  cudaError_t attribute(cudaDeviceAttr attribute, int &value) override;
  int codeRank(const image::Module &module) override;
  std::optional<SharedMemoryUnits> sharedMemoryUnits() override;

  cudaError_t bindThread() override;
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

  cudaError_t allocate(size_t bytes, void *&out) override;
  bool mayAllocationsTouch() override { return true; }
  cudaError_t allocatePitched(size_t width, size_t height, void *&out, size_t &pitch) override;
  cudaError_t free(void *pointer) override;
  cudaError_t allocateInOrder(size_t bytes, cudaStream_t stream, void *&out) override;
  cudaError_t freeInOrder(void *pointer, cudaStream_t stream) override;
  cudaError_t allocateHost(HostMemory kind, size_t bytes, unsigned flags, void *&out) override;
  cudaError_t freeHost(void *pointer) override;
  cudaError_t registerHost(void *pointer, size_t bytes, unsigned flags) override;
  cudaError_t unregisterHost(void *pointer) override;
  cudaError_t hostDevicePointer(void *host, void *&device) override;
  cudaError_t hostFlags(void *host, unsigned &flags) override;
  cudaError_t pointerAttributes(const void *pointer, cudaPointerAttributes &out) override;
  cudaError_t copy(void *to, size_t toPitch, const void *from, size_t fromPitch, Rows rows,
                   cudaMemcpyKind kind, cudaStream_t stream, bool async) override;
  cudaError_t fill(void *to, size_t pitch, int value, Rows rows, cudaStream_t stream,
                   bool async) override;
  cudaError_t prefetch(const void *pointer, size_t bytes, int toDevice,
                       cudaStream_t stream) override;
  cudaError_t advise(const void *pointer, size_t bytes, cudaMemoryAdvise advice,
                     int device) override;
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
  cudaError_t createEvent(unsigned flags, cudaEvent_t &out) override;
  cudaError_t destroyEvent(cudaEvent_t event) override;
  cudaError_t recordEvent(cudaEvent_t event, cudaStream_t stream, unsigned flags) override;
  cudaError_t synchronizeEvent(cudaEvent_t event) override;
  cudaError_t queryEvent(cudaEvent_t event) override;
  cudaError_t elapsedTime(cudaEvent_t start, cudaEvent_t end, float &milliseconds) override;

  cudaError_t updateExecutable(cudaGraphExec_t executable, cudaGraph_t graph,
                               cudaGraphExecUpdateResultInfo &result) override;
  cudaError_t uploadExecutable(cudaGraphExec_t executable, cudaStream_t stream) override;

  cudaError_t loadModule(const image::Module &module, std::unique_ptr<Module> &out,
                         std::string &reason) override;
  cudaError_t launch(Function &function, const Launch &launch) override;

private:
  cudaError_t launchByCallback(cudaStream_t stream, HipHostNode call);
  cudaError_t loadComparison(std::unique_ptr<Module> &out);
  /// Gives the address of memory for one cooperative launch.
  cudaError_t nextGridWorkspace(uint64_t &address);

  /// A buffer that is unused once the event has completed.
  struct Retired {
    void *pointer;
    cudaEvent_t event;
  };
  void freeRetired();

  const Library &library;
  int ordinal;
  std::string chip;
  std::mutex retiring;
  std::vector<Retired> retired;
  std::mutex makingWorkspaces;
  void *gridWorkspaces = nullptr; ///< null until a cooperative launch needs one
  size_t usedWorkspaces = 0;
  PageComparison comparison;
};

/// Returns whether code for `arch` ("gfx90a", or "gfx90a:xnack-" for only that setting)
/// runs on `chip`.
[[nodiscard]] bool runsOn(std::string_view arch, std::string_view chip);

/// Returns the code object with compare.cu's kernel for `chip`; empty if there is
/// none.
[[nodiscard]] std::span<const char> comparisonCode(std::string_view chip);

} // namespace regrain::hip
