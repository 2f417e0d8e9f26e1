//===- handle.cpp - Handles of cuBLAS -------------------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/libraries/cublas/handle.h"

#include "runtime/libraries/cublas/hip.h"
#include "runtime/libraries/cublas/threads.h"
#include "runtime/libraries/elements/version.h"

#include <climits>
#include <memory>
#include <new>

using regrain::cublas::statusOf;

cublasStatus_t regrain::cublas::statusOf(cudaError_t error) {
  switch (error) {
  case cudaSuccess:
    return CUBLAS_STATUS_SUCCESS;
  case cudaErrorMemoryAllocation:
    return CUBLAS_STATUS_ALLOC_FAILED;
  case cudaErrorInvalidValue:
    return CUBLAS_STATUS_INVALID_VALUE;
  case cudaErrorNotSupported:
    return CUBLAS_STATUS_NOT_SUPPORTED;
  default:
    return CUBLAS_STATUS_EXECUTION_FAILED;
  }
}

namespace {

struct StatusText {
  cublasStatus_t status;
  const char *name, *text;
};

constexpr StatusText statusTexts[] = {
    {CUBLAS_STATUS_SUCCESS, "CUBLAS_STATUS_SUCCESS", "the operation was successful"},
    {CUBLAS_STATUS_NOT_INITIALIZED, "CUBLAS_STATUS_NOT_INITIALIZED", "the handle was not created"},
    {CUBLAS_STATUS_ALLOC_FAILED, "CUBLAS_STATUS_ALLOC_FAILED", "memory could not be allocated"},
    {CUBLAS_STATUS_INVALID_VALUE, "CUBLAS_STATUS_INVALID_VALUE", "a parameter is not valid"},
    {CUBLAS_STATUS_ARCH_MISMATCH, "CUBLAS_STATUS_ARCH_MISMATCH", "the device lacks a feature"},
    {CUBLAS_STATUS_MAPPING_ERROR, "CUBLAS_STATUS_MAPPING_ERROR", "memory could not be accessed"},
    {CUBLAS_STATUS_EXECUTION_FAILED, "CUBLAS_STATUS_EXECUTION_FAILED", "the work failed"},
    {CUBLAS_STATUS_INTERNAL_ERROR, "CUBLAS_STATUS_INTERNAL_ERROR", "an internal operation failed"},
    {CUBLAS_STATUS_NOT_SUPPORTED, "CUBLAS_STATUS_NOT_SUPPORTED", "this is not supported"},
    {CUBLAS_STATUS_LICENSE_ERROR, "CUBLAS_STATUS_LICENSE_ERROR", "there is no licence"},
};

const StatusText *findText(cublasStatus_t status) {
  for (const StatusText &known : statusTexts)
    if (known.status == status)
      return &known;
  return nullptr;
}

/// Calls `change` on the handle.
template <class Change> cublasStatus_t with(cublasHandle_t handle, bool isValid, Change change) {
  if (!handle)
    return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!isValid)
    return CUBLAS_STATUS_INVALID_VALUE;
  change(*handle);
  return CUBLAS_STATUS_SUCCESS;
}

/// Sets a member of the handle. On an AMD GPU, `setHip` sets it in the handle of hipBLAS first.
template <class T>
cublasStatus_t set(cublasHandle_t handle, bool isValid, T cublasContext::*member, T value,
                   cublasStatus_t (*setHip)(void *, T)) {
  if (handle && isValid && handle->hip)
    if (cublasStatus_t status = setHip(handle->hip, value); status != CUBLAS_STATUS_SUCCESS)
      return status;
  return with(handle, isValid, [&](cublasContext &context) { context.*member = value; });
}

} // namespace

cublasStatus_t cublasCreate_v2(cublasHandle_t *handle) {
  if (!handle)
    return CUBLAS_STATUS_INVALID_VALUE;
  *handle = nullptr;
  void *hip = nullptr;
  if (regrain::libraries::hipMajor() != 0) {
    if (cublasStatus_t status = regrain::cublas::hip::create(hip); status != CUBLAS_STATUS_SUCCESS)
      return status;
  } else if (cudaError_t error = regrain::libraries::checkDevice(); error != cudaSuccess) {
    return statusOf(error);
  }
  regrain::cublas::limitThreads();
  *handle = new (std::nothrow) cublasContext{.hip = hip};
  return *handle ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_ALLOC_FAILED;
}

