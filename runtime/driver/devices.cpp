//===- devices.cpp - Errors, devices and contexts of the driver API -------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/core/error_text.h"
#include "runtime/core/platform.h"
#include "runtime/core/thread_state.h"
#include "runtime/driver/on_runtime.h"

#include <array>
#include <atomic>
#include <cstring>
#include <mutex>
#include <set>
#include <vector>

using namespace regrain;

namespace {

/// A context has no state of its own: the contexts of a device share its memory and streams.
struct Context {
  int ordinal;
};

/// The contexts of the process. A device's primary one always exists.
class Contexts {
public:
  static Contexts &get() {
    static auto *contexts = new Contexts;
    return *contexts;
  }

  CUcontext primary(int ordinal) { return toHandle(&primaries[ordinal]); }

  CUcontext make(int ordinal) {
    std::lock_guard lock(mutex);
    return toHandle(*made.insert(new Context{ordinal}).first);
  }

  /// Returns null if there is no such context.
  Context *find(CUcontext handle) {
    auto *context = reinterpret_cast<Context *>(handle);
    bool isPrimary = context >= primaries.begin() && context < primaries.end();
    std::lock_guard lock(mutex);
    return isPrimary || made.contains(context) ? context : nullptr;
  }

  /// Returns whether there was such a context that the program had made.
  bool destroy(CUcontext handle) {
    auto *context = reinterpret_cast<Context *>(handle);
    std::lock_guard lock(mutex);
    if (!made.erase(context))
      return false;
    delete context;
    return true;
  }

private:
  Contexts() {
    for (int ordinal = 0; ordinal < maxDevices; ++ordinal)
      primaries[ordinal].ordinal = ordinal;
  }
  static CUcontext toHandle(Context *context) { return reinterpret_cast<CUcontext>(context); }

  std::mutex mutex;
  std::array<Context, maxDevices> primaries = {};
  std::set<Context *> made;
};

/// The contexts that the thread has pushed; the last one is current.
thread_local std::vector<CUcontext> pushed;

CUresult makeCurrent(CUcontext handle) {
  Context *context = Contexts::get().find(handle);
  return context ? driver::toDriver(cudaSetDevice(context->ordinal)) : CUDA_ERROR_INVALID_CONTEXT;
}

/// Returns the current context; the runtime API may have selected another device since.
CUcontext currentContext() {
  OpenDevice *device = ThreadState::get().boundDevice();
  Context *last = pushed.empty() ? nullptr : Contexts::get().find(pushed.back());
  if (!device || (last && last->ordinal == device->ordinal))
    return pushed.empty() ? nullptr : pushed.back();
  return Contexts::get().primary(device->ordinal);
}

/// Returns the contexts that the thread has pushed, of which the last one is current. If the
/// runtime API has selected a device since, its primary context takes the place of the last one.
std::vector<CUcontext> &stackOfContexts() {
  CUcontext current = currentContext();
  if (current && pushed.empty())
    pushed.push_back(current);
  else if (current)
    pushed.back() = current;
  return pushed;
}

/// Makes the last context that was pushed current again, or none if there is none.
CUresult returnToPushed() {
  if (!pushed.empty())
    return makeCurrent(pushed.back());
  ThreadState::get().device = nullptr;
  return CUDA_SUCCESS;
}

std::atomic<bool> wasInitialised = false;

/// Hands the properties of the device to `read`, if there is such a device and a place for the
/// result.
template <class Read> CUresult readProperties(CUdevice device, bool hasPlace, Read read) {
  cudaDeviceProp properties;
  if (!hasPlace)
    return CUDA_ERROR_INVALID_VALUE;
  CUresult result = driver::toDriver(cudaGetDeviceProperties(&properties, device));
  if (result == CUDA_SUCCESS)
    read(properties);
  return result;
}

} // namespace

CUresult driver::toDriver(cudaError_t status) {
  switch (static_cast<int>(status)) {
#define REGRAIN_DRIVER_ERROR(NAME, VALUE)                                                          \
  case VALUE:                                                                                      \
    return NAME;
#include "include/cuda/regrain_driver_errors.def"
  case cudaErrorInvalidSymbol:
    return CUDA_ERROR_NOT_FOUND;
  case cudaErrorInvalidDeviceFunction:
    return CUDA_ERROR_INVALID_HANDLE;
  }
  return CUDA_ERROR_INVALID_VALUE;
}

