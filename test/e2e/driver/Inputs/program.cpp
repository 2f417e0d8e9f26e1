//===- program.cpp - A program over the driver API --------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// usage: program MODULE
//
// Any C++ compiler takes it. It prints one line, and exits with 1 if something is wrong.
//
//===----------------------------------------------------------------------===//
#include <cuda.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <vector>

#define CHECK(call) expect((call), CUDA_SUCCESS, #call, __LINE__)
#define FAILS(code, call) expect((call), (code), #call, __LINE__)
#define HOLDS(condition) expect(!(condition), 0, #condition, __LINE__)

static int wrong = 0;

static void expect(int got, int wanted, const char *what, int line) {
  if (got == wanted)
    return;
  const char *name = "?";
  cuGetErrorName(CUresult(got), &name);
  std::printf("line %d: %s: %d (%s), expected %d\n", line, what, got, name, wanted);
  ++wrong;
}

constexpr unsigned count = 1000, threads = 64, blocks = (count + threads - 1) / threads;

static bool hasValues(CUdeviceptr values, int factor, int offset) {
  std::vector<int> copy(count);
  CHECK(cuMemcpyDtoH(copy.data(), values, count * sizeof(int)));
  for (unsigned i = 0; i < count; ++i)
    if (copy[i] != int(i) * factor + offset)
      return false;
  return true;
}

static void testErrors() {
  const char *text = nullptr;
  CHECK(cuGetErrorName(CUDA_ERROR_INVALID_CONTEXT, &text));
  HOLDS(std::strcmp(text, "CUDA_ERROR_INVALID_CONTEXT") == 0);
  CHECK(cuGetErrorString(CUDA_ERROR_OUT_OF_MEMORY, &text));
  HOLDS(std::strcmp(text, "out of memory") == 0);
  FAILS(CUDA_ERROR_INVALID_VALUE, cuGetErrorName(CUresult(12345), &text));
  CUdeviceptr memory = 0;
  CUdevice device = -1;
  FAILS(CUDA_ERROR_NOT_INITIALIZED, cuDeviceGet(&device, 0));
  FAILS(CUDA_ERROR_NOT_INITIALIZED, cuMemAlloc(&memory, 4));
  FAILS(CUDA_ERROR_INVALID_VALUE, cuInit(1));
  CHECK(cuInit(0));
  FAILS(CUDA_ERROR_INVALID_CONTEXT, cuMemAlloc(&memory, 4));
  FAILS(CUDA_ERROR_INVALID_CONTEXT, cuCtxSynchronize());
}

/// The end of an allocation ends copies and fills. Without a current context there is no memory.
static void testBounds(CUdevice device) {
  CUcontext context = nullptr;
  CUdeviceptr memory = 0;
  char bytes[65] = {};
  CHECK(cuDevicePrimaryCtxRetain(&context, device));
  CHECK(cuCtxSetCurrent(context));
  CHECK(cuMemAlloc(&memory, 64));
  CHECK(cuMemcpyHtoD(memory, bytes, 64));
  FAILS(CUDA_ERROR_INVALID_VALUE, cuMemcpyHtoD(memory, bytes, 65));
  FAILS(CUDA_ERROR_INVALID_VALUE, cuMemcpyDtoH(bytes, memory + 32, 33));
  FAILS(CUDA_ERROR_INVALID_VALUE, cuMemcpyDtoD(memory, memory + 32, 33));
  FAILS(CUDA_ERROR_INVALID_VALUE, cuMemsetD32(memory, 0, 17));
  CHECK(cuMemFree(memory));
  CHECK(cuCtxSetCurrent(nullptr));
  FAILS(CUDA_ERROR_INVALID_CONTEXT, cuMemAlloc(&memory, 64));
  CHECK(cuCtxSetCurrent(context));
}

static void testContexts(CUdevice device) {
  CUcontext first = nullptr, second = nullptr, primary = nullptr, current = nullptr;
  CUdevice found = -1;
  CHECK(cuCtxGetCurrent(&current));
  HOLDS(current == nullptr);
  CHECK(cuCtxCreate(&first, 0, device));
  CHECK(cuCtxCreate(&second, 0, device));
  CHECK(cuCtxGetCurrent(&current));
  HOLDS(current == second);
  CHECK(cuCtxPopCurrent(&current));
  HOLDS(current == second);
  CHECK(cuCtxGetCurrent(&current));
  HOLDS(current == first);
  CHECK(cuCtxGetDevice(&found));
  HOLDS(found == device);
  CHECK(cuCtxDestroy(second));
  CHECK(cuCtxDestroy(first));
  CUctxCreateParams parameters = {};
  CHECK(cuCtxCreate(&first, &parameters, 0, device)); // the form of CUDA 13
  CHECK(cuCtxGetCurrent(&current));
  HOLDS(current == first);
  CHECK(cuCtxDestroy(first));
  CUctxCigParam graphics = {};
  parameters.cigParams = &graphics;
  FAILS(CUDA_ERROR_NOT_SUPPORTED, cuCtxCreate(&first, &parameters, 0, device));
  CHECK(cuDevicePrimaryCtxRetain(&primary, device));
  CHECK(cuCtxSetCurrent(primary));
  CHECK(cuCtxGetCurrent(&current));
  HOLDS(current == primary);
}

