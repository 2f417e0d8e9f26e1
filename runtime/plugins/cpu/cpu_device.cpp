//===- cpu_device.cpp - The CPU as a device -------------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/plugins/cpu/cpu_device.h"

#include "runtime/plugins/cpu/device_heap.h"
#include "runtime/plugins/cpu/fault.h"
#include "runtime/plugins/cpu/module.h"

#include <algorithm>
#include <unistd.h>

namespace regrain::cpu {
namespace {

constexpr auto shutDownPatience = std::chrono::seconds(1);

/// There is one CPU device in a process.
std::atomic<CpuDevice *> openDevice = nullptr;
std::atomic<pid_t> openedBy = 0;

/// These are the limits that the heap does not keep.
std::map<cudaLimit, size_t> usualLimits() {
  return {{cudaLimitStackSize, 1024}, {cudaLimitPrintfFifoSize, 1 << 20}};
}

/// CUDA has limits that a CPU does not have.
cudaError_t unknownLimit(cudaLimit limit) {
  return limit > cudaLimitPersistingL2CacheSize ? cudaErrorInvalidValue : cudaErrorUnsupportedLimit;
}

} // namespace

CpuDevice::CpuDevice(int threads)
    : limits(describeProcessor(threads)), execution(threads), limitValues(usualLimits()) {
  openDevice = this;
  openedBy = getpid();
}

CpuDevice::~CpuDevice() { openDevice = nullptr; }

cudaError_t CpuDevice::properties(cudaDeviceProp &out) {
  out = limits;
  return cudaSuccess;
}

cudaError_t CpuDevice::attribute(cudaDeviceAttr attribute, int &value) {
  return readAttribute(limits, attribute, value);
}

int CpuDevice::codeRank(const image::Module &module) { return CpuModule::rank(module); }

cudaError_t CpuDevice::waitFor(const std::vector<Ticket> &tickets) {
  for (const Ticket &ticket : tickets)
    ticket.wait();
  if (cudaError_t error = sticky; error != cudaSuccess)
    return error;
  return passing.exchange(cudaSuccess);
}

cudaError_t CpuDevice::synchronize() {
  cudaError_t status = captures.checkDevice();
  if (status == cudaSuccess)
    status = waitForAll();
  retired.sweep();
  return status;
}

cudaError_t CpuDevice::reset() {
  for (const Ticket &ticket : streams.pendingEverywhere())
    ticket.wait();
  captures.endAll();
  graphs.destroyAll();
  events.destroyAll();
  streams.destroyAll();
  memory.freeAll();
  DeviceHeap::get().reset();
  {
    std::lock_guard lock(settings);
    limitValues = usualLimits();
  }
  sticky = cudaSuccess;
  passing = cudaSuccess;
  return cudaSuccess;
}

cudaError_t CpuDevice::limit(cudaLimit limit, size_t &value) {
  if (limit == cudaLimitMallocHeapSize) {
    value = DeviceHeap::get().limitInBytes();
    return cudaSuccess;
  }
  std::lock_guard lock(settings);
  auto found = limitValues.find(limit);
  if (found == limitValues.end())
    return unknownLimit(limit);
  value = found->second;
  return cudaSuccess;
}

/// The setting is only stored for the program to read; stack, printf and heap
/// are the process's own.
cudaError_t CpuDevice::setLimit(cudaLimit limit, size_t value) {
  if (limit == cudaLimitMallocHeapSize) {
    return DeviceHeap::get().setLimit(value) ? cudaSuccess : cudaErrorInvalidValue;
  }
  std::lock_guard lock(settings);
  auto found = limitValues.find(limit);
  if (found == limitValues.end())
    return unknownLimit(limit);
  found->second = value;
  return cudaSuccess;
}

cudaError_t CpuDevice::cacheConfig(cudaFuncCache &config) {
  std::lock_guard lock(settings);
  config = cachePreference;
  return cudaSuccess;
}

cudaError_t CpuDevice::setCacheConfig(cudaFuncCache config) {
  if (config > cudaFuncCachePreferEqual)
    return cudaErrorInvalidValue;
  std::lock_guard lock(settings);
  cachePreference = config;
  return cudaSuccess;
}

cudaError_t CpuDevice::flags(unsigned &flags) {
  std::lock_guard lock(settings);
  flags = deviceFlags;
  return cudaSuccess;
}

cudaError_t CpuDevice::setFlags(unsigned flags) {
  if (flags & ~unsigned(cudaDeviceMask))
    return cudaErrorInvalidValue;
  std::lock_guard lock(settings);
  deviceFlags = flags;
  return cudaSuccess;
}

// There is only one CPU, so it has no peer.
cudaError_t CpuDevice::canAccessPeer(Device &, int &canAccess) {
  canAccess = 0;
  return cudaSuccess;
}

cudaError_t CpuDevice::enablePeer(Device &) { return cudaErrorPeerAccessUnsupported; }

cudaError_t CpuDevice::setPoolAccess(cudaMemPool_t, Device &, cudaMemAccessFlags) {
  return cudaErrorPeerAccessUnsupported;
}

cudaError_t CpuDevice::disablePeer(Device &) { return cudaErrorPeerAccessNotEnabled; }

cudaError_t CpuDevice::peerAttribute(cudaDeviceP2PAttr, Device &, int &value) {
  value = 0;
  return cudaSuccess;
}

cudaError_t CpuDevice::submit(cudaStream_t stream, NodeKind kind, Work work) {
  if (cudaError_t error = sticky; error != cudaSuccess)
    return error;
  std::shared_ptr<Stream> queue = streams.find(stream);
  if (!queue)
    return cudaErrorInvalidResourceHandle;
  bool isCaptured = false;
  cudaError_t status = captures.add(queue, {kind, work}, isCaptured);
  if (status != cudaSuccess || isCaptured)
    return status;
  Ticket done;
  return streams.submit(queue, std::move(work), done);
}

cudaError_t CpuDevice::createStream(unsigned flags, int priority, cudaStream_t &out) {
  if (cudaError_t error = sticky; error != cudaSuccess)
    return error;
  int least = 0, greatest = 0;
  if (cudaError_t status = priorityRange(least, greatest); status != cudaSuccess)
    return status;
  out = streams.create(flags, std::clamp(priority, greatest, least));
  return cudaSuccess;
}

cudaError_t CpuDevice::destroyStream(cudaStream_t stream) {
  if (std::shared_ptr<Stream> queue = streams.find(stream))
    captures.leave(queue);
  return streams.destroy(stream);
}

cudaError_t CpuDevice::synchronizeStream(cudaStream_t stream) {
  std::shared_ptr<Stream> queue = streams.find(stream);
  if (!queue)
    return cudaErrorInvalidResourceHandle;
  cudaError_t status = captures.checkStream(queue);
  return status == cudaSuccess ? waitFor(streams.pending(queue)) : status;
}

cudaError_t CpuDevice::queryStream(cudaStream_t stream) {
  std::shared_ptr<Stream> queue = streams.find(stream);
  if (!queue)
    return cudaErrorInvalidResourceHandle;
  if (cudaError_t status = captures.checkStream(queue); status != cudaSuccess)
    return status;
  return streams.pending(queue).empty() ? waitFor({}) : cudaErrorNotReady;
}

cudaError_t CpuDevice::streamFlags(cudaStream_t stream, unsigned &flags) {
  std::shared_ptr<Stream> queue = streams.find(stream);
  if (!queue)
    return cudaErrorInvalidResourceHandle;
  flags = queue->flags;
  return cudaSuccess;
}

cudaError_t CpuDevice::streamPriority(cudaStream_t stream, int &priority) {
  std::shared_ptr<Stream> queue = streams.find(stream);
  if (!queue)
    return cudaErrorInvalidResourceHandle;
  priority = queue->priority;
  return cudaSuccess;
}

cudaError_t CpuDevice::priorityRange(int &least, int &greatest) {
  least = greatest = 0;
  return cudaSuccess;
}

cudaError_t CpuDevice::streamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags) {
  std::shared_ptr<Stream> queue = streams.find(stream);
  EventPoint point;
  cudaError_t status = queue ? events.pointOf(event, point) : cudaErrorInvalidResourceHandle;
  bool isCaptured = false;
  if (status == cudaSuccess && (flags & cudaEventWaitExternal))
    status = captures.add(queue, {NodeKind::EventWait, [] {}, event}, isCaptured);
  if (status != cudaSuccess || isCaptured || !point.isRecorded)
    return status;
  status = captures.wait(queue, point.captured.get(), isCaptured);
  if (status != cudaSuccess || isCaptured || point.ticket.isReached())
    return status;
  Ticket done;
  return streams.submit(queue, [] {}, done, {std::move(point.ticket)});
}