CUresult cuGetErrorName(CUresult error, const char **name) {
  if (!name)
    return CUDA_ERROR_INVALID_VALUE;
  *name = nullptr;
  switch (error) {
#define REGRAIN_DRIVER_ERROR(NAME, VALUE)                                                          \
  case NAME:                                                                                       \
    *name = #NAME;                                                                                 \
    break;
#include "include/cuda/regrain_driver_errors.def"
  }
  return *name ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuGetErrorString(CUresult error, const char **text) {
  const char *name = nullptr;
  if (!text || cuGetErrorName(error, &name) != CUDA_SUCCESS)
    return CUDA_ERROR_INVALID_VALUE;
  *text = describe(static_cast<cudaError_t>(error)).text;
  return CUDA_SUCCESS;
}

bool driver::isInitialised() {
  static std::atomic<bool> isChosenByDriverApi = false;
  if (wasInitialised)
    return true;
  bool isChosenByRuntime = Platform::getIfUsable() && !isChosenByDriverApi;
  if (isChosenByRuntime || ThreadState::get().boundDevice())
    return wasInitialised = true;
  isChosenByDriverApi = true;
  return false;
}

CUresult driver::checkContext(std::string_view entry) {
  static constexpr std::string_view without[] = {
      "cuInit",          "cuDriver",        "cuGetProcAddress",   "cuDevice",
      "cuCtxCreate",     "cuCtxDestroy",    "cuCtxPushCurrent",   "cuCtxPopCurrent",
      "cuCtxSetCurrent", "cuCtxGetCurrent", "cuCtxGetApiVersion", "cuLibrary",
      "cuKernel"};
  for (std::string_view prefix : without)
    if (entry.starts_with(prefix))
      return CUDA_SUCCESS;
  return currentContext() ? CUDA_SUCCESS : CUDA_ERROR_INVALID_CONTEXT;
}

namespace regrain::driver {

CUresult cuInit(unsigned int flags) {
  CUresult result = flags ? CUDA_ERROR_INVALID_VALUE : toDriver(Platform::get().status());
  wasInitialised = wasInitialised || result == CUDA_SUCCESS;
  return result;
}

CUresult cuDriverGetVersion(int *version) { return toDriver(cudaDriverGetVersion(version)); }

CUresult cuDeviceGetCount(int *count) { return toDriver(cudaGetDeviceCount(count)); }

CUresult cuDeviceGet(CUdevice *device, int ordinal) {
  if (!device)
    return CUDA_ERROR_INVALID_VALUE;
  if (!Platform::get().hasDevice(ordinal))
    return CUDA_ERROR_INVALID_DEVICE;
  *device = ordinal;
  return CUDA_SUCCESS;
}

CUresult cuDeviceGetName(char *name, int bytes, CUdevice device) {
  return readProperties(device, name && bytes > 0, [&](const cudaDeviceProp &properties) {
    std::strncpy(name, properties.name, bytes);
    name[bytes - 1] = '\0';
  });
}

CUresult cuDeviceGetUuid(CUuuid *uuid, CUdevice device) {
  return readProperties(device, uuid,
                        [&](const cudaDeviceProp &properties) { *uuid = properties.uuid; });
}

CUresult cuDeviceTotalMem(size_t *bytes, CUdevice device) {
  return readProperties(
      device, bytes, [&](const cudaDeviceProp &properties) { *bytes = properties.totalGlobalMem; });
}

// The attributes have the same numbers in both interfaces.
CUresult cuDeviceGetAttribute(int *value, CUdevice_attribute attribute, CUdevice device) {
  return toDriver(cudaDeviceGetAttribute(value, static_cast<cudaDeviceAttr>(attribute), device));
}

CUresult cuDeviceComputeCapability(int *major, int *minor, CUdevice device) {
  return readProperties(device, major && minor, [&](const cudaDeviceProp &properties) {
    *major = properties.major;
    *minor = properties.minor;
  });
}

CUresult cuDeviceGetByPCIBusId(CUdevice *device, const char *pciBusId) {
  return toDriver(cudaDeviceGetByPCIBusId(device, pciBusId));
}

CUresult cuDeviceGetPCIBusId(char *pciBusId, int bytes, CUdevice device) {
  return toDriver(cudaDeviceGetPCIBusId(pciBusId, bytes, device));
}

CUresult cuDeviceGetP2PAttribute(int *value, CUdevice_P2PAttribute attribute, CUdevice device,
                                 CUdevice peer) {
  return toDriver(
      cudaDeviceGetP2PAttribute(value, static_cast<cudaDeviceP2PAttr>(attribute), device, peer));
}

CUresult cuCtxResetPersistingL2Cache() { return toDriver(cudaCtxResetPersistingL2Cache()); }

CUresult cuDeviceCanAccessPeer(int *canAccess, CUdevice device, CUdevice peer) {
  return toDriver(cudaDeviceCanAccessPeer(canAccess, device, peer));
}

CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device) {
  if (!context)
    return CUDA_ERROR_INVALID_VALUE;
  if (!Platform::get().hasDevice(device))
    return CUDA_ERROR_INVALID_DEVICE;
  *context = Contexts::get().primary(device);
  return CUDA_SUCCESS;
}

// The runtime keeps the primary context until the program resets it.
CUresult cuDevicePrimaryCtxRelease(CUdevice device) {
  return Platform::get().hasDevice(device) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}

CUresult cuDevicePrimaryCtxReset(CUdevice device) {
  return driver::withDevice(device, cudaDeviceReset);
}

CUresult cuDevicePrimaryCtxSetFlags(CUdevice device, unsigned int flags) {
  return driver::withDevice(device, [&] { return cudaSetDeviceFlags(flags); });
}

CUresult cuDevicePrimaryCtxGetState(CUdevice device, unsigned int *flags, int *isActive) {
  Platform &platform = Platform::get();
  if (!flags || !isActive)
    return CUDA_ERROR_INVALID_VALUE;
  if (!platform.hasDevice(device))
    return CUDA_ERROR_INVALID_DEVICE;
  *isActive = platform.getIfOpen(device) != nullptr;
  return driver::withDevice(device, [&] { return cudaGetDeviceFlags(flags); });
}

CUresult cuCtxCreate(CUcontext *context, unsigned int flags, CUdevice device) {
  if (!context)
    return CUDA_ERROR_INVALID_VALUE;
  std::vector<CUcontext> &stack = stackOfContexts();
  if (cudaError_t status = cudaSetDevice(device); status != cudaSuccess)
    return toDriver(status);
  *context = Contexts::get().make(device);
  stack.push_back(*context);
  return CUDA_SUCCESS;
}

CUresult cuCtxDestroy(CUcontext context) {
  std::vector<CUcontext> &stack = stackOfContexts();
  if (!Contexts::get().destroy(context))
    return CUDA_ERROR_INVALID_CONTEXT;
  if (stack.empty() || stack.back() != context)
    return CUDA_SUCCESS;
  stack.pop_back();
  return returnToPushed();
}

CUresult cuCtxPushCurrent(CUcontext context) {
  std::vector<CUcontext> &stack = stackOfContexts();
  CUresult result = makeCurrent(context);
  if (result == CUDA_SUCCESS)
    stack.push_back(context);
  return result;
}

CUresult cuCtxPopCurrent(CUcontext *context) {
  std::vector<CUcontext> &stack = stackOfContexts();
  if (stack.empty())
    return CUDA_ERROR_INVALID_CONTEXT;
  if (context)
    *context = stack.back();
  stack.pop_back();
  return returnToPushed();
}

CUresult cuCtxSetCurrent(CUcontext context) {
  std::vector<CUcontext> &stack = stackOfContexts();
  if (!context)
    return stack.empty() ? returnToPushed() : cuCtxPopCurrent(nullptr);
  CUresult result = makeCurrent(context);
  if (result != CUDA_SUCCESS)
    return result;
  if (!stack.empty())
    stack.pop_back();
  stack.push_back(context);
  return CUDA_SUCCESS;
}

CUresult cuCtxGetCurrent(CUcontext *context) {
  if (!context)
    return CUDA_ERROR_INVALID_VALUE;
  *context = currentContext();
  return CUDA_SUCCESS;
}

CUresult cuCtxGetDevice(CUdevice *device) {
  Context *context = Contexts::get().find(currentContext());
  if (!device)
    return CUDA_ERROR_INVALID_VALUE;
  if (!context)
    return CUDA_ERROR_INVALID_CONTEXT;
  *device = context->ordinal;
  return CUDA_SUCCESS;
}

CUresult cuCtxGetFlags(unsigned int *flags) { return toDriver(cudaGetDeviceFlags(flags)); }

CUresult cuCtxGetApiVersion(CUcontext context, unsigned int *version) {
  if (!version)
    return CUDA_ERROR_INVALID_VALUE;
  constexpr unsigned versionOfContexts = 3020;
  *version = versionOfContexts;
  return CUDA_SUCCESS;
}

CUresult cuCtxSynchronize() { return toDriver(cudaDeviceSynchronize()); }

CUresult cuCtxGetLimit(size_t *value, CUlimit limit) {
  return toDriver(cudaDeviceGetLimit(value, static_cast<cudaLimit>(limit)));
}

CUresult cuCtxSetLimit(CUlimit limit, size_t value) {
  return toDriver(cudaDeviceSetLimit(static_cast<cudaLimit>(limit), value));
}

CUresult cuCtxGetCacheConfig(CUfunc_cache *config) {
  cudaFuncCache known = cudaFuncCachePreferNone;
  if (!config)
    return CUDA_ERROR_INVALID_VALUE;
  CUresult result = toDriver(cudaDeviceGetCacheConfig(&known));
  *config = static_cast<CUfunc_cache>(known);
  return result;
}

CUresult cuCtxSetCacheConfig(CUfunc_cache config) {
  return toDriver(cudaDeviceSetCacheConfig(static_cast<cudaFuncCache>(config)));
}

CUresult cuCtxGetStreamPriorityRange(int *leastPriority, int *greatestPriority) {
  return toDriver(cudaDeviceGetStreamPriorityRange(leastPriority, greatestPriority));
}

} // namespace regrain::driver
