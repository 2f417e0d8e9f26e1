//===- device.h - The interface of every device -----------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A plugin lists devices and opens them; a Device allocates, copies and
// launches. All calls return CUDA's status values, and any threads may make
// them at once. The core has called bindThread() on the calling thread before
// any other call except properties(), attribute() and codeRank().
//
// Streams and events are opaque handles of the plugin that cross the CUDA API
// unchanged: on NVIDIA they are the driver's own. The special stream values
// (null, cudaStreamLegacy, cudaStreamPerThread) reach the plugin unchanged.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "image_generated.h"
#include "include/cuda/driver_types.h"
#include "runtime/core/arrays.h"
#include "runtime/core/device_graphs.h"
#include "runtime/core/device_pools.h"
#include "runtime/core/residency.h"

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <sys/types.h>
#include <vector>

namespace regrain {

/// The version changes whenever a change of this file affects plugins.
inline constexpr uint32_t deviceInterfaceVersion = 12;

using Extent = std::array<uint32_t, 3>; ///< x, y, z

/// The place of one kernel parameter in the parameter buffer, in bytes.
struct ParameterLayout {
  uint32_t offset;
  uint32_t size;
};

/// One launch in the form in which the device runs it: scaled to the
/// alternative, with the alternative's extra parameters appended.
struct Launch {
  Extent grid;
  Extent block;
  uint32_t dynamicSharedBytes;
  cudaStream_t stream;
  /// values[i] points to parameter i; the pointees live until launch() returns.
  void **values;
  std::span<const ParameterLayout> parameters;
  /// All blocks run at once, and the kernel has a barrier over them. The core has checked that the
  /// device holds them, and that it can do this.
  bool isCooperative = false;
  /// The blocks of a cluster. The core has checked that they divide the grid, and that the device
  /// can do this.
  Extent cluster = {1, 1, 1};
  /// The part of a multiprocessor's memory that is shared memory, and not first-level cache, in
  /// percent of the most that it can be; nothing: as the function and the device say.
  std::optional<uint32_t> sharedPercent = std::nullopt;
  /// The launch may begin before the one in front of it in the stream has ended: its code waits for
  /// that where it has to. A device may ignore this.
  bool mayBeginEarly = false;

  /// Returns how many blocks are in a cluster.
  uint32_t clusterBlocks() const { return cluster[0] * cluster[1] * cluster[2]; }
};

enum class HostMemory : uint8_t { Pinned, Managed };

/// Memory that is one object: what is derived from a pointer into it stays in it.
struct MemoryExtent {
  uintptr_t begin;
  size_t bytes;
};

/// One rectangular copy or fill: `height` rows of `width` bytes. A linear one
/// has height 1 and may have any pitch.
struct Rows {
  size_t width;
  size_t height;
};

/// A kernel in a loaded module. Lives as long as its module.
class Function {
public:
  virtual ~Function() = default;

  virtual cudaError_t attributes(cudaFuncAttributes &out) = 0;
  virtual cudaError_t setAttribute(cudaFuncAttribute attribute, int value) = 0;
  virtual cudaError_t setCacheConfig(cudaFuncCache config) = 0;

  /// Returns the number of blocks of `threads` threads that one multiprocessor
  /// holds at once. `flags` are those of
  /// cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags.
  virtual cudaError_t maxActiveBlocks(int threads, size_t dynamicSharedBytes, unsigned flags,
                                      int &blocks) = 0;

  /// Gives how many clusters of such a launch the device holds at once. `values` and `stream` do
  /// not matter here and below.
  virtual cudaError_t maxActiveClusters(const Launch &, int &) { return cudaErrorNotSupported; }
  /// Gives the most blocks that a cluster of such a launch can have, whatever its own clusters are.
  virtual cudaError_t maxClusterBlocks(const Launch &, int &) { return cudaErrorNotSupported; }

  /// Returns the kernel's handle in the driver API; null if the device has none.
  virtual cudaFunction_t driverHandle() { return nullptr; }
};

/// The code of one image module, loaded on one device. Its destruction unloads
/// it; the core has waited for the device before.
class Module {
public:
  virtual ~Module() = default;

  /// Returns cudaErrorInvalidDeviceFunction if the module has no such kernel.
  virtual cudaError_t function(const char *symbol, std::unique_ptr<Function> &out) = 0;