static void testDevice(CUdevice device) {
  char name[100] = "";
  int value = 0, major = 0, minor = -1;
  size_t bytes = 0, freeBytes = 0;
  CHECK(cuDeviceGetName(name, sizeof name, device));
  HOLDS(name[0] != '\0');
  CHECK(cuDeviceGetAttribute(&value, CU_DEVICE_ATTRIBUTE_WARP_SIZE, device));
  HOLDS(value == 32);
  CHECK(cuDeviceComputeCapability(&major, &minor, device));
  HOLDS(major >= 5 && minor >= 0);
  CHECK(cuDeviceTotalMem(&bytes, device));
  HOLDS(bytes > 0);
  CHECK(cuMemGetInfo(&freeBytes, &bytes));
  HOLDS(freeBytes <= bytes);
}

static void testMemory() {
  CUdeviceptr pointer = 0;
  CHECK(cuMemAlloc(&pointer, 64 * sizeof(int)));
  CHECK(cuMemsetD32(pointer, 0x01020304, 64));
  CHECK(cuMemsetD16(pointer + 8, 0x0506, 2));
  CHECK(cuMemsetD8(pointer + 12, 7, 4));
  unsigned values[64] = {};
  CHECK(cuMemcpyDtoH(values, pointer, sizeof values));
  HOLDS(values[0] == 0x01020304 && values[2] == 0x05060506 && values[3] == 0x07070707 &&
        values[63] == 0x01020304);
  unsigned char image[4][5] = {};
  CUDA_MEMCPY2D copy = {};
  copy.srcMemoryType = CU_MEMORYTYPE_DEVICE;
  copy.srcDevice = pointer;
  copy.srcXInBytes = 12;
  copy.srcPitch = 16;
  copy.dstMemoryType = CU_MEMORYTYPE_HOST;
  copy.dstHost = image;
  copy.dstPitch = 5;
  copy.WidthInBytes = 4;
  copy.Height = 4;
  CHECK(cuMemcpy2D(&copy));
  HOLDS(image[0][0] == 7 && image[0][4] == 0 && image[1][0] == 4 && image[3][3] == 1);
  CHECK(cuMemFree(pointer));
}

