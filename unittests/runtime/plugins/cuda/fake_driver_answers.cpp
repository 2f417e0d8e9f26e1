//===- fake_driver_answers.cpp - Calls that the tests inspect -------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "unittests/runtime/plugins/cuda/fake_driver.h"
#include "unittests/runtime/plugins/cuda/fake_driver_calls.h"

#include <cstdlib>
#include <cstring>
#include <set>
#include <utility>

static CUcontext fakeContext() {
  static int place;
  return reinterpret_cast<CUcontext>(&place);
}

CUresult fake_getErrorString(CUresult, const char **text) {
  *text = "the fake driver's text";
  return CUDA_SUCCESS;
}

CUresult fake_deviceGetCount(int *count) {
  *count = fakeDriver().devices;
  return record("cuDeviceGetCount");
}

CUresult fake_deviceGetName(char *name, int bytes, CUdevice) {
  std::strncpy(name, "Fake GPU", bytes);
  return record("cuDeviceGetName");
}

CUresult fake_deviceGetAttribute(int *value, int attribute, CUdevice) {
  if (attribute < 1 || attribute >= cudaDevAttrMax)
    return fail("cuDeviceGetAttribute", CUDA_ERROR_INVALID_VALUE);
  if (attribute == cudaDevAttrComputeCapabilityMajor)
    *value = fakeDriver().capability / 10;
  else if (attribute == cudaDevAttrComputeCapabilityMinor)
    *value = fakeDriver().capability % 10;
  else if (auto known = fakeDriver().attributes.find(attribute);
           known != fakeDriver().attributes.end())
    *value = known->second;
  else
    *value = attribute;
  return record("cuDeviceGetAttribute");
}

CUresult fake_driverGetVersion(int *version) {
  *version = fakeDriver().version;
  return record("cuDriverGetVersion");
}

CUresult fake_primaryCtxRetain(CUcontext *context, CUdevice) {
  *context = fakeContext();
  return record("cuDevicePrimaryCtxRetain");
}

static thread_local CUcontext currentContext;

CUresult fake_ctxSetCurrent(CUcontext context) {
  currentContext = context;
  return record("cuCtxSetCurrent");
}

/// Is not recorded, because each call of the runtime begins with it.
CUresult fake_ctxGetCurrent(CUcontext *context) {
  *context = currentContext;
  return CUDA_SUCCESS;
}

CUresult fake_ctxGetDevice(CUdevice *device) {
  *device = fakeDriver().contextDevice;
  return currentContext ? record("cuCtxGetDevice")
                        : fail("cuCtxGetDevice", CUDA_ERROR_INVALID_CONTEXT);
}

CUresult fake_deviceGet(CUdevice *device, int ordinal) {
  *device = ordinal;
  return record("cuDeviceGet");
}

static CUresult allocate(const char *symbol, CUdeviceptr *pointer, size_t bytes) {
  if (bytes > fakeDriver().freeBytes())
    return fail(symbol, CUDA_ERROR_OUT_OF_MEMORY);
  CUresult result = record(symbol);
  if (result != CUDA_SUCCESS)
    return result;
  *pointer = reinterpret_cast<CUdeviceptr>(std::malloc(bytes));
  fakeDriver().allocated[*pointer] = bytes;
  return result;
}

CUresult fake_memGetInfo(size_t *freeBytes, size_t *totalBytes) {
  *freeBytes = fakeDriver().freeBytes();
  *totalBytes = fakeDriver().memoryBytes;
  return record("cuMemGetInfo_v2");
}

CUresult fake_deviceTotalMem(size_t *bytes, CUdevice) {
  *bytes = fakeDriver().memoryBytes;
  return record("cuDeviceTotalMem_v2");
}

CUresult fake_memAlloc(CUdeviceptr *pointer, size_t bytes) {
  return allocate("cuMemAlloc_v2", pointer, bytes);
}

CUresult fake_memAllocPitch(CUdeviceptr *pointer, size_t *pitch, size_t width, size_t height,
                            unsigned) {
  *pitch = width;
  return allocate("cuMemAllocPitch_v2", pointer, width * height);
}

