//===- device.cpp - An AMD GPU: context, streams, events ------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The enumerations of cache configurations, flags and advices have the same values in
// CUDA and in HIP, so they pass unchanged.
//
//===----------------------------------------------------------------------===//
#include "runtime/plugins/hip/device.h"

#include <memory>

namespace regrain::hip {

cudaError_t HipDevice::bindThread() { return toRuntime(library.setDevice(ordinal)); }

cudaError_t HipDevice::synchronize() { return toRuntime(library.deviceSynchronize()); }

cudaError_t HipDevice::reset() {
  // The error of a failed kernel ends with the context.
  static_cast<void>(comparison.release());
  {
    std::lock_guard lock(retiring);
    retired.clear();
  }
  {
    std::lock_guard lock(makingWorkspaces);
    gridWorkspaces = nullptr;
  }
  return toRuntime(library.deviceReset());
}

/// Since HIP 7 every call returns the error that a kernel left; before, such an error ends
/// the process. This call has no other effect, not even on a stream that captures.
cudaError_t HipDevice::stickyError() {
  int current = 0;
  return toRuntime(library.getDevice(&current));
}

cudaError_t HipDevice::memoryInfo(size_t &freeBytes, size_t &totalBytes) {
  return toRuntime(library.memGetInfo(&freeBytes, &totalBytes));
}

/// HIP numbers the first three limits as CUDA does; its other numbers are its own limits.
static bool isKnown(cudaLimit limit) { return limit <= cudaLimitMallocHeapSize; }

/// Returns the error for a limit that HIP lacks: it tells whether CUDA has it.
static cudaError_t refuse(cudaLimit limit) {
  return limit > cudaLimitPersistingL2CacheSize ? cudaErrorInvalidValue : cudaErrorUnsupportedLimit;
}

cudaError_t HipDevice::limit(cudaLimit limit, size_t &value) {
  if (!isKnown(limit))
    return refuse(limit);
  HipResult result = library.deviceGetLimit(&value, limit);
  // HIP 5 returns this for the stack limit, which it does not know.
  return result == HipResult::InvalidValue ? cudaErrorUnsupportedLimit : toRuntime(result);
}

cudaError_t HipDevice::setLimit(cudaLimit limit, size_t value) {
  if (!isKnown(limit) || !library.deviceSetLimit)
    return refuse(limit);
  return toRuntime(library.deviceSetLimit(limit, value));
}

cudaError_t HipDevice::cacheConfig(cudaFuncCache &config) {
  int value = 0;
  HipResult result = library.deviceGetCacheConfig(&value);
  config = static_cast<cudaFuncCache>(value);
  return toRuntime(result);
}

cudaError_t HipDevice::setCacheConfig(cudaFuncCache config) {
  return toRuntime(library.deviceSetCacheConfig(config));
}

cudaError_t HipDevice::flags(unsigned &flags) { return toRuntime(library.getDeviceFlags(&flags)); }

cudaError_t HipDevice::setFlags(unsigned flags) { return toRuntime(library.setDeviceFlags(flags)); }

cudaError_t HipDevice::canAccessPeer(Device &peer, int &canAccess) {
  return toRuntime(
      library.deviceCanAccessPeer(&canAccess, ordinal, static_cast<HipDevice &>(peer).ordinal));
}

cudaError_t HipDevice::enablePeer(Device &peer) {
  return toRuntime(
      library.deviceEnablePeerAccess(static_cast<HipDevice &>(peer).ordinal, /*flags=*/0));
}

cudaError_t HipDevice::disablePeer(Device &peer) {
  return toRuntime(library.deviceDisablePeerAccess(static_cast<HipDevice &>(peer).ordinal));
}

cudaError_t HipDevice::peerAttribute(cudaDeviceP2PAttr attribute, Device &peer, int &value) {
  // The enumerations are equal except for their start.
  return toRuntime(library.deviceGetP2PAttribute(&value, attribute - 1, ordinal,
                                                 static_cast<HipDevice &>(peer).ordinal));
}

//===--- Streams and events ----------------------------------------------===//

cudaError_t HipDevice::createStream(unsigned flags, int priority, cudaStream_t &out) {
  HipStream stream = nullptr;
  HipResult result = library.streamCreateWithPriority(&stream, flags, priority);
  out = reinterpret_cast<cudaStream_t>(stream);
  return toRuntime(result);
}

cudaError_t HipDevice::destroyStream(cudaStream_t stream) {
  return toRuntime(library.streamDestroy(toHip(stream)));
}

cudaError_t HipDevice::synchronizeStream(cudaStream_t stream) {
  return toRuntime(library.streamSynchronize(toHip(stream)));
}

cudaError_t HipDevice::queryStream(cudaStream_t stream) {
  return toRuntime(library.streamQuery(toHip(stream)));
}

/// HIP does not report it for the null stream. CUDA reports that it has none.
cudaError_t HipDevice::streamFlags(cudaStream_t stream, unsigned &flags) {
  if (toHip(stream))
    return toRuntime(library.streamGetFlags(toHip(stream), &flags));
  flags = cudaStreamDefault;
  return cudaSuccess;
}

cudaError_t HipDevice::streamPriority(cudaStream_t stream, int &priority) {
  return toRuntime(library.streamGetPriority(toHip(stream), &priority));
}

cudaError_t HipDevice::priorityRange(int &least, int &greatest) {
  return toRuntime(library.streamPriorityRange(&least, &greatest));
}

cudaError_t HipDevice::streamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags) {
  return toRuntime(library.streamWaitEvent(toHip(stream), event, flags));
}