cudaError_t CpuDevice::launchHostFunction(cudaStream_t stream, void (*function)(void *),
                                          void *data) {
  return submit(stream, NodeKind::HostFunction, [function, data] { function(data); });
}

cudaError_t CpuDevice::createEvent(unsigned flags, cudaEvent_t &out) {
  if (cudaError_t error = sticky; error != cudaSuccess)
    return error;
  out = events.create(flags);
  return cudaSuccess;
}

cudaError_t CpuDevice::destroyEvent(cudaEvent_t event) { return events.destroy(event); }

cudaError_t CpuDevice::recordEvent(cudaEvent_t event, cudaStream_t stream, unsigned flags) {
  if (cudaError_t error = sticky; error != cudaSuccess)
    return error;
  std::shared_ptr<Stream> queue = streams.find(stream);
  if (!queue)
    return cudaErrorInvalidResourceHandle;
  std::shared_ptr<const CapturedPoint> point;
  EventPoint known;
  bool isCaptured = false;
  cudaError_t status = events.pointOf(event, known);
  if (status == cudaSuccess && (flags & cudaEventRecordExternal))
    status = captures.add(
        queue, {NodeKind::EventRecord, [this, event] { events.stamp(event); }, event}, isCaptured);
  if (status != cudaSuccess || isCaptured)
    return status;
  if (status = captures.mark(queue, point); status != cudaSuccess)
    return status;
  return point ? events.recordCaptured(event, std::move(point)) : events.record(event, queue);
}

