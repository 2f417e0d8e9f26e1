//===- modules.cpp - Modules and kernels of the driver API ----------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/core/launch.h"
#include "runtime/core/registry.h"
#include "runtime/core/settings.h"
#include "runtime/driver/on_runtime.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <memory>
#include <shared_mutex>
#include <string>
#include <vector>

namespace regrain::driver {
namespace {

/// Kernels and variables are registered by addresses, which the program's own have on the host.
using Handles = std::map<std::string, std::unique_ptr<char>, std::less<>>;

struct LoadedModule {
  std::vector<uint64_t> storage; ///< the image
  RegisteredImage *image = nullptr;
  Handles kernels, variables;
};

/// The modules that the program has loaded.
class Modules {
public:
  static Modules &get() {
    static auto *modules = new Modules;
    return *modules;
  }

  std::shared_mutex mutex; ///< is held while one of the maps is used
  std::map<CUmodule, std::unique_ptr<LoadedModule>> modules;
  std::map<CUfunction, CUmodule> functions;

  /// Returns null if there is no such module. The caller holds the mutex.
  LoadedModule *find(CUmodule module) {
    auto found = modules.find(module);
    return found == modules.end() ? nullptr : found->second.get();
  }
};

CUfunction toFunction(char *handle) { return reinterpret_cast<CUfunction>(handle); }

void registerContents(LoadedModule &module, const image::Image &image) {
  Registry &registry = Registry::get();
  module.image = registry.addImage(module.storage.data());
  if (image.kernels())
    for (const image::Kernel *kernel : *image.kernels()) {
      auto &handle = module.kernels[kernel->symbol()->str()];
      handle = std::make_unique<char>();
      registry.addKernel(module.image, handle.get(), kernel->symbol()->c_str());
    }
  if (image.variables())
    for (const image::Variable *variable : *image.variables()) {
      auto &handle = module.variables[variable->symbol()->str()];
      handle = std::make_unique<char>();
      registry.addVariable(module.image, handle.get(), variable->symbol()->c_str(),
                           variable->size());
    }
}

CUresult load(CUmodule *module, const void *code) {
  if (!module || !code)
    return CUDA_ERROR_INVALID_VALUE;
  uint64_t bytes = isOwn(code) ? promisedImageBytes(code, imageHeaderBytes) : 0;
  if (bytes == 0) {
    say("a module of PTX or machine code runs only on NVIDIA GPUs; regrain-nvcc -fatbin makes "
        "modules for other devices");
    return CUDA_ERROR_NO_BINARY_FOR_GPU;
  }
  auto loaded = std::make_unique<LoadedModule>();
  loaded->storage.resize(bytes / sizeof(uint64_t) + 1);
  std::memcpy(loaded->storage.data(), code, bytes);
  OpenedImage opened = openImage(loaded->storage.data(), bytes);
  if (opened.status != ImageStatus::Ok) {
    say("a module cannot be loaded: " + opened.message);
    return CUDA_ERROR_INVALID_IMAGE;
  }
  registerContents(*loaded, *opened.image);
  Modules &modules = Modules::get();
  std::unique_lock lock(modules.mutex);
  *module = reinterpret_cast<CUmodule>(loaded.get());
  for (auto &[symbol, handle] : loaded->kernels)
    modules.functions[toFunction(handle.get())] = *module;
  modules.modules[*module] = std::move(loaded);
  return CUDA_SUCCESS;
}

/// Fills in the addresses of the arguments that `extra` has in one buffer.
CUresult unpack(CUfunction function, void **extra, std::vector<void *> &values) {
  char *buffer = nullptr;
  for (; *extra != CU_LAUNCH_PARAM_END; extra += 2)
    if (*extra == CU_LAUNCH_PARAM_BUFFER_POINTER)
      buffer = static_cast<char *>(extra[1]);
  LaunchPlan *plan = nullptr;
  if (cudaError_t status = findPlan(function, plan); status != cudaSuccess)
    return toDriver(status);
  for (const ParameterLayout &parameter : plan->parameterLayout())
    values.push_back(buffer + parameter.offset);
  return buffer || values.empty() ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

} // namespace

bool isOwn(const void *code) { return code && hasImageMagic(code, imageHeaderBytes); }

bool isOwn(CUmodule module) {
  Modules &modules = Modules::get();
  std::shared_lock lock(modules.mutex);
  return modules.modules.contains(module);
}

bool isOwn(CUfunction function) {
  Modules &modules = Modules::get();
  std::shared_lock lock(modules.mutex);
  return modules.functions.contains(function);
}

CUresult cuModuleLoadData(CUmodule *module, const void *code) { return load(module, code); }

// The options are those of the driver's assembler.
CUresult cuModuleLoadDataEx(CUmodule *module, const void *code, unsigned int optionCount,
                            CUjit_option *options, void **values) {
  return load(module, code);
}

CUresult cuModuleLoadFatBinary(CUmodule *module, const void *code) { return load(module, code); }

CUresult cuModuleUnload(CUmodule module) {
  Modules &modules = Modules::get();
  std::unique_ptr<LoadedModule> unloaded;
  {
    std::unique_lock lock(modules.mutex);
    auto found = modules.modules.find(module);
    if (found == modules.modules.end())
      return CUDA_ERROR_INVALID_HANDLE;
    unloaded = std::move(found->second);
    modules.modules.erase(found);
    std::erase_if(modules.functions, [&](auto &entry) { return entry.second == module; });
  }
  if (isExiting())
    static_cast<void>(unloaded.release()); // work may still be using it
  else
    Registry::get().removeImage(unloaded->image);
  return CUDA_SUCCESS;
}

CUresult cuModuleGetFunction(CUfunction *function, CUmodule module, const char *name) {
  Modules &modules = Modules::get();
  std::shared_lock lock(modules.mutex);
  LoadedModule *loaded = modules.find(module);
  if (!loaded)
    return CUDA_ERROR_INVALID_HANDLE;
  if (!function || !name)
    return CUDA_ERROR_INVALID_VALUE;
  auto found = loaded->kernels.find(name);
  if (found == loaded->kernels.end())
    return CUDA_ERROR_NOT_FOUND;
  *function = toFunction(found->second.get());
  return CUDA_SUCCESS;
}

CUresult cuModuleGetGlobal(CUdeviceptr *pointer, size_t *bytes, CUmodule module, const char *name) {
  Modules &modules = Modules::get();
  std::shared_lock lock(modules.mutex);
  LoadedModule *loaded = modules.find(module);
  if (!loaded)
    return CUDA_ERROR_INVALID_HANDLE;
  auto found = name ? loaded->variables.find(name) : loaded->variables.end();
  if (found == loaded->variables.end())
    return CUDA_ERROR_NOT_FOUND;
  void *address = nullptr;
  size_t size = 0;
  cudaError_t status = findVariable(found->second.get(), address, size);
  if (pointer)
    *pointer = reinterpret_cast<CUdeviceptr>(address);
  if (bytes)
    *bytes = size;
  return toDriver(status);
}

CUresult cuFuncGetAttribute(int *value, CUfunction_attribute attribute, CUfunction function) {
  cudaFuncAttributes known = {};
  if (!value)
    return CUDA_ERROR_INVALID_VALUE;
  if (cudaError_t status = cudaFuncGetAttributes(&known, function); status != cudaSuccess)
    return toDriver(status);
  switch (attribute) {
  case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
    *value = known.maxThreadsPerBlock;
    return CUDA_SUCCESS;
  case CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES:
    *value = int(known.sharedSizeBytes);
    return CUDA_SUCCESS;
  case CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES:
    *value = int(known.constSizeBytes);
    return CUDA_SUCCESS;
  case CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES:
    *value = int(known.localSizeBytes);
    return CUDA_SUCCESS;
  case CU_FUNC_ATTRIBUTE_NUM_REGS:
    *value = known.numRegs;
    return CUDA_SUCCESS;
  case CU_FUNC_ATTRIBUTE_PTX_VERSION:
    *value = known.ptxVersion;
    return CUDA_SUCCESS;
  case CU_FUNC_ATTRIBUTE_BINARY_VERSION:
    *value = known.binaryVersion;
    return CUDA_SUCCESS;
  case CU_FUNC_ATTRIBUTE_CACHE_MODE_CA:
    *value = known.cacheModeCA;
    return CUDA_SUCCESS;
  case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
    *value = known.maxDynamicSharedSizeBytes;
    return CUDA_SUCCESS;
  case CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
    *value = known.preferredShmemCarveout;
    return CUDA_SUCCESS;
  default:
    return CUDA_ERROR_NOT_SUPPORTED;
  }
}

// The attributes have the same numbers in both interfaces.
CUresult cuFuncSetAttribute(CUfunction function, CUfunction_attribute attribute, int value) {
  return toDriver(cudaFuncSetAttribute(function, static_cast<cudaFuncAttribute>(attribute), value));
}

CUresult cuFuncSetCacheConfig(CUfunction function, CUfunc_cache config) {
  return toDriver(cudaFuncSetCacheConfig(function, static_cast<cudaFuncCache>(config)));
}

CUresult cuFuncSetSharedMemConfig(CUfunction function, CUsharedconfig config) {
  return toDriver(cudaFuncSetSharedMemConfig(function, static_cast<cudaSharedMemConfig>(config)));
}

CUresult cuLaunchKernel(CUfunction function, unsigned int gridX, unsigned int gridY,
                        unsigned int gridZ, unsigned int blockX, unsigned int blockY,
                        unsigned int blockZ, unsigned int sharedBytes, CUstream stream,
                        void **arguments, void **extra) {
  std::vector<void *> unpacked;
  if (extra) {
    if (arguments)
      return CUDA_ERROR_INVALID_VALUE;
    if (CUresult result = unpack(function, extra, unpacked); result != CUDA_SUCCESS)
      return result;
    arguments = unpacked.data();
  }
  return toDriver(cudaLaunchKernel(function, dim3(gridX, gridY, gridZ),
                                   dim3(blockX, blockY, blockZ), arguments, sharedBytes, stream));
}

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, CUfunction function,
                                                     int blockSize, size_t sharedBytes) {
  return toDriver(
      cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, function, blockSize, sharedBytes));
}

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, CUfunction function,
                                                              int blockSize, size_t sharedBytes,
                                                              unsigned int flags) {
  return toDriver(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
      blocks, function, blockSize, sharedBytes, flags));
}

