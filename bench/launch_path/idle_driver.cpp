//===- idle_driver.cpp - A libcuda.so.1 that does nothing -----------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the host needs for a launch over this driver is the runtime's own share. Memory is the
// host's, events are 10 microseconds apart, and all other calls succeed. idle_driver_rest.cpp has
// the calls that need no answer.
//
//===----------------------------------------------------------------------===//
#include "bench/launch_path/idle_driver.h"
#include "include/cuda/driver_types.h"

#include <cstdlib>
#include <cstring>

namespace {

constexpr CUresult success{};
thread_local CUcontext current;
bool isCapturing = false; ///< one stream may, of a program with one thread
char handles[8];          ///< of everything that has one

template <typename Handle> CUresult give(Handle *out, int which) {
  *out = reinterpret_cast<Handle>(&handles[which]);
  return success;
}

template <typename T> CUresult answer(T *out, T value) {
  *out = value;
  return success;
}

} // namespace

CUresult idle_getErrorString(CUresult, const char **text) {
  return answer<const char *>(text, "the idle driver's text");
}
CUresult idle_driverGetVersion(int *version) { return answer(version, 13000); }
CUresult idle_deviceGetCount(int *count) { return answer(count, 1); }
CUresult idle_deviceGet(CUdevice *device, int ordinal) { return answer(device, ordinal); }
CUresult idle_deviceGetName(char *name, int bytes, CUdevice) {
  std::strncpy(name, "Idle GPU", size_t(bytes));
  return success;
}
CUresult idle_deviceTotalMem(size_t *bytes, CUdevice) { return answer(bytes, size_t(1) << 36); }
CUresult idle_memGetInfo(size_t *freeBytes, size_t *totalBytes) {
  *freeBytes = size_t(1) << 36;
  return answer(totalBytes, *freeBytes);
}

/// An H100's, as far as launches depend on them.
CUresult idle_deviceGetAttribute(int *value, int attribute, CUdevice) {
  switch (attribute) {
  case cudaDevAttrMaxThreadsPerBlock:
  case cudaDevAttrMaxBlockDimX:
  case cudaDevAttrMaxBlockDimY:
    return answer(value, 1024);
  case cudaDevAttrMaxBlockDimZ:
    return answer(value, 64);
  case cudaDevAttrMaxGridDimX:
    return answer(value, 0x7fffffff);
  case cudaDevAttrMaxGridDimY:
  case cudaDevAttrMaxGridDimZ:
    return answer(value, 65535);
  case cudaDevAttrMaxSharedMemoryPerBlockOptin:
    return answer(value, 232448);
  case cudaDevAttrMultiProcessorCount:
    return answer(value, 132);
  case cudaDevAttrComputeCapabilityMajor:
    return answer(value, 9);
  }
  return answer(value, 0);
}

CUresult idle_primaryCtxRetain(CUcontext *context, CUdevice) { return give(context, 0); }
CUresult idle_ctxSetCurrent(CUcontext context) {
  current = context;
  return success;
}
CUresult idle_ctxGetCurrent(CUcontext *context) { return answer(context, current); }
CUresult idle_ctxGetDevice(CUdevice *device) { return answer(device, CUdevice(0)); }
CUresult idle_moduleLoadDataEx(CUmodule *module, const void *, unsigned, int *, void **) {
  return give(module, 1);
}
CUresult idle_moduleGetFunction(CUfunction *function, CUmodule, const char *) {
  return give(function, 2);
}
CUresult idle_funcGetAttribute(int *value, int attribute, CUfunction) {
  constexpr int mostThreads = 0, mostDynamicBytes = 8;
  return answer(value, attribute == mostThreads ? 1024 : attribute == mostDynamicBytes ? 49152 : 0);
}
CUresult idle_maxActiveBlocks(int *blocks, CUfunction, int, size_t, unsigned) {
  return answer(blocks, 8);
}
CUresult idle_streamCreateWithPriority(CUstream *stream, unsigned, int) { return give(stream, 3); }
CUresult idle_eventCreate(CUevent *event, unsigned) { return give(event, 4); }
CUresult idle_eventElapsedTime(float *milliseconds, CUevent, CUevent) {
  return answer(milliseconds, 0.01f);
}

CUresult idle_streamBeginCapture(CUstream, int) {
  isCapturing = true;
  return success;
}
CUresult idle_streamEndCapture(CUstream, CUgraph *graph) {
  isCapturing = false;
  return give(graph, 5);
}
CUresult idle_streamGetCaptureInfo(CUstream, int *status, cuuint64_t *, CUgraph *,
                                   const CUgraphNode **, size_t *) {
  return answer(status,
                int(isCapturing ? cudaStreamCaptureStatusActive : cudaStreamCaptureStatusNone));
}
CUresult idle_graphInstantiate(CUgraphExec *executable, CUgraph, unsigned long long) {
  return give(executable, 6);
}

CUresult idle_memAlloc(CUdeviceptr *pointer, size_t bytes) {
  constexpr size_t alignment = 256; // as the driver's
  void *memory = std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
  return answer(pointer, reinterpret_cast<CUdeviceptr>(memory));
}
CUresult idle_memFree(CUdeviceptr pointer) {
  std::free(reinterpret_cast<void *>(pointer));
  return success;
}
CUresult idle_memcpyHtoD(CUdeviceptr to, const void *from, size_t bytes) {
  std::memcpy(reinterpret_cast<void *>(to), from, bytes);
  return success;
}
CUresult idle_memcpyDtoH(void *to, CUdeviceptr from, size_t bytes) {
  std::memcpy(to, reinterpret_cast<void *>(from), bytes);
  return success;
}
