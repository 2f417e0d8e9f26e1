//===- streams.cpp - Streams and events of the driver API -----------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/driver/on_runtime.h"

namespace regrain::driver {

CUresult cuStreamCreate(CUstream *stream, unsigned int flags) {
  return toDriver(cudaStreamCreateWithFlags(stream, flags));
}

CUresult cuStreamCreateWithPriority(CUstream *stream, unsigned int flags, int priority) {
  return toDriver(cudaStreamCreateWithPriority(stream, flags, priority));
}

CUresult cuStreamDestroy(CUstream stream) { return toDriver(cudaStreamDestroy(stream)); }

CUresult cuStreamSynchronize(CUstream stream) { return toDriver(cudaStreamSynchronize(stream)); }

CUresult cuStreamQuery(CUstream stream) { return toDriver(cudaStreamQuery(stream)); }

CUresult cuStreamGetFlags(CUstream stream, unsigned int *flags) {
  return toDriver(cudaStreamGetFlags(stream, flags));
}

CUresult cuStreamGetPriority(CUstream stream, int *priority) {
  return toDriver(cudaStreamGetPriority(stream, priority));
}

CUresult cuStreamGetId(CUstream stream, unsigned long long *id) {
  return toDriver(cudaStreamGetId(stream, id));
}

CUresult cuStreamAttachMemAsync(CUstream stream, CUdeviceptr pointer, size_t bytes,
                                unsigned int flags) {
  return toDriver(
      cudaStreamAttachMemAsync(stream, reinterpret_cast<void *>(pointer), bytes, flags));
}

CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned int flags) {
  return toDriver(cudaStreamWaitEvent(stream, event, flags));
}

CUresult cuStreamAddCallback(CUstream stream, CUstreamCallback callback, void *userData,
                             unsigned int flags) {
  return toDriver(cudaStreamAddCallback(stream, reinterpret_cast<cudaStreamCallback_t>(callback),
                                        userData, flags));
}

CUresult cuLaunchHostFunc(CUstream stream, CUhostFn function, void *userData) {
  return toDriver(cudaLaunchHostFunc(stream, function, userData));
}

CUresult cuEventCreate(CUevent *event, unsigned int flags) {
  return toDriver(cudaEventCreateWithFlags(event, flags));
}

CUresult cuEventDestroy(CUevent event) { return toDriver(cudaEventDestroy(event)); }

CUresult cuEventRecord(CUevent event, CUstream stream) {
  return toDriver(cudaEventRecord(event, stream));
}

CUresult cuEventRecordWithFlags(CUevent event, CUstream stream, unsigned int flags) {
  return toDriver(cudaEventRecordWithFlags(event, stream, flags));
}

CUresult cuEventSynchronize(CUevent event) { return toDriver(cudaEventSynchronize(event)); }

CUresult cuEventQuery(CUevent event) { return toDriver(cudaEventQuery(event)); }

CUresult cuEventElapsedTime(float *milliseconds, CUevent start, CUevent end) {
  return toDriver(cudaEventElapsedTime(milliseconds, start, end));
}

} // namespace regrain::driver