static void testVirtualMemory() {
  CUmemAllocationProp properties = {};
  size_t granularity = 0;
  properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  FAILS(CUDA_ERROR_NOT_SUPPORTED,
        cuMemGetAllocationGranularity(&granularity, &properties, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
}

/// Writes an array, and reads a part of it in memory and through a texture of fractions.
static void testArrays(CUmodule module) {
  constexpr unsigned width = 8, height = 4;
  unsigned char pixels[height][width] = {}, part[2][3] = {};
  for (unsigned y = 0; y < height; ++y)
    for (unsigned x = 0; x < width; ++x)
      pixels[y][x] = y * 50 + x;
  CUarray array = nullptr;
  CUDA_ARRAY_DESCRIPTOR description = {width, height, CU_AD_FORMAT_UNSIGNED_INT8, 3};
  FAILS(CUDA_ERROR_INVALID_VALUE, cuArrayCreate(&array, &description)); // of three channels
  description.NumChannels = 1;
  CHECK(cuArrayCreate(&array, &description));
  CUDA_MEMCPY2D copy = {};
  copy.srcMemoryType = CU_MEMORYTYPE_HOST;
  copy.srcHost = pixels;
  copy.srcPitch = width;
  copy.dstMemoryType = CU_MEMORYTYPE_ARRAY;
  copy.dstArray = array;
  copy.WidthInBytes = width;
  copy.Height = height;
  CHECK(cuMemcpy2D(&copy));
  copy = {};
  copy.srcMemoryType = CU_MEMORYTYPE_ARRAY;
  copy.srcArray = array;
  copy.srcXInBytes = 2;
  copy.srcY = 1;
  copy.dstMemoryType = CU_MEMORYTYPE_HOST;
  copy.dstHost = part;
  copy.dstPitch = sizeof part[0];
  copy.WidthInBytes = sizeof part[0];
  copy.Height = 2;
  CHECK(cuMemcpy2D(&copy));
  HOLDS(part[0][0] == 52 && part[0][2] == 54 && part[1][0] == 102);

  CUDA_RESOURCE_DESC resource = {};
  resource.resType = CU_RESOURCE_TYPE_ARRAY;
  resource.res.array.hArray = array;
  CUDA_TEXTURE_DESC modes = {};
  modes.addressMode[0] = modes.addressMode[1] = CU_TR_ADDRESS_MODE_CLAMP;
  CUtexObject texture = 0;
  CUfunction function = nullptr;
  CUdeviceptr values = 0;
  float fractions[width] = {};
  CHECK(cuTexObjectCreate(&texture, &resource, &modes, nullptr));
  CHECK(cuModuleGetFunction(&function, module, "sample"));
  CHECK(cuMemAlloc(&values, sizeof fractions));
  void *arguments[] = {&texture, &values};
  CHECK(cuLaunchKernel(function, 1, 1, 1, width, 1, 1, 0, nullptr, arguments, nullptr));
  CHECK(cuMemcpyDtoH(fractions, values, sizeof fractions));
  for (unsigned x = 0; x < width; ++x)
    HOLDS(fractions[x] == pixels[2][x] / 255.0f);
  CHECK(cuTexObjectDestroy(texture));
  CHECK(cuArrayDestroy(array));
  CHECK(cuMemFree(values));
}

static void launch(CUfunction function, CUdeviceptr values, int factor, CUstream stream) {
  unsigned number = count;
  void *arguments[] = {&values, &number, &factor};
  CHECK(cuLaunchKernel(function, blocks, 1, 1, threads, 1, 1, threads * sizeof(int), stream,
                       arguments, nullptr));
}

/// Passes the arguments in one buffer.
static void launchPacked(CUfunction function, CUdeviceptr values, int factor) {
  struct {
    CUdeviceptr values;
    int count, factor;
  } packed = {values, count, factor};
  size_t bytes = sizeof packed;
  void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &packed, CU_LAUNCH_PARAM_BUFFER_SIZE, &bytes,
                   CU_LAUNCH_PARAM_END};
  CHECK(cuLaunchKernel(function, blocks, 1, 1, threads, 1, 1, threads * sizeof(int), nullptr,
                       nullptr, extra));
}

static void testKernel(CUmodule module) {
  CUfunction function = nullptr;
  CHECK(cuModuleGetFunction(&function, module, "scale"));
  FAILS(CUDA_ERROR_NOT_FOUND, cuModuleGetFunction(&function, module, "absent"));
  int most = 0, resident = 0, grid = 0, block = 0;
  CHECK(cuFuncGetAttribute(&most, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, function));
  HOLDS(most >= 64);
  CHECK(cuFuncSetAttribute(function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 1024));
  CHECK(cuOccupancyMaxActiveBlocksPerMultiprocessor(&resident, function, 64, 256));
  HOLDS(resident > 0);
  CHECK(cuOccupancyMaxPotentialBlockSize(&grid, &block, function, nullptr, 0, 128));
  HOLDS(grid > 0 && block > 0 && block <= 128);

  CUdeviceptr values = 0, variable = 0;
  size_t bytes = 0;
  std::vector<int> start(count);
  for (unsigned i = 0; i < count; ++i)
    start[i] = i;
  CUstream stream = nullptr;
  CUevent before = nullptr, after = nullptr;
  float milliseconds = -1;
  CHECK(cuMemAlloc(&values, count * sizeof(int)));
  CHECK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  CHECK(cuEventCreate(&before, CU_EVENT_DEFAULT));
  CHECK(cuEventCreate(&after, CU_EVENT_DEFAULT));
  CHECK(cuMemcpyHtoDAsync(values, start.data(), count * sizeof(int), stream));
  CHECK(cuEventRecord(before, stream));
  launch(function, values, 3, stream);
  CHECK(cuEventRecord(after, stream));
  CHECK(cuStreamSynchronize(stream));
  CHECK(cuEventElapsedTime(&milliseconds, before, after));
  HOLDS(milliseconds >= 0);
  HOLDS(hasValues(values, 3, 5));

  int offset = 1, launches = 0;
  CHECK(cuModuleGetGlobal(&variable, &bytes, module, "offset"));
  HOLDS(bytes == sizeof(int));
  CHECK(cuMemcpyHtoD(variable, &offset, sizeof offset));
  launchPacked(function, values, 2);
  CHECK(cuCtxSynchronize());
  HOLDS(hasValues(values, 6, 11));
  CHECK(cuModuleGetGlobal(&variable, nullptr, module, "launches"));
  CHECK(cuMemcpyDtoH(&launches, variable, sizeof launches));
  HOLDS(launches == 2);

  CHECK(cuEventDestroy(before));
  CHECK(cuEventDestroy(after));
  CHECK(cuStreamDestroy(stream));
  CHECK(cuMemFree(values));
}

static void testLibrary(const char *path) {
  CUlibrary library = nullptr, back = nullptr;
  CUkernel kernel = nullptr, listed[2] = {};
  CUmodule module = nullptr;
  CUfunction function = nullptr;
  CUdeviceptr variable = 0;
  size_t bytes = 0, offset = 1;
  unsigned kernels = 0;
  int most = 0;
  const char *name = nullptr;
  CHECK(cuLibraryLoadFromFile(&library, path, nullptr, nullptr, 0, nullptr, nullptr, 0));
  CHECK(cuLibraryGetKernelCount(&kernels, library));
  HOLDS(kernels == 2);
  CHECK(cuLibraryEnumerateKernels(listed, 2, library));
  CHECK(cuLibraryGetKernel(&kernel, library, "scale"));
  HOLDS(kernel == listed[0] || kernel == listed[1]);
  FAILS(CUDA_ERROR_NOT_FOUND, cuLibraryGetKernel(&kernel, library, "absent"));
  CHECK(cuKernelGetName(&name, kernel));
  HOLDS(std::strcmp(name, "scale") == 0);
  CHECK(cuKernelGetParamInfo(kernel, 1, &offset, &bytes));
  HOLDS(offset == 8 && bytes == sizeof(int));
  CHECK(cuKernelGetAttribute(&most, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, kernel, 0));
  HOLDS(most >= 64);
  CHECK(cuKernelSetAttribute(CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 2048, kernel, 0));
  CHECK(cuKernelGetLibrary(&back, kernel));
  HOLDS(back == library);
  CHECK(cuLibraryGetGlobal(&variable, &bytes, library, "launches"));
  HOLDS(variable != 0 && bytes == sizeof(int));
  FAILS(CUDA_ERROR_NOT_FOUND, cuLibraryGetManaged(&variable, &bytes, library, "launches"));

  CHECK(cuKernelGetFunction(&function, kernel));
  CHECK(cuLibraryGetModule(&module, library));
  testKernel(module);
  CUdeviceptr values = 0;
  std::vector<int> start(count, 1);
  CHECK(cuMemAlloc(&values, count * sizeof(int)));
  CHECK(cuMemcpyHtoD(values, start.data(), count * sizeof(int)));
  CUlaunchAttribute attribute = {};
  attribute.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
  attribute.value.clusterDim.x = attribute.value.clusterDim.y = attribute.value.clusterDim.z = 1;
  CUlaunchConfig config = {};
  config.gridDimX = blocks;
  config.blockDimX = threads;
  config.gridDimY = config.gridDimZ = config.blockDimY = config.blockDimZ = 1;
  config.sharedMemBytes = threads * sizeof(int);
  config.attrs = &attribute;
  config.numAttrs = 1;
  int elements = count, factor = 4, result = 0;
  void *arguments[] = {&values, &elements, &factor};
  CHECK(cuLaunchKernelEx(&config, function, arguments, nullptr));
  CHECK(cuMemcpyDtoH(&result, values, sizeof result));
  HOLDS(result == 5); /* testKernel has set the offset to 1 */
  CHECK(cuMemFree(values));
  CHECK(cuLibraryUnload(library));
  FAILS(CUDA_ERROR_INVALID_HANDLE, cuLibraryUnload(library));
}

static void testEntryPoints() {
  void *entry = nullptr;
  CUdriverProcAddressQueryResult found = CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
  CHECK(cuGetProcAddress("cuDeviceGetCount", &entry, CUDA_VERSION, 0, &found));
  HOLDS(found == CU_GET_PROC_ADDRESS_SUCCESS);
  int devices = 0;
  CHECK(reinterpret_cast<CUresult (*)(int *)>(entry)(&devices));
  HOLDS(devices > 0);
}

int main(int argc, char **argv) {
  testErrors();
  CUdevice device = -1;
  CUmodule module = nullptr, again = nullptr;
  CHECK(cuInit(0));
  CHECK(cuDeviceGet(&device, 0));
  testContexts(device);
  testBounds(device);
  testDevice(device);
  testMemory();
  testVirtualMemory();
  FAILS(CUDA_ERROR_FILE_NOT_FOUND, cuModuleLoad(&module, "absent"));
  CHECK(cuModuleLoad(&module, argv[1]));
  testKernel(module);
  testArrays(module);
  std::ifstream file(argv[1], std::ios::binary);
  std::vector<char> code{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  code.push_back('\0');
  CHECK(cuModuleLoadDataEx(&again, code.data(), 0, nullptr, nullptr));
  testKernel(again); // its variables are its own
  CHECK(cuModuleUnload(module));
  CHECK(cuModuleUnload(again));
  testLibrary(argv[1]);
  testEntryPoints();
  std::printf("%d wrong\n", wrong);
  return wrong ? 1 : 0;
}