CUresult fake_memAllocManaged(CUdeviceptr *pointer, size_t bytes, unsigned) {
  return allocate("cuMemAllocManaged", pointer, bytes);
}

CUresult fake_memPoolCreate(cudaMemPool_t *pool, const cudaMemPoolProps *properties) {
  fakeDriver().poolProperties = *properties;
  *pool = reinterpret_cast<cudaMemPool_t>(&fakeDriver().poolProperties);
  return record("cuMemPoolCreate");
}

CUresult fake_memAllocFromPoolAsync(CUdeviceptr *pointer, size_t bytes, cudaMemPool_t pool,
                                    CUstream) {
  fakeDriver().poolOfAllocation = pool;
  return allocate("cuMemAllocFromPoolAsync", pointer, bytes);
}

CUresult fake_memFree(CUdeviceptr pointer) {
  fakeDriver().allocated.erase(pointer);
  std::free(reinterpret_cast<void *>(pointer));
  return record("cuMemFree_v2");
}

CUresult fake_memcpyHtoD(CUdeviceptr to, const void *from, size_t bytes) {
  std::memcpy(reinterpret_cast<void *>(to), from, bytes);
  return record("cuMemcpyHtoD_v2");
}

CUresult fake_memcpyDtoH(void *to, CUdeviceptr from, size_t bytes) {
  std::memcpy(to, reinterpret_cast<void *>(from), bytes);
  return record("cuMemcpyDtoH_v2");
}

CUresult fake_memcpyHtoDAsync(CUdeviceptr to, const void *from, size_t bytes, CUstream) {
  std::memcpy(reinterpret_cast<void *>(to), from, bytes);
  return record("cuMemcpyHtoDAsync_v2");
}

CUresult fake_memcpy2D(const DriverCopy2D *copy) {
  fakeDriver().copied = *copy;
  return record("cuMemcpy2DUnaligned_v2");
}

static void answer(int attribute, void *out) {
  const auto &pointer = fakeDriver().pointer;
  switch (attribute) {
  case 2: // CU_POINTER_ATTRIBUTE_MEMORY_TYPE
    *static_cast<int *>(out) = static_cast<int>(pointer.memory);
    break;
  case 8: // IS_MANAGED
    *static_cast<unsigned *>(out) = pointer.isManaged;
    break;
  case 9: // DEVICE_ORDINAL
    *static_cast<int *>(out) = pointer.device;
    break;
  case 11: // RANGE_START_ADDR
    *static_cast<CUdeviceptr *>(out) = pointer.begin;
    break;
  case 12: // RANGE_SIZE
    *static_cast<size_t *>(out) = pointer.bytes;
    break;
  }
}

CUresult fake_pointerGetAttributes(unsigned count, int *attributes, void **data, CUdeviceptr) {
  for (unsigned index = 0; index < count; ++index)
    answer(attributes[index], data[index]);
  return record("cuPointerGetAttributes");
}

CUresult fake_memGetAddressRange(CUdeviceptr *begin, size_t *bytes, CUdeviceptr) {
  *begin = fakeDriver().pointer.mapped;
  *bytes = fakeDriver().pointer.mappedBytes;
  return record("cuMemGetAddressRange_v2");
}

CUresult fake_moduleLoadDataEx(CUmodule *module, const void *image, unsigned optionCount,
                               int *options, void **values) {
  constexpr int errorLogBuffer = 5;
  for (unsigned index = 0; index < optionCount; ++index)
    if (options[index] == errorLogBuffer)
      std::strcpy(static_cast<char *>(values[index]), fakeDriver().jitLog.c_str());
  fakeDriver().loadedCode = static_cast<const char *>(image);
  fakeDriver().captureModesOfLoading.push_back(fakeDriver().captureMode);
  *module = reinterpret_cast<CUmodule>(&fakeDriver());
  return record("cuModuleLoadDataEx");
}