CUresult cuOccupancyMaxPotentialBlockSize(int *gridSize, int *blockSize, CUfunction function,
                                          CUoccupancyB2DSize sharedBytesOf, size_t sharedBytes,
                                          int limit) {
  int device = 0, multiprocessors = 0, mostThreads = 0;
  if (!gridSize || !blockSize)
    return CUDA_ERROR_INVALID_VALUE;
  cudaFuncAttributes attributes = {};
  cudaError_t status = cudaGetDevice(&device);
  if (status == cudaSuccess)
    status = cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device);
  if (status == cudaSuccess)
    status = cudaFuncGetAttributes(&attributes, function);
  int largest = attributes.maxThreadsPerBlock;
  if (limit > 0)
    largest = std::min(largest, limit);
  constexpr int warp = 32;
  for (int size = largest; status == cudaSuccess && size > 0;
       size = size % warp ? size / warp * warp : size - warp) {
    int blocks = 0;
    status = cudaOccupancyMaxActiveBlocksPerMultiprocessor(
        &blocks, function, size, sharedBytesOf ? sharedBytesOf(size) : sharedBytes);
    if (status == cudaSuccess && blocks * size > mostThreads) {
      mostThreads = blocks * size;
      *blockSize = size;
      *gridSize = blocks * multiprocessors;
    }
  }
  return toDriver(status);
}

} // namespace regrain::driver