cudaError_t CpuDevice::synchronizeEvent(cudaEvent_t event) {
  cudaError_t status = events.synchronize(event);
  return status == cudaSuccess ? waitFor({}) : status;
}

cudaError_t CpuDevice::queryEvent(cudaEvent_t event) {
  cudaError_t status = events.query(event);
  return status == cudaSuccess ? waitFor({}) : status;
}

cudaError_t CpuDevice::elapsedTime(cudaEvent_t start, cudaEvent_t end, float &milliseconds) {
  return events.elapsed(start, end, milliseconds);
}

cudaError_t CpuDevice::loadModule(const image::Module &module, std::unique_ptr<Module> &out,
                                  std::string &reason) {
  retired.sweep();
  return CpuModule::load(module, limits, out, reason);
}

/// This never waits: the thread that closes a library holds the loader's lock, and
/// pending work may need that lock to continue.
void CpuDevice::retire(std::shared_ptr<void> code) {
  retired.add(std::move(code), streams.pendingEverywhere());
  retired.sweep();
}

void CpuDevice::runLaunch(const QueuedLaunch &launch, uint64_t residents) {
  // After a failed kernel, the device does nothing more, like a GPU's context.
  if (sticky != cudaSuccess)
    return;
  catchFaults();
  LaunchRun run(launch, isShuttingDown);
  execution.run(run, residents);
  cudaError_t none = cudaSuccess;
  if (run.result() == cudaErrorMemoryAllocation)
    passing = cudaErrorMemoryAllocation;
  else if (run.result() != cudaSuccess)
    sticky.compare_exchange_strong(none, run.result());
}

cudaError_t CpuDevice::launch(Function &function, const Launch &launch) {
  const RegrainCpuKernel &kernel = static_cast<CpuFunction &>(function).kernel;
  auto queued = std::make_shared<const QueuedLaunch>(kernel, launch);
  int perProcessor = 0;
  cudaError_t status =
      function.maxActiveBlocks(int(launch.block[0] * launch.block[1] * launch.block[2]),
                               launch.dynamicSharedBytes, cudaOccupancyDefault, perProcessor);
  if (status != cudaSuccess)
    return status;
  uint64_t residents = uint64_t(std::max(perProcessor, 1)) * uint64_t(limits.multiProcessorCount);
  return submit(launch.stream, NodeKind::Kernel,
                [this, queued, residents] { runLaunch(*queued, residents); });
}

void CpuDevice::shutDownOpenOne() {
  if (CpuDevice *device = openDevice; device && getpid() == openedBy)
    device->shutDown();
}

void CpuDevice::shutDown() {
  isShuttingDown = true;
  auto deadline = std::chrono::steady_clock::now() + shutDownPatience;
  for (const Ticket &ticket : streams.pendingEverywhere())
    if (ticket.stream && !ticket.stream->waitUntil(ticket.number, deadline))
      return;
}

} // namespace regrain::cpu
