//===- dispatch.cpp - The entries of the driver API -----------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/core/foreign_code.h"
#include "runtime/core/gate.h"
#include "runtime/core/platform.h"
#include "runtime/core/thread_state.h"
#include "runtime/driver/on_runtime.h"
#include "runtime/driver/primary_contexts.h"

#include <cstring>
#include <dlfcn.h>
#include <fstream>
#include <iterator>
#include <new>
#include <string_view>
#include <vector>

using namespace regrain;

namespace {

/// Returns NVIDIA's driver if an NVIDIA GPU runs the program, otherwise null.
void *realDriver() {
  static void *const library = [] {
    return isForNvidiaGpu() ? dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL) : nullptr;
  }();
  return library;
}

template <typename Function> Function *driversEntry(const char *symbol) {
  void *library = realDriver();
  return library ? reinterpret_cast<Function *>(dlsym(library, symbol)) : nullptr;
}

driver::PrimaryContexts &primaryContexts() {
  static driver::PrimaryContexts contexts({
      driversEntry<CUresult(CUcontext *, CUdevice)>("cuDevicePrimaryCtxRetain"),
      driversEntry<CUresult(CUdevice)>("cuDevicePrimaryCtxRelease_v2"),
      driversEntry<CUresult(CUdevice, unsigned int)>("cuDevicePrimaryCtxSetFlags_v2"),
      driversEntry<CUresult(CUcontext)>("cuCtxPushCurrent_v2"),
      driversEntry<CUresult(CUcontext *)>("cuCtxPopCurrent_v2"),
      driversEntry<CUresult(CUcontext *)>("cuCtxGetCurrent"),
      driversEntry<CUresult(CUcontext)>("cuCtxDestroy_v2"),
  });
  return contexts;
}

CUresult createContext(CUcontext *context, unsigned int flags, CUdevice device) {
  return primaryContexts().create(context, flags, device);
}

CUresult destroyContext(CUcontext context) { return primaryContexts().destroy(context); }

/// Makes the runtime's list forget memory that the program may have from the runtime API.
void forget(CUdeviceptr pointer) {
  if (Platform *platform = Platform::getIfUsable())
    static_cast<void>(platform->unlist(reinterpret_cast<void *>(pointer)));
}

CUresult freeMemory(CUdeviceptr pointer) {
  static auto *const call = driversEntry<CUresult(CUdeviceptr)>("cuMemFree_v2");
  forget(pointer);
  return call ? call(pointer) : CUDA_ERROR_NOT_SUPPORTED;
}

CUresult freeInOrder(CUdeviceptr pointer, CUstream stream) {
  static auto *const call = driversEntry<CUresult(CUdeviceptr, CUstream)>("cuMemFreeAsync");
  forget(pointer);
  return call ? call(pointer, stream) : CUDA_ERROR_NOT_SUPPORTED;
}

/// Returns what serves an entry where an NVIDIA GPU runs the program, otherwise null.
void *realSymbol(const char *symbol) {
  void *library = realDriver();
  if (!library)
    return nullptr;
  std::string_view name = symbol;
  if (name == "cuCtxCreate_v2")
    return reinterpret_cast<void *>(&createContext);
  if (name == "cuCtxDestroy_v2")
    return reinterpret_cast<void *>(&destroyContext);
  if (name == "cuMemFree_v2")
    return reinterpret_cast<void *>(&freeMemory);
  if (name == "cuMemFreeAsync")
    return reinterpret_cast<void *>(&freeInOrder);
  return dlsym(library, symbol);
}

template <typename Function> Function *realEntry(const char *symbol) {
  return reinterpret_cast<Function *>(realSymbol(symbol));
}

/// Calls the body, whose failure is not one of the runtime API, and lets no exception escape.
template <typename Body> CUresult onRuntime(Body body) noexcept {
  ThreadState &thread = ThreadState::get();
  cudaError_t last = thread.lastError;
  CUresult result = CUDA_ERROR_UNKNOWN;
  try {
    result = body();
  } catch (const std::bad_alloc &) {
    result = CUDA_ERROR_OUT_OF_MEMORY;
  } catch (...) {
    result = CUDA_ERROR_UNKNOWN;
  }
  thread.lastError = last;
  return result;
}

/// Does the same for an entry, if what it needs was done before.
template <typename Body>
CUresult onRuntime(std::string_view entry, bool isInitialised, Body body) noexcept {
  bool needsNothing =
      entry == "cuInit" || entry == "cuDriverGetVersion" || entry == "cuGetProcAddress";
  if (!isInitialised && !needsNothing)
    return CUDA_ERROR_NOT_INITIALIZED;
  CUresult result = driver::checkContext(entry);
  return result == CUDA_SUCCESS ? onRuntime(body) : result;
}

struct NamedEntry {
  const char *name;
  void *function;
};

std::vector<char> readFile(const char *path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

} // namespace

