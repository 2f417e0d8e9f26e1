//===- libraries.cpp - Libraries of the driver API ------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A library and its module are the same, and so are a kernel and its function.
//
//===----------------------------------------------------------------------===//
#include "runtime/core/libraries.h"
#include "runtime/driver/on_runtime.h"

namespace regrain::driver {
namespace {

CUfunction functionOf(CUkernel kernel) { return reinterpret_cast<CUfunction>(kernel); }

} // namespace

bool isOwn(CUlibrary library) { return Libraries::get().has(library); }

bool isOwn(CUkernel kernel) { return Libraries::get().libraryOf(kernel) != nullptr; }

/// The type of cudaLibraryGetGlobal and cudaLibraryGetManaged.
using VariableEntry = cudaError_t(void **, size_t *, cudaLibrary_t, const char *);

static CUresult findVariable(VariableEntry &entry, CUdeviceptr *pointer, size_t *bytes,
                             CUlibrary library, const char *name) {
  void *address = nullptr;
  CUresult result = toDriver(entry(&address, bytes, library, name));
  if (pointer && result == CUDA_SUCCESS)
    *pointer = reinterpret_cast<CUdeviceptr>(address);
  return result;
}

CUresult cuLibraryLoadData(CUlibrary *library, const void *code, CUjit_option *jitOptions,
                           void **jitValues, unsigned int jitCount, CUlibraryOption *libraryOptions,
                           void **libraryValues, unsigned int libraryCount) {
  return toDriver(cudaLibraryLoadData(library, code, nullptr, nullptr, 0, nullptr, nullptr, 0));
}

CUresult cuLibraryUnload(CUlibrary library) { return toDriver(cudaLibraryUnload(library)); }

CUresult cuLibraryGetKernel(CUkernel *kernel, CUlibrary library, const char *name) {
  return toDriver(cudaLibraryGetKernel(kernel, library, name));
}

CUresult cuLibraryGetKernelCount(unsigned int *count, CUlibrary library) {
  return toDriver(cudaLibraryGetKernelCount(count, library));
}

CUresult cuLibraryEnumerateKernels(CUkernel *kernels, unsigned int count, CUlibrary library) {
  return toDriver(cudaLibraryEnumerateKernels(kernels, count, library));
}

CUresult cuLibraryGetModule(CUmodule *module, CUlibrary library) {
  if (!module)
    return CUDA_ERROR_INVALID_VALUE;
  *module = reinterpret_cast<CUmodule>(library);
  return isOwn(library) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

CUresult cuLibraryGetGlobal(CUdeviceptr *pointer, size_t *bytes, CUlibrary library,
                            const char *name) {
  return findVariable(cudaLibraryGetGlobal, pointer, bytes, library, name);
}

CUresult cuLibraryGetManaged(CUdeviceptr *pointer, size_t *bytes, CUlibrary library,
                             const char *name) {
  return findVariable(cudaLibraryGetManaged, pointer, bytes, library, name);
}

CUresult cuLibraryGetUnifiedFunction(void **function, CUlibrary library, const char *symbol) {
  return CUDA_ERROR_NOT_SUPPORTED;
}

CUresult cuKernelGetFunction(CUfunction *function, CUkernel kernel) {
  if (!function)
    return CUDA_ERROR_INVALID_VALUE;
  *function = functionOf(kernel);
  return isOwn(kernel) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

CUresult cuKernelGetLibrary(CUlibrary *library, CUkernel kernel) {
  if (!library)
    return CUDA_ERROR_INVALID_VALUE;
  *library = static_cast<CUlibrary>(Libraries::get().libraryOf(kernel));
  return *library ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

CUresult cuKernelGetName(const char **name, CUkernel kernel) {
  return toDriver(cudaFuncGetName(name, kernel));
}

CUresult cuKernelGetParamInfo(CUkernel kernel, size_t index, size_t *offset, size_t *bytes) {
  return toDriver(cudaFuncGetParamInfo(kernel, index, offset, bytes));
}

CUresult cuKernelGetAttribute(int *value, CUfunction_attribute attribute, CUkernel kernel,
                              CUdevice device) {
  CUresult result = CUDA_SUCCESS;
  CUresult selected = withDevice(device, [&] {
    result = driver::cuFuncGetAttribute(value, attribute, functionOf(kernel));
    return cudaSuccess;
  });
  return selected == CUDA_SUCCESS ? result : selected;
}

// The attributes have the same numbers in both interfaces.
CUresult cuKernelSetAttribute(CUfunction_attribute attribute, int value, CUkernel kernel,
                              CUdevice device) {
  return toDriver(cudaKernelSetAttributeForDevice(kernel, static_cast<cudaFuncAttribute>(attribute),
                                                  value, device));
}

CUresult cuKernelSetCacheConfig(CUkernel kernel, CUfunc_cache config, CUdevice device) {
  return withDevice(
      device, [&] { return cudaFuncSetCacheConfig(kernel, static_cast<cudaFuncCache>(config)); });
}

} // namespace regrain::driver
