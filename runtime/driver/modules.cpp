//===- modules.cpp - Modules and kernels of the driver API ----------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/core/libraries.h"
#include "runtime/driver/on_runtime.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace regrain::driver {
namespace {

CUresult load(CUmodule *module, const void *code) {
  if (!module || !code)
    return CUDA_ERROR_INVALID_VALUE;
  void *loaded = nullptr;
  cudaError_t status = Libraries::get().load(code, loaded);
  if (status == cudaSuccess)
    *module = static_cast<CUmodule>(loaded);
  return toDriver(status);
}

} // namespace

bool isOwn(const void *code) { return isOwnImage(code); }

bool isOwn(CUmodule module) { return Libraries::get().has(module); }

bool isOwn(CUfunction function) { return Libraries::get().libraryOf(function) != nullptr; }

CUresult cuModuleLoadData(CUmodule *module, const void *code) { return load(module, code); }

// The options are those of the driver's assembler.
CUresult cuModuleLoadDataEx(CUmodule *module, const void *code, unsigned int optionCount,
                            CUjit_option *options, void **values) {
  return load(module, code);
}

CUresult cuModuleLoadFatBinary(CUmodule *module, const void *code) { return load(module, code); }

CUresult cuModuleUnload(CUmodule module) { return toDriver(Libraries::get().unload(module)); }

CUresult cuModuleGetFunction(CUfunction *function, CUmodule module, const char *name) {
  void *found = nullptr;
  if (!function || !name)
    return CUDA_ERROR_INVALID_VALUE;
  cudaError_t status = Libraries::get().kernel(module, name, found);
  if (status == cudaSuccess)
    *function = static_cast<CUfunction>(found);
  return toDriver(status);
}

CUresult cuModuleGetGlobal(CUdeviceptr *pointer, size_t *bytes, CUmodule module, const char *name) {
  void *address = nullptr;
  size_t size = 0;
  if (!name)
    return CUDA_ERROR_NOT_FOUND;
  Libraries &libraries = Libraries::get();
  cudaError_t status = libraries.variable(module, name, image::VariableKind::Device, address, size);
  if (status == cudaErrorSymbolNotFound)
    status = libraries.variable(module, name, image::VariableKind::Managed, address, size);
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
  const std::pair<CUfunction_attribute, size_t> values[] = {
      {CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, size_t(known.maxThreadsPerBlock)},
      {CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, size_t(known.sharedSizeBytes)},
      {CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES, size_t(known.constSizeBytes)},
      {CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES, size_t(known.localSizeBytes)},
      {CU_FUNC_ATTRIBUTE_NUM_REGS, size_t(known.numRegs)},
      {CU_FUNC_ATTRIBUTE_PTX_VERSION, size_t(known.ptxVersion)},
      {CU_FUNC_ATTRIBUTE_BINARY_VERSION, size_t(known.binaryVersion)},
      {CU_FUNC_ATTRIBUTE_CACHE_MODE_CA, size_t(known.cacheModeCA)},
      {CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, size_t(known.maxDynamicSharedSizeBytes)},
      {CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, size_t(known.preferredShmemCarveout)},
      {CU_FUNC_ATTRIBUTE_CLUSTER_SIZE_MUST_BE_SET, size_t(known.clusterDimMustBeSet)},
      {CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH, size_t(known.requiredClusterWidth)},
      {CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT, size_t(known.requiredClusterHeight)},
      {CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH, size_t(known.requiredClusterDepth)},
      {CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED,
       size_t(known.nonPortableClusterSizeAllowed)},
  };
  auto *found = std::find_if(std::begin(values), std::end(values),
                             [&](auto &each) { return each.first == attribute; });
  if (found == std::end(values))
    return CUDA_ERROR_NOT_SUPPORTED;
  *value = int(found->second);
  return CUDA_SUCCESS;
}

CUresult cuFuncGetName(const char **name, CUfunction function) {
  return toDriver(cudaFuncGetName(name, function));
}

CUresult cuFuncGetParamInfo(CUfunction function, size_t index, size_t *offset, size_t *bytes) {
  return toDriver(cudaFuncGetParamInfo(function, index, offset, bytes));
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

} // namespace regrain::driver