#define REGRAIN_DRIVER_API_WITHOUT_DEFAULTS
#define REGRAIN_DRIVER_API(NAME, SYMBOL, PARAMETERS, ARGUMENTS)                                    \
  CUresult NAME PARAMETERS {                                                                       \
    Gate::Passage passage;                                                                         \
    bool isInitialised = driver::isInitialised();                                                  \
    static auto *const real = realEntry<CUresult PARAMETERS>(SYMBOL);                              \
    return real ? real ARGUMENTS                                                                   \
                : onRuntime(#NAME, isInitialised, [&] { return driver::NAME ARGUMENTS; });         \
  }
#define REGRAIN_DRIVER_CODE_API(NAME, SYMBOL, PARAMETERS, ARGUMENTS, ARGUMENT)                     \
  CUresult NAME PARAMETERS {                                                                       \
    Gate::Passage passage;                                                                         \
    bool isInitialised = driver::isInitialised();                                                  \
    static auto *const real = realEntry<CUresult PARAMETERS>(SYMBOL);                              \
    if (real)                                                                                      \
      return driver::isOwn(ARGUMENT) ? onRuntime([&] { return driver::NAME ARGUMENTS; })           \
                                     : real ARGUMENTS;                                             \
    return onRuntime(#NAME, isInitialised, [&] { return driver::NAME ARGUMENTS; });                \
  }
#define REGRAIN_DRIVER_ONLY_API(NAME, SYMBOL, PARAMETERS, ARGUMENTS)                               \
  CUresult NAME PARAMETERS {                                                                       \
    Gate::Passage passage;                                                                         \
    static auto *const real = realEntry<CUresult PARAMETERS>(SYMBOL);                              \
    return real ? real ARGUMENTS : CUDA_ERROR_NOT_SUPPORTED;                                       \
  }
#define REGRAIN_DRIVER_SHARED_API(NAME, SYMBOL, PARAMETERS, ARGUMENTS)                             \
  CUresult NAME PARAMETERS {                                                                       \
    Gate::Passage passage;                                                                         \
    bool isInitialised = driver::isInitialised();                                                  \
    return realDriver() ? onRuntime([&] { return driver::NAME ARGUMENTS; })                        \
                        : onRuntime(#NAME, isInitialised, [&] { return driver::NAME ARGUMENTS; }); \
  }
#define REGRAIN_DRIVER_OWN_API(NAME, PARAMETERS)
#include "include/cuda/regrain_driver_api.def"

// A context without special parameters is one of the older form, which every driver has.
CUresult cuCtxCreate_v4(CUcontext *context, CUctxCreateParams *parameters, unsigned int flags,
                        CUdevice device) {
  if (!parameters || (parameters->numExecAffinityParams == 0 && !parameters->cigParams))
    return cuCtxCreate(context, flags, device);
  Gate::Passage passage;
  static auto *const real = realEntry<decltype(::cuCtxCreate_v4)>("cuCtxCreate_v4");
  return real ? real(context, parameters, flags, device) : CUDA_ERROR_NOT_SUPPORTED;
}

// The contents of the file decide who loads them, here and below.
CUresult cuModuleLoad(CUmodule *module, const char *path) {
  return onRuntime([&] {
    if (!module || !path)
      return CUDA_ERROR_INVALID_VALUE;
    std::vector<char> code = readFile(path);
    if (code.empty())
      return CUDA_ERROR_FILE_NOT_FOUND;
    code.push_back('\0'); // PTX ends so
    return cuModuleLoadData(module, code.data());
  });
}

CUresult cuLibraryLoadFromFile(CUlibrary *library, const char *path, CUjit_option *jitOptions,
                               void **jitValues, unsigned int jitCount,
                               CUlibraryOption *libraryOptions, void **libraryValues,
                               unsigned int libraryCount) {
  return onRuntime([&] {
    if (!library || !path)
      return CUDA_ERROR_INVALID_VALUE;
    std::vector<char> code = readFile(path);
    if (code.empty())
      return CUDA_ERROR_FILE_NOT_FOUND;
    code.push_back('\0');
    return cuLibraryLoadData(library, code.data(), jitOptions, jitValues, jitCount, libraryOptions,
                             libraryValues, libraryCount);
  });
}

/// Returns "cuda", "hip" or "cpu"; empty if there is no usable device. libnvrtc calls it.
extern "C" [[gnu::visibility("default")]] const char *regrain_deviceKind() {
  Platform &platform = Platform::get();
  return platform.status() == cudaSuccess ? platform.chosenPlugin().name : "";
}

CUresult driver::cuGetProcAddress(const char *name, void **function, int cudaVersion,
                                  cuuint64_t flags, CUdriverProcAddressQueryResult *status) {
  static const NamedEntry entries[] = {
#define REGRAIN_DRIVER_API_WITHOUT_DEFAULTS
#define REGRAIN_DRIVER_ENTRY(NAME, PARAMETERS)                                                     \
  {#NAME, reinterpret_cast<void *>(static_cast<CUresult(*) PARAMETERS>(&::NAME))},
#include "include/cuda/regrain_driver_api.def"
  };
  if (!name || !function)
    return CUDA_ERROR_INVALID_VALUE;
  *function = nullptr;
  for (const NamedEntry &entry : entries)
    if (std::strcmp(entry.name, name) == 0)
      *function = entry.function;
  if (status)
    *status = *function ? CU_GET_PROC_ADDRESS_SUCCESS : CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
  return *function ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}
