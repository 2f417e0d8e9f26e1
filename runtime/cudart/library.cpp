//===- library.cpp - Libraries that a program loads while it runs ---------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The handle of a kernel is an address under which it is registered, so that it can be launched as
// the program's own kernels. A library is loaded on a device when it is first used there.
//
//===----------------------------------------------------------------------===//
#include "runtime/core/launch.h"
#include "runtime/core/libraries.h"
#include "runtime/cudart/entry.h"

#include <algorithm>
#include <fstream>
#include <iterator>

using namespace regrain;

namespace {

cudaLibrary_t toLibrary(void *library) { return static_cast<cudaLibrary_t>(library); }

cudaError_t giveVariable(void **pointer, size_t *bytes, cudaLibrary_t library, const char *name,
                         image::VariableKind kind) {
  return onOpenDevice([&](OpenDevice &) {
    if (!name || (!pointer && !bytes))
      return cudaErrorInvalidValue;
    void *address = nullptr;
    size_t size = 0;
    cudaError_t status = Libraries::get().variable(library, name, kind, address, size);
    if (status == cudaErrorInvalidSymbol)
      return cudaErrorSymbolNotFound;
    if (status == cudaSuccess && pointer)
      *pointer = address;
    if (status == cudaSuccess && bytes)
      *bytes = size;
    return status;
  });
}

} // namespace

// The options are those of NVIDIA's assembler, and say how long the code stays in place.
cudaError_t cudaLibraryLoadData(cudaLibrary_t *library, const void *code, cudaJitOption *jitOptions,
                                void **jitValues, unsigned int jitCount,
                                cudaLibraryOption *libraryOptions, void **libraryValues,
                                unsigned int libraryCount) {
  return entry([&] {
    if (!library || !code)
      return cudaErrorInvalidValue;
    void *loaded = nullptr;
    cudaError_t status = Libraries::get().load(code, loaded);
    if (status == cudaSuccess)
      *library = toLibrary(loaded);
    return status;
  });
}

cudaError_t cudaLibraryLoadFromFile(cudaLibrary_t *library, const char *path,
                                    cudaJitOption *jitOptions, void **jitValues,
                                    unsigned int jitCount, cudaLibraryOption *libraryOptions,
                                    void **libraryValues, unsigned int libraryCount) {
  std::vector<char> code;
  cudaError_t status = entry([&] {
    if (!library || !path)
      return cudaErrorInvalidValue;
    std::ifstream file(path, std::ios::binary);
    code.assign(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
    if (code.empty())
      return cudaErrorFileNotFound;
    code.push_back('\0'); // PTX ends so
    return cudaSuccess;
  });
  return status == cudaSuccess
             ? cudaLibraryLoadData(library, code.data(), jitOptions, jitValues, jitCount,
                                   libraryOptions, libraryValues, libraryCount)
             : status;
}

cudaError_t cudaLibraryUnload(cudaLibrary_t library) {
  return entry([&] { return Libraries::get().unload(library); });
}

cudaError_t cudaLibraryGetKernel(cudaKernel_t *kernel, cudaLibrary_t library, const char *name) {
  return entry([&] {
    void *found = nullptr;
    if (!kernel || !name)
      return cudaErrorInvalidValue;
    cudaError_t status = Libraries::get().kernel(library, name, found);
    if (status == cudaSuccess)
      *kernel = static_cast<cudaKernel_t>(found);
    return status;
  });
}

cudaError_t cudaLibraryGetGlobal(void **pointer, size_t *bytes, cudaLibrary_t library,
                                 const char *name) {
  return giveVariable(pointer, bytes, library, name, image::VariableKind::Device);
}

cudaError_t cudaLibraryGetManaged(void **pointer, size_t *bytes, cudaLibrary_t library,
                                  const char *name) {
  return giveVariable(pointer, bytes, library, name, image::VariableKind::Managed);
}

cudaError_t cudaLibraryGetKernelCount(unsigned int *count, cudaLibrary_t library) {
  return entry([&] {
    std::vector<void *> kernels;
    if (!count)
      return cudaErrorInvalidValue;
    cudaError_t status = Libraries::get().kernels(library, kernels);
    if (status == cudaSuccess)
      *count = unsigned(kernels.size());
    return status;
  });
}

cudaError_t cudaLibraryEnumerateKernels(cudaKernel_t *kernels, unsigned int count,
                                        cudaLibrary_t library) {
  return entry([&] {
    std::vector<void *> all;
    if (!kernels && count)
      return cudaErrorInvalidValue;
    cudaError_t status = Libraries::get().kernels(library, all);
    for (size_t i = 0; status == cudaSuccess && i < std::min<size_t>(count, all.size()); ++i)
      kernels[i] = static_cast<cudaKernel_t>(all[i]);
    return status;
  });
}

cudaError_t cudaKernelSetAttributeForDevice(cudaKernel_t kernel, cudaFuncAttribute attribute,
                                            int value, int device) {
  return entry([&] {
    OpenDevice *before = nullptr;
    cudaError_t status = currentDevice(before);
    if (status == cudaSuccess)
      status = setCurrentDevice(device);
    if (status != cudaSuccess)
      return status;
    LaunchPlan *plan = nullptr;
    status = findPlan(kernel, plan);
    if (status == cudaSuccess)
      status = plan->setAttribute(attribute, value);
    cudaError_t restored = setCurrentDevice(before->ordinal);
    return status == cudaSuccess ? restored : status;
  });
}