  /// Gives the device address and the size in bytes of a module variable;
  /// returns cudaErrorInvalidSymbol if the module has none of that name.
  virtual cudaError_t variable(const char *symbol, void *&address, size_t &bytes) = 0;

  /// Stores a 64-bit device address into the module's global `slot`. The store
  /// is complete when the call returns. For a slot that the code generator
  /// dropped, it returns cudaErrorInvalidSymbol.
  virtual cudaError_t writeSlot(const char *slot, void *address) = 0;
};

/// The class of each plugin repeats these functions as overrides. So it says what it implements,
/// and the compiler names what is missing.
class Device : public DeviceGraphs, public DevicePools {
public:
  virtual ~Device() = default;

  //===--- Identity; these calls create no context. ----------------------===//

  virtual cudaError_t properties(cudaDeviceProp &out) = 0;
  virtual cudaError_t attribute(cudaDeviceAttr attribute, int &value) = 0;

  /// Rates the code of `module` for this device: a negative value means that it
  /// cannot run, otherwise higher is better. Only the kind and the architecture
  /// are inspected, and nothing is loaded.
  virtual int codeRank(const image::Module &module) = 0;

  /// Returns what determines how many blocks share a multiprocessor's memory; nothing if blocks do
  /// not share any, or if that is not known.
  virtual std::optional<SharedMemoryUnits> sharedMemoryUnits() { return std::nullopt; }

  //===--- Context -------------------------------------------------------===//

  /// Makes the device the calling thread's current one; the first call creates
  /// the context.
  virtual cudaError_t bindThread() = 0;
  /// Returns whether the device is still current for the calling thread. Another library of the
  /// process may have changed that. Takes no lock.
  virtual bool isBound() { return true; }
  virtual cudaError_t synchronize() = 0;

  /// Frees everything on the device. The core has destroyed the modules before.
  virtual cudaError_t reset() = 0;

  /// Returns the error that a failed kernel left on the device, or cudaSuccess.
  /// Never waits.
  virtual cudaError_t stickyError() = 0;

  virtual cudaError_t memoryInfo(size_t &freeBytes, size_t &totalBytes) = 0;
  virtual cudaError_t limit(cudaLimit limit, size_t &value) = 0;
  virtual cudaError_t setLimit(cudaLimit limit, size_t value) = 0;
  virtual cudaError_t cacheConfig(cudaFuncCache &config) = 0;
  virtual cudaError_t setCacheConfig(cudaFuncCache config) = 0;
  virtual cudaError_t flags(unsigned &flags) = 0;
  virtual cudaError_t setFlags(unsigned flags) = 0;

  //===--- Peers ---------------------------------------------------------===//
  //
  // These take another device of the same plugin, which some thread has bound.

  virtual cudaError_t canAccessPeer(Device &peer, int &canAccess) = 0;
  virtual cudaError_t enablePeer(Device &peer) = 0;
  virtual cudaError_t disablePeer(Device &peer) = 0;
  virtual cudaError_t peerAttribute(cudaDeviceP2PAttr attribute, Device &peer, int &value) = 0;

  /// These give for each operation what the link to the peer, or to the host, does by itself, as
  /// cudaAtomicOperationCapability. `capabilities` has the size of `operations`.
  virtual cudaError_t peerAtomics(std::span<const cudaAtomicOperation>, Device &, unsigned *) {
    return cudaErrorNotSupported;
  }
  virtual cudaError_t hostAtomics(std::span<const cudaAtomicOperation>, unsigned *) {
    return cudaErrorNotSupported;
  }

  //===--- Memory --------------------------------------------------------===//

  /// Sizes are in bytes and not 0.
  virtual cudaError_t allocate(size_t bytes, void *&out) = 0;
  /// Whether an allocation may begin at the address at which another one ends.
  virtual bool mayAllocationsTouch() { return false; }
  virtual cudaError_t allocatePitched(size_t width, size_t height, void *&out, size_t &pitch) = 0;
  virtual cudaError_t free(void *pointer) = 0;

  /// These allocate and free in the order of the stream's work; neither waits. Either
  /// kind of free accepts the result of either kind of allocation. They must not be
  /// called while the stream captures.
  virtual cudaError_t allocateInOrder(size_t bytes, cudaStream_t stream, void *&out) = 0;
  virtual cudaError_t freeInOrder(void *pointer, cudaStream_t stream) = 0;