namespace {

/// A host function that is passed through hipStreamAddCallback.
struct HostFunction {
  HipHostNode call;

  static void run(HipStream, HipResult, void *self) {
    std::unique_ptr<HostFunction> owned(static_cast<HostFunction *>(self));
    owned->call.function(owned->call.data);
  }
};

} // namespace

/// Does the work of hipLaunchHostFunc for libraries before 5.3: their callbacks run at once
/// if a stream captures, so in that case the node is made here.
cudaError_t HipDevice::launchByCallback(cudaStream_t stream, HipHostNode call) {
  CaptureInfo capture;
  if (cudaError_t status = captureInfo(stream, capture); status != cudaSuccess)
    return status;
  if (capture.status == cudaStreamCaptureStatusInvalidated)
    return cudaErrorStreamCaptureInvalidated;
  if (capture.status == cudaStreamCaptureStatusActive) {
    constexpr unsigned replace = 1; // hipStreamSetCaptureDependencies
    cudaGraphNode_t node = nullptr;
    HipResult result = library.graphAddHostNode(&node, capture.graph, capture.dependencies.data(),
                                                capture.dependencies.size(), &call);
    if (result == HipResult::Success)
      result = library.updateCaptureDependencies(toHip(stream), &node, 1, replace);
    return toRuntime(result);
  }
  auto owned = std::make_unique<HostFunction>(HostFunction{call});
  HipResult result =
      library.streamAddCallback(toHip(stream), HostFunction::run, owned.get(), /*flags=*/0);
  if (result == HipResult::Success)
    static_cast<void>(owned.release()); // the callback's type
  return toRuntime(result);
}

cudaError_t HipDevice::launchHostFunction(cudaStream_t stream, void (*function)(void *),
                                          void *data) {
  return library.launchHostFunc ? toRuntime(library.launchHostFunc(toHip(stream), function, data))
                                : launchByCallback(stream, {function, data});
}

cudaError_t HipDevice::createEvent(unsigned flags, cudaEvent_t &out) {
  return toRuntime(library.eventCreateWithFlags(&out, flags));
}

cudaError_t HipDevice::destroyEvent(cudaEvent_t event) {
  return toRuntime(library.eventDestroy(event));
}

cudaError_t HipDevice::recordEvent(cudaEvent_t event, cudaStream_t stream, unsigned flags) {
  if (flags == cudaEventRecordDefault)
    return toRuntime(library.eventRecord(event, toHip(stream)));
  return library.eventRecordWithFlags
             ? toRuntime(library.eventRecordWithFlags(event, toHip(stream), flags))
             : cudaErrorNotSupported;
}

cudaError_t HipDevice::synchronizeEvent(cudaEvent_t event) {
  return toRuntime(library.eventSynchronize(event));
}

cudaError_t HipDevice::queryEvent(cudaEvent_t event) {
  return toRuntime(library.eventQuery(event));
}

cudaError_t HipDevice::elapsedTime(cudaEvent_t start, cudaEvent_t end, float &milliseconds) {
  return toRuntime(library.eventElapsedTime(&milliseconds, start, end));
}

} // namespace regrain::hip
