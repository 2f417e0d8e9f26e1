//===- handle.h - A handle of cuBLAS ----------------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "include/cuda-libraries/cublas_v2.h"
#include "runtime/libraries/stream/submit.h"

#include <cstring>
#include <utility>

struct cublasContext {
  cudaStream_t stream = nullptr;
  cublasPointerMode_t pointerMode = CUBLAS_POINTER_MODE_HOST;
  cublasAtomicsMode_t atomicsMode = CUBLAS_ATOMICS_NOT_ALLOWED;
  cublasMath_t mathMode = CUBLAS_DEFAULT_MATH;
  int multiprocessors = 0;
  void *hip = nullptr; ///< the handle of hipBLAS, if the work runs on an AMD GPU
};

namespace regrain::cublas {

/// Returns the library's status for one of the runtime.
cublasStatus_t statusOf(cudaError_t error);

/// Queues `work` in the handle's stream if `isValid`.
template <class Work> cublasStatus_t run(cublasHandle_t handle, bool isValid, Work work) {
  if (!handle)
    return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!isValid)
    return CUBLAS_STATUS_INVALID_VALUE;
  return statusOf(libraries::submit(handle->stream, std::move(work)));
}

/// Does the same for work that writes a scalar: in host memory, the value is there on return.
template <class Work> cublasStatus_t runForResult(cublasHandle_t handle, bool isValid, Work work) {
  if (!handle)
    return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!isValid)
    return CUBLAS_STATUS_INVALID_VALUE;
  bool waits = handle->pointerMode == CUBLAS_POINTER_MODE_HOST;
  return statusOf(waits ? libraries::submitAndWait(handle->stream, std::move(work))
                        : libraries::submit(handle->stream, std::move(work)));
}

/// A scalar parameter. It is read at the call if it is in host memory, and when the work runs if it
/// is in device memory.
template <class T> class Scalar {
public:
  Scalar(cublasHandle_t handle, const T *pointer) : pointer(pointer) {
    if (handle && pointer && handle->pointerMode == CUBLAS_POINTER_MODE_HOST) {
      // Programs pass complex numbers of types with less alignment.
      std::memcpy(&value, reinterpret_cast<const char *>(pointer), sizeof(T));
      isHost = true;
    }
  }
  /// The constant 1.
  explicit Scalar(T one) : value(one), isHost(true) {}
  bool isGiven() const { return isHost || pointer; }
  const T *get() const { return isHost ? &value : pointer; }

private:
  T value = {};
  const T *pointer = nullptr;
  bool isHost = false;
};

} // namespace regrain::cublas