cublasStatus_t cublasDestroy_v2(cublasHandle_t handle) {
  if (!handle)
    return CUBLAS_STATUS_NOT_INITIALIZED;
  std::unique_ptr<cublasContext> context(handle);
  return context->hip ? regrain::cublas::hip::destroy(context->hip) : CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasGetVersion_v2(cublasHandle_t handle, int *version) {
  return with(handle, version, [&](cublasContext &) { *version = CUBLAS_VERSION; });
}

cublasStatus_t cublasGetProperty(libraryPropertyType type, int *value) {
  return regrain::libraries::getProperty(type, value,
                                         {CUBLAS_VER_MAJOR, CUBLAS_VER_MINOR, CUBLAS_VER_PATCH},
                                         CUBLAS_STATUS_INVALID_VALUE);
}

size_t cublasGetCudartVersion() { return CUDART_VERSION; }

// The library allocates what it needs.
cublasStatus_t cublasSetWorkspace_v2(cublasHandle_t handle, void *workspace, size_t) {
  return with(handle, true, [&](cublasContext &) {});
}

cublasStatus_t cublasSetStream_v2(cublasHandle_t handle, cudaStream_t stream) {
  return set(handle, true, &cublasContext::stream, stream, regrain::cublas::hip::setStream);
}

cublasStatus_t cublasGetStream_v2(cublasHandle_t handle, cudaStream_t *stream) {
  return with(handle, stream, [&](cublasContext &context) { *stream = context.stream; });
}

cublasStatus_t cublasGetPointerMode_v2(cublasHandle_t handle, cublasPointerMode_t *mode) {
  return with(handle, mode, [&](cublasContext &context) { *mode = context.pointerMode; });
}

cublasStatus_t cublasSetPointerMode_v2(cublasHandle_t handle, cublasPointerMode_t mode) {
  bool isKnown = mode == CUBLAS_POINTER_MODE_HOST || mode == CUBLAS_POINTER_MODE_DEVICE;
  return set(handle, isKnown, &cublasContext::pointerMode, mode,
             regrain::cublas::hip::setPointerMode);
}

cublasStatus_t cublasGetAtomicsMode(cublasHandle_t handle, cublasAtomicsMode_t *mode) {
  return with(handle, mode, [&](cublasContext &context) { *mode = context.atomicsMode; });
}

cublasStatus_t cublasSetAtomicsMode(cublasHandle_t handle, cublasAtomicsMode_t mode) {
  bool isKnown = mode == CUBLAS_ATOMICS_NOT_ALLOWED || mode == CUBLAS_ATOMICS_ALLOWED;
  return set(handle, isKnown, &cublasContext::atomicsMode, mode,
             regrain::cublas::hip::setAtomicsMode);
}

cublasStatus_t cublasGetMathMode(cublasHandle_t handle, cublasMath_t *mode) {
  return with(handle, mode, [&](cublasContext &context) { *mode = context.mathMode; });
}

// A mode allows less precision than the type of the elements has; no entry uses that.
cublasStatus_t cublasSetMathMode(cublasHandle_t handle, cublasMath_t mode) {
  int base = mode & ~CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION;
  bool isKnown = (base >= CUBLAS_DEFAULT_MATH && base <= CUBLAS_FP32_EMULATED_BF16X9_MATH) ||
                 base == CUBLAS_FP64_EMULATED_FIXEDPOINT_MATH;
  return with(handle, isKnown, [&](cublasContext &context) { context.mathMode = mode; });
}

cublasStatus_t cublasGetSmCountTarget(cublasHandle_t handle, int *count) {
  return with(handle, count, [&](cublasContext &context) { *count = context.multiprocessors; });
}

cublasStatus_t cublasSetSmCountTarget(cublasHandle_t handle, int count) {
  return with(handle, count >= 0, [&](cublasContext &context) { context.multiprocessors = count; });
}

const char *cublasGetStatusName(cublasStatus_t status) {
  const StatusText *known = findText(status);
  return known ? known->name : "CUBLAS_STATUS_UNKNOWN";
}

const char *cublasGetStatusString(cublasStatus_t status) {
  const StatusText *known = findText(status);
  return known ? known->text : "this status does not exist";
}

// There is no log.
cublasStatus_t cublasLoggerConfigure(int, int, int, const char *) { return CUBLAS_STATUS_SUCCESS; }
cublasStatus_t cublasSetLoggerCallback(cublasLogCallback) { return CUBLAS_STATUS_SUCCESS; }
cublasStatus_t cublasGetLoggerCallback(cublasLogCallback *callback) {
  if (!callback)
    return CUBLAS_STATUS_INVALID_VALUE;
  *callback = nullptr;
  return CUBLAS_STATUS_SUCCESS;
}