CUresult fake_moduleGetFunction(CUfunction *function, CUmodule, const char *name) {
  static std::set<std::string> functions; // a function's handle is its name
  *function =
      reinterpret_cast<CUfunction>(const_cast<std::string *>(&*functions.insert(name).first));
  return std::strcmp(name, "absent") == 0 ? fail("cuModuleGetFunction", CUDA_ERROR_NOT_FOUND)
                                          : record("cuModuleGetFunction");
}

CUresult fake_moduleGetGlobal(CUdeviceptr *address, size_t *bytes, CUmodule, const char *name) {
  auto global = fakeDriver().globals.find(name);
  if (global == fakeDriver().globals.end())
    return fail("cuModuleGetGlobal_v2", CUDA_ERROR_NOT_FOUND);
  *address = reinterpret_cast<CUdeviceptr>(&global->second);
  *bytes = sizeof global->second;
  return record("cuModuleGetGlobal_v2");
}

CUresult fake_funcGetAttribute(int *value, int attribute, CUfunction) {
  constexpr int ptxVersion = 5;
  *value = attribute == ptxVersion ? fakeDriver().ptxVersion : 100 + attribute;
  return record("cuFuncGetAttribute");
}

CUresult fake_funcSetAttribute(CUfunction, int attribute, int value) {
  if (fakeDriver().beforeSetting)
    fakeDriver().beforeSetting(value);
  fakeDriver().functionAttributes[attribute] = value;
  return record("cuFuncSetAttribute");
}

CUresult fake_maxActiveBlocks(int *blocks, CUfunction, int, size_t, unsigned) {
  *blocks = fakeDriver().residentBlocks;
  return record("cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags");
}

CUresult fake_maxActiveClusters(int *clusters, CUfunction, const DriverLaunch *) {
  *clusters = fakeDriver().activeClusters;
  return record("cuOccupancyMaxActiveClusters");
}

CUresult fake_launchKernel(CUfunction function, unsigned gridX, unsigned gridY, unsigned gridZ,
                           unsigned blockX, unsigned blockY, unsigned blockZ,
                           unsigned dynamicSharedBytes, CUstream stream, void **parameters,
                           void **) {
  fakeDriver().launched = {
      {gridX, gridY, gridZ}, {blockX, blockY, blockZ}, dynamicSharedBytes, stream, parameters};
  if (*reinterpret_cast<const std::string *>(function) == "regrain_set_condition")
    fakeDriver().setterParameters.emplace_back(*static_cast<uint64_t *>(parameters[0]),
                                               *static_cast<uint64_t *>(parameters[1]));
  const auto &times = fakeDriver().launchMicroseconds;
  if (auto time = times.find(*reinterpret_cast<const std::string *>(function)); time != times.end())
    fakeDriver().microseconds += time->second;
  return record("cuLaunchKernel");
}

CUresult fake_launchCooperativeKernel(CUfunction, unsigned gridX, unsigned gridY, unsigned gridZ,
                                      unsigned blockX, unsigned blockY, unsigned blockZ,
                                      unsigned dynamicSharedBytes, CUstream stream,
                                      void **parameters) {
  fakeDriver().launched = {
      {gridX, gridY, gridZ}, {blockX, blockY, blockZ}, dynamicSharedBytes, stream, parameters};
  return record("cuLaunchCooperativeKernel");
}

CUresult fake_launchKernelEx(const DriverLaunch *launch, CUfunction, void **parameters, void **) {
  fakeDriver().launched = {{launch->gridX, launch->gridY, launch->gridZ},
                           {launch->blockX, launch->blockY, launch->blockZ},
                           launch->dynamicSharedBytes,
                           launch->stream,
                           parameters};
  fakeDriver().launchAttributes.assign(launch->attributes,
                                       launch->attributes + launch->attributeCount);
  return record("cuLaunchKernelEx");
}

/// A handle is the event's index, counted from 1.
static double &timeOf(CUevent event) {
  return fakeDriver().events[reinterpret_cast<uintptr_t>(event) - 1];
}

CUresult fake_eventCreate(CUevent *event, unsigned) {
  fakeDriver().isNoting = true;
  fakeDriver().events.push_back(0);
  *event = reinterpret_cast<CUevent>(fakeDriver().events.size());
  return record("cuEventCreate");
}

