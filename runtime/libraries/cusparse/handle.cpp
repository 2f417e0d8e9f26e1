//===- handle.cpp - Handles of cuSPARSE -----------------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/libraries/cusparse/work.h"
#include "runtime/libraries/elements/version.h"
#include "runtime/libraries/hip/library.h"

#include <iterator>
#include <memory>
#include <new>

cusparseStatus_t regrain::cusparse::statusOf(cudaError_t error) {
  switch (error) {
  case cudaSuccess:
    return CUSPARSE_STATUS_SUCCESS;
  case cudaErrorMemoryAllocation:
    return CUSPARSE_STATUS_ALLOC_FAILED;
  case cudaErrorNotSupported:
    return CUSPARSE_STATUS_NOT_SUPPORTED;
  default:
    return CUSPARSE_STATUS_EXECUTION_FAILED;
  }
}

namespace {

constexpr const char *statusNames[][2] = {
    {"CUSPARSE_STATUS_SUCCESS", "success"},
    {"CUSPARSE_STATUS_NOT_INITIALIZED", "the handle was not created"},
    {"CUSPARSE_STATUS_ALLOC_FAILED", "memory could not be allocated"},
    {"CUSPARSE_STATUS_INVALID_VALUE", "a parameter is not valid"},
    {"CUSPARSE_STATUS_ARCH_MISMATCH", "the device lacks a feature"},
    {"CUSPARSE_STATUS_MAPPING_ERROR", "memory could not be accessed"},
    {"CUSPARSE_STATUS_EXECUTION_FAILED", "the work failed"},
    {"CUSPARSE_STATUS_INTERNAL_ERROR", "an internal operation failed"},
    {"CUSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED", "the type of the matrix is not supported"},
    {"CUSPARSE_STATUS_ZERO_PIVOT", "a pivot is zero"},
    {"CUSPARSE_STATUS_NOT_SUPPORTED", "this is not supported"},
    {"CUSPARSE_STATUS_INSUFFICIENT_RESOURCES", "there are not enough resources"},
};

const char *textOf(cusparseStatus_t status, int column) {
  return size_t(status) < std::size(statusNames) ? statusNames[status][column]
                                                 : "unrecognized error code";
}

template <class Change>
cusparseStatus_t with(cusparseHandle_t handle, bool isValid, Change change) {
  if (!handle)
    return CUSPARSE_STATUS_NOT_INITIALIZED;
  if (!isValid)
    return CUSPARSE_STATUS_INVALID_VALUE;
  change(*handle);
  return CUSPARSE_STATUS_SUCCESS;
}

/// Sets a member of the handle. On an AMD GPU, `setHip` sets it in the handle of hipSPARSE first.
template <class T>
cusparseStatus_t set(cusparseHandle_t handle, bool isValid, T cusparseContext::*member, T value,
                     cusparseStatus_t (*setHip)(void *, T)) {
  if (handle && isValid && handle->hip)
    if (cusparseStatus_t status = setHip(handle->hip, value))
      return status;
  return with(handle, isValid, [&](cusparseContext &context) { context.*member = value; });
}

} // namespace

cusparseStatus_t cusparseCreate(cusparseHandle_t *handle) {
  if (!handle)
    return CUSPARSE_STATUS_INVALID_VALUE;
  void *hip = nullptr;
  if (regrain::libraries::hipMajor() != 0) {
    if (cusparseStatus_t status = regrain::cusparse::hip::create(hip))
      return status;
  } else if (cudaError_t error = regrain::libraries::checkDevice(); error != cudaSuccess) {
    return regrain::cusparse::statusOf(error);
  }
  *handle = new (std::nothrow) cusparseContext{.hip = hip};
  return *handle ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_ALLOC_FAILED;
}

cusparseStatus_t cusparseDestroy(cusparseHandle_t handle) {
  if (!handle)
    return CUSPARSE_STATUS_NOT_INITIALIZED;
  std::unique_ptr<cusparseContext> context(handle);
  return context->hip ? regrain::cusparse::hip::destroy(context->hip) : CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseGetVersion(cusparseHandle_t handle, int *version) {
  return with(handle, version, [&](cusparseContext &) { *version = CUSPARSE_VERSION; });
}

cusparseStatus_t cusparseGetProperty(libraryPropertyType type, int *value) {
  return regrain::libraries::getProperty(
      type, value, {CUSPARSE_VER_MAJOR, CUSPARSE_VER_MINOR, CUSPARSE_VER_PATCH},
      CUSPARSE_STATUS_INVALID_VALUE);
}

const char *cusparseGetErrorName(cusparseStatus_t status) { return textOf(status, 0); }
const char *cusparseGetErrorString(cusparseStatus_t status) { return textOf(status, 1); }

cusparseStatus_t cusparseSetStream(cusparseHandle_t handle, cudaStream_t stream) {
  return set(handle, true, &cusparseContext::stream, stream, regrain::cusparse::hip::setStream);
}
cusparseStatus_t cusparseGetStream(cusparseHandle_t handle, cudaStream_t *stream) {
  return with(handle, stream, [&](cusparseContext &context) { *stream = context.stream; });
}
cusparseStatus_t cusparseSetPointerMode(cusparseHandle_t handle, cusparsePointerMode_t mode) {
  bool isKnown = mode == CUSPARSE_POINTER_MODE_HOST || mode == CUSPARSE_POINTER_MODE_DEVICE;
  return set(handle, isKnown, &cusparseContext::pointerMode, mode,
             regrain::cusparse::hip::setPointerMode);
}
cusparseStatus_t cusparseGetPointerMode(cusparseHandle_t handle, cusparsePointerMode_t *mode) {
  return with(handle, mode, [&](cusparseContext &context) { *mode = context.pointerMode; });
}
