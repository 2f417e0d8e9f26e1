//===- device.cpp - An NVIDIA GPU: context, streams, events ---------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The enumerations of limits, cache configurations, flags and advices have the
// same values in the runtime and in the driver, so they pass unchanged.
//
//===----------------------------------------------------------------------===//
#include "runtime/plugins/cuda/device.h"

#include "runtime/core/relaxed_capture.h"

namespace regrain::cuda {

cudaError_t CudaDevice::bindThread() {
  CUcontext current = nullptr;
  {
    std::lock_guard<std::mutex> guard(contextLock);
    current = context;
    if (!current)
      if (CUresult result = driver.primaryCtxRetain(&current, device); result != CUDA_SUCCESS)
        return toRuntime(result);
    context = current;
  }
  return toRuntime(driver.ctxSetCurrent(current));
}

bool CudaDevice::isBound() {
  CUcontext current = nullptr;
  return driver.ctxGetCurrent(&current) == CUDA_SUCCESS && current && current == context;
}

cudaError_t CudaDevice::synchronize() { return toRuntime(driver.ctxSynchronize()); }

cudaError_t CudaDevice::reset() {
  // The error of a failed kernel ends with the context.
  static_cast<void>(comparison.release());
  {
    std::lock_guard<std::mutex> guard(conditionLock);
    setter = nullptr;
    conditionValues = nullptr;
  }
  {
    std::lock_guard<std::mutex> guard(ownKernelsLock);
    ownKernels.reset();
  }
  std::lock_guard<std::mutex> guard(contextLock);
  context = nullptr;
  return toRuntime(driver.primaryCtxReset(device));
}

/// A query of the default stream would invalidate a capture: always that of a blocking
/// stream, and another one if the thread's mode is not relaxed.
cudaError_t CudaDevice::stickyError() {
  RelaxedCapture mayAsk(*this);
  int state = cudaStreamCaptureStatusNone;
  if (toRuntime(driver.streamIsCapturing(nullptr, &state)) == cudaErrorStreamCaptureImplicit)
    return cudaSuccess;
  cudaError_t status = toRuntime(driver.streamQuery(nullptr));
  bool isState = status == cudaErrorNotReady || (status >= cudaErrorStreamCaptureUnsupported &&
                                                 status <= cudaErrorStreamCaptureWrongThread);
  return isState ? cudaSuccess : status;
}

cudaError_t CudaDevice::memoryInfo(size_t &freeBytes, size_t &totalBytes) {
  return toRuntime(driver.memGetInfo(&freeBytes, &totalBytes));
}

cudaError_t CudaDevice::limit(cudaLimit limit, size_t &value) {
  return toRuntime(driver.ctxGetLimit(&value, limit));
}

cudaError_t CudaDevice::setLimit(cudaLimit limit, size_t value) {
  return toRuntime(driver.ctxSetLimit(limit, value));
}

cudaError_t CudaDevice::cacheConfig(cudaFuncCache &config) {
  int value = 0;
  CUresult result = driver.ctxGetCacheConfig(&value);
  config = static_cast<cudaFuncCache>(value);
  return toRuntime(result);
}

cudaError_t CudaDevice::setCacheConfig(cudaFuncCache config) {
  return toRuntime(driver.ctxSetCacheConfig(config));
}

cudaError_t CudaDevice::flags(unsigned &flags) {
  int active = 0;
  return toRuntime(driver.primaryCtxGetState(device, &flags, &active));
}

cudaError_t CudaDevice::setFlags(unsigned flags) {
  // The driver always maps host memory, and knows no flag for it.
  return toRuntime(driver.primaryCtxSetFlags(device, flags & ~unsigned(cudaDeviceMapHost)));
}

CUcontext CudaDevice::contextOf(Device &device) {
  auto &other = static_cast<CudaDevice &>(device);
  std::lock_guard<std::mutex> guard(other.contextLock);
  return other.context;
}

cudaError_t CudaDevice::canAccessPeer(Device &peer, int &canAccess) {
  return toRuntime(
      driver.deviceCanAccessPeer(&canAccess, device, static_cast<CudaDevice &>(peer).device));
}

cudaError_t CudaDevice::enablePeer(Device &peer) {
  return toRuntime(driver.ctxEnablePeerAccess(contextOf(peer), 0));
}

cudaError_t CudaDevice::disablePeer(Device &peer) {
  return toRuntime(driver.ctxDisablePeerAccess(contextOf(peer)));
}

cudaError_t CudaDevice::peerAttribute(cudaDeviceP2PAttr attribute, Device &peer, int &value) {
  return toRuntime(driver.deviceGetP2PAttribute(&value, attribute, device,
                                                static_cast<CudaDevice &>(peer).device));
}

// These are in drivers for CUDA 13.
cudaError_t CudaDevice::peerAtomics(std::span<const cudaAtomicOperation> operations, Device &peer,
                                    unsigned *capabilities) {
  if (!driver.deviceGetP2PAtomicCapabilities)
    return cudaErrorNotSupported;
  return toRuntime(driver.deviceGetP2PAtomicCapabilities(capabilities, operations.data(),
                                                         unsigned(operations.size()), device,
                                                         static_cast<CudaDevice &>(peer).device));
}

cudaError_t CudaDevice::hostAtomics(std::span<const cudaAtomicOperation> operations,
                                    unsigned *capabilities) {
  if (!driver.deviceGetHostAtomicCapabilities)
    return cudaErrorNotSupported;
  return toRuntime(driver.deviceGetHostAtomicCapabilities(capabilities, operations.data(),
                                                          unsigned(operations.size()), device));
}

//===--- Streams and events ----------------------------------------------===//

cudaError_t CudaDevice::createStream(unsigned flags, int priority, cudaStream_t &out) {
  return toRuntime(driver.streamCreateWithPriority(&out, flags, priority));
}

cudaError_t CudaDevice::destroyStream(cudaStream_t stream) {
  return toRuntime(driver.streamDestroy(stream));
}

cudaError_t CudaDevice::synchronizeStream(cudaStream_t stream) {
  return toRuntime(driver.streamSynchronize(stream));
}

cudaError_t CudaDevice::queryStream(cudaStream_t stream) {
  return toRuntime(driver.streamQuery(stream));
}

cudaError_t CudaDevice::streamFlags(cudaStream_t stream, unsigned &flags) {
  return toRuntime(driver.streamGetFlags(stream, &flags));
}

cudaError_t CudaDevice::streamPriority(cudaStream_t stream, int &priority) {
  return toRuntime(driver.streamGetPriority(stream, &priority));
}

cudaError_t CudaDevice::priorityRange(int &least, int &greatest) {
  return toRuntime(driver.ctxGetStreamPriorityRange(&least, &greatest));
}

cudaError_t CudaDevice::streamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags) {
  return toRuntime(driver.streamWaitEvent(stream, event, flags));
}

cudaError_t CudaDevice::launchHostFunction(cudaStream_t stream, void (*function)(void *),
                                           void *data) {
  return toRuntime(driver.launchHostFunc(stream, function, data));
}

cudaError_t CudaDevice::createEvent(unsigned flags, cudaEvent_t &out) {
  return toRuntime(driver.eventCreate(&out, flags));
}

cudaError_t CudaDevice::destroyEvent(cudaEvent_t event) {
  return toRuntime(driver.eventDestroy(event));
}

cudaError_t CudaDevice::recordEvent(cudaEvent_t event, cudaStream_t stream, unsigned flags) {
  return toRuntime(driver.eventRecordWithFlags(event, stream, flags));
}

cudaError_t CudaDevice::synchronizeEvent(cudaEvent_t event) {
  return toRuntime(driver.eventSynchronize(event));
}

cudaError_t CudaDevice::queryEvent(cudaEvent_t event) {
  return toRuntime(driver.eventQuery(event));
}

cudaError_t CudaDevice::elapsedTime(cudaEvent_t start, cudaEvent_t end, float &milliseconds) {
  return toRuntime(driver.eventElapsedTime(&milliseconds, start, end));
}

} // namespace regrain::cuda