  /// `flags` are those of cudaHostAlloc or cudaMallocManaged.
  virtual cudaError_t allocateHost(HostMemory kind, size_t bytes, unsigned flags, void *&out) = 0;
  /// Frees the result of allocateHost(Pinned); free() takes managed memory.
  virtual cudaError_t freeHost(void *pointer) = 0;
  virtual cudaError_t registerHost(void *pointer, size_t bytes, unsigned flags) = 0;
  virtual cudaError_t unregisterHost(void *pointer) = 0;
  virtual cudaError_t hostDevicePointer(void *host, void *&device) = 0;
  virtual cudaError_t hostFlags(void *host, unsigned &flags) = 0;
  virtual cudaError_t pointerAttributes(const void *pointer, cudaPointerAttributes &out) = 0;
  /// Gives the allocation around an address in memory of this device, whoever allocated it. On
  /// failure, `reason` says of the memory why there is none, as in "which is the host's".
  virtual cudaError_t memoryExtent(uintptr_t, MemoryExtent &, std::string &reason) {
    reason = "whose extent is not known";
    return cudaErrorNotSupported;
  }

  /// Copies rows. If `async` is false, the call returns when the copy is
  /// complete (or as soon as CUDA allows), and `stream` is null.
  virtual cudaError_t copy(void *to, size_t toPitch, const void *from, size_t fromPitch, Rows rows,
                           cudaMemcpyKind kind, cudaStream_t stream, bool async) = 0;
  virtual cudaError_t fill(void *to, size_t pitch, int value, Rows rows, cudaStream_t stream,
                           bool async) = 0;
  virtual cudaError_t prefetch(const void *pointer, size_t bytes, int toDevice,
                               cudaStream_t stream) = 0;
  virtual cudaError_t advise(const void *pointer, size_t bytes, cudaMemoryAdvise advice,
                             int device) = 0;

  /// Compares device memory in pages of `pageBytes`, the last of which may be
  /// shorter: differs[i] becomes 1 if page i differs, otherwise 0. pageBytes is
  /// a multiple of 16. Waits for the device before and after.
  virtual cudaError_t comparePages(const void *left, const void *right, size_t bytes,
                                   size_t pageBytes, std::span<uint8_t> differs) = 0;

  //===--- Streams and events --------------------------------------------===//

  virtual cudaError_t createStream(unsigned flags, int priority, cudaStream_t &out) = 0;
  virtual cudaError_t destroyStream(cudaStream_t stream) = 0;
  virtual cudaError_t synchronizeStream(cudaStream_t stream) = 0;
  /// Returns cudaErrorNotReady while work is pending.
  virtual cudaError_t queryStream(cudaStream_t stream) = 0;
  virtual cudaError_t streamFlags(cudaStream_t stream, unsigned &flags) = 0;
  virtual cudaError_t streamPriority(cudaStream_t stream, int &priority) = 0;
  virtual cudaError_t priorityRange(int &least, int &greatest) = 0;
  virtual cudaError_t streamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags) = 0;
  /// Runs function(data) on a host thread after the stream's earlier work.
  virtual cudaError_t launchHostFunction(cudaStream_t stream, void (*function)(void *),
                                         void *data) = 0;
  /// Keeps the stream busy for so long, so that what is queued meanwhile runs without pauses in
  /// between. A device that cannot do so does nothing.
  virtual cudaError_t delay(cudaStream_t stream, std::chrono::microseconds time) {
    return cudaSuccess;
  }

  /// Copies device memory behind the stream's earlier work and in front of a kernel that is timed.
  /// The device may take as long as it needs to begin the kernel at once: behind the work of
  /// another engine, and where a queue cannot start kernels fast enough, short kernels seem equally
  /// long.
  virtual cudaError_t copyByKernel(void *to, const void *from, size_t bytes, cudaStream_t stream) {
    return copy(to, bytes, from, bytes, {bytes, 1}, cudaMemcpyDeviceToDevice, stream, true);
  }