CUresult fake_eventRecordWithFlags(CUevent event, CUstream, unsigned) {
  timeOf(event) = fakeDriver().microseconds;
  return record("cuEventRecordWithFlags");
}

CUresult fake_eventElapsedTime(float *milliseconds, CUevent start, CUevent end) {
  *milliseconds = float((timeOf(end) - timeOf(start)) / 1000);
  return record("cuEventElapsedTime");
}

CUresult fake_streamQuery(CUstream) {
  fakeDriver().captureModesOfQueries.push_back(fakeDriver().captureMode);
  return record("cuStreamQuery");
}

CUresult fake_streamGetCaptureInfo(CUstream, int *status, cuuint64_t *id, CUgraph *,
                                   const CUgraphNode **dependencies, size_t *dependencyCount) {
  static const CUgraphNode nodes[] = {reinterpret_cast<CUgraphNode>(16),
                                      reinterpret_cast<CUgraphNode>(32)};
  *status = fakeDriver().captureStatus;
  *id = 42;
  *dependencies = nodes;
  *dependencyCount = 2;
  return record("cuStreamGetCaptureInfo_v2");
}

CUresult fake_streamBeginCapture(CUstream, int) {
  fakeDriver().captureStatus = cudaStreamCaptureStatusActive;
  return record("cuStreamBeginCapture_v2");
}

CUresult fake_streamBeginCaptureToGraph(CUstream, CUgraph, const CUgraphNode *,
                                        const cudaGraphEdgeData *, size_t, int) {
  ++fakeDriver().bodiesInProgress;
  return record("cuStreamBeginCaptureToGraph");
}

CUresult fake_streamEndCapture(CUstream, CUgraph *) {
  if (fakeDriver().bodiesInProgress)
    --fakeDriver().bodiesInProgress;
  else
    fakeDriver().captureStatus = cudaStreamCaptureStatusNone;
  return record("cuStreamEndCapture");
}

CUresult fake_graphConditionalHandleCreate(uint64_t *handle, CUgraph, CUcontext, unsigned,
                                           unsigned) {
  *handle = 100 + fakeDriver().conditionalNodes.size();
  return record("cuGraphConditionalHandleCreate");
}

CUresult fake_graphAddNode(CUgraphNode *node, CUgraph, const CUgraphNode *,
                           const cudaGraphEdgeData *, size_t, DriverConditionalNode *parameters) {
  static CUgraph bodies[] = {reinterpret_cast<CUgraph>(128), reinterpret_cast<CUgraph>(256)};
  *node = reinterpret_cast<CUgraphNode>(48);
  parameters->bodies = bodies;
  fakeDriver().conditionalNodes.push_back(*parameters);
  return record("cuGraphAddNode_v2");
}

CUresult fake_threadExchangeStreamCaptureMode(int *mode) {
  std::swap(*mode, fakeDriver().captureMode);
  return record("cuThreadExchangeStreamCaptureMode");
}

CUresult fake_graphExecUpdate(CUgraphExec, CUgraph, cudaGraphExecUpdateResultInfo *result) {
  *result = {cudaGraphExecUpdateErrorTopologyChanged, reinterpret_cast<CUgraphNode>(16),
             reinterpret_cast<CUgraphNode>(32)};
  return record("cuGraphExecUpdate_v2");
}

CUresult fake_array3DCreate(CUarray *array, const DriverArrayShape *shape) {
  static int place;
  *array = reinterpret_cast<CUarray>(&place);
  fakeDriver().lastShape = *shape;
  return record("cuArray3DCreate_v2");
}

CUresult fake_memcpy3D(const DriverCopy3D *copy) {
  fakeDriver().lastBox = *copy;
  return record("cuMemcpy3D_v2");
}

CUresult fake_texObjectCreate(CUtexObject *, const DriverResource *,
                              const DriverTexture *description, const DriverView *) {
  fakeDriver().lastTexture = *description;
  return record("cuTexObjectCreate");
}