  virtual cudaError_t createEvent(unsigned flags, cudaEvent_t &out) = 0;
  virtual cudaError_t destroyEvent(cudaEvent_t event) = 0;
  virtual cudaError_t recordEvent(cudaEvent_t event, cudaStream_t stream, unsigned flags) = 0;
  virtual cudaError_t synchronizeEvent(cudaEvent_t event) = 0;
  virtual cudaError_t queryEvent(cudaEvent_t event) = 0;
  virtual cudaError_t elapsedTime(cudaEvent_t start, cudaEvent_t end, float &milliseconds) = 0;

  //===--- Code ----------------------------------------------------------===//

  /// Loads the module's code. On failure, `reason` says why in one sentence.
  virtual cudaError_t loadModule(const image::Module &module, std::unique_ptr<Module> &out,
                                 std::string &reason) = 0;

  /// Unloads `code`, which contains modules of the device, once the work that is queued
  /// at the call is complete: before the call returns, or later. The core calls this
  /// while a library is closed. The program's own next call reports an error that a
  /// kernel left.
  virtual void retire(std::shared_ptr<void> code) { static_cast<void>(synchronize()); }

  /// Queues one launch. The core has checked it against the device's limits on
  /// grid, block and shared memory.
  virtual cudaError_t launch(Function &function, const Launch &launch) = 0;

  //===--- Arrays ----------------------------------------------------------===//

  /// Returns the arrays of a device whose code has texture instructions; null if its code
  /// samples textures in memory (software_arrays.h).
  virtual std::unique_ptr<Arrays> makeArrays() { return nullptr; }

  //===--- The driver and other processes ---------------------------------===//
  //
  // Only NVIDIA's driver has what these do.

  /// Gives a function of the driver, as cudaGetDriverEntryPointByVersion does.
  virtual cudaError_t driverFunction(const char *, int, uint64_t, void *&,
                                     cudaDriverEntryPointQueryResult &) {
    return cudaErrorNotSupported;
  }

  virtual cudaError_t shareMemory(void *, cudaIpcMemHandle_t &) { return cudaErrorNotSupported; }
  virtual cudaError_t openShared(const cudaIpcMemHandle_t &, unsigned, void *&) {
    return cudaErrorNotSupported;
  }
  virtual cudaError_t closeShared(void *) { return cudaErrorNotSupported; }
  virtual cudaError_t shareEvent(cudaEvent_t, cudaIpcEventHandle_t &) {
    return cudaErrorNotSupported;
  }
  virtual cudaError_t openShared(const cudaIpcEventHandle_t &, cudaEvent_t &) {
    return cudaErrorNotSupported;
  }

  //===--- Threads -------------------------------------------------------===//

  /// Appends the threads of the process that do nothing but work of the device's streams.
  virtual void addThreads(std::vector<pid_t> &) {}
};

/// The entry of a plugin in the table of plugins. Device ordinals are the CUDA
/// ones, after CUDA_VISIBLE_DEVICES.
struct DevicePlugin {
  uint32_t interfaceVersion; ///< the deviceInterfaceVersion of its build
  const char *name;          ///< "cuda", "hip" or "cpu", as in REGRAIN_DEVICE

  /// Checks whether the plugin can work here at all; otherwise `reason` says
  /// why not in one sentence. The core calls it once, before the others, and
  /// after any fork().
  cudaError_t (*probe)(std::string &reason);
  int (*count)();
  /// Opens a device without creating its context; see Device::bindThread.
  cudaError_t (*open)(int ordinal, std::unique_ptr<Device> &out, std::string &reason);
  /// Returns the version that cudaDriverGetVersion reports: 1000 * major + 10 *
  /// minor.
  int (*driverVersion)();
  /// Returns the version of the component that runs the code, in the same form:
  /// measurements hold for only one version.
  int (*codeVersion)();
  /// Returns the ordinal of the device that is current for the calling thread, also if another
  /// library made it current; -1: none is. Null if only Device::bindThread makes one current.
  int (*currentOrdinal)() = nullptr;
};

/// Returns the plugin for NVIDIA GPUs through the driver API; it is always part
/// of libregrain.
const DevicePlugin &cudaPlugin();

/// Returns the plugin for AMD GPUs through the HIP library; it is always part
/// of libregrain.
const DevicePlugin &hipPlugin();

} // namespace regrain

/// Returns the CPU plugin: it is linked in, or found in libregrain-cpu.so.
extern "C" const regrain::DevicePlugin *regrainCpuPlugin();
