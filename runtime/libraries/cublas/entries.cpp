//===- entries.cpp - The entries of cuBLAS --------------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each entry calls the function of its row in regrain_cublas.def, or hipBLAS's entry for a handle
// of an AMD GPU. BLAS counts by int: a size that does not fit is refused.
//
//===----------------------------------------------------------------------===//
#include "runtime/libraries/cublas/batched.h"
#include "runtime/libraries/cublas/ex.h"
#include "runtime/libraries/cublas/extensions.h"
#include "runtime/libraries/cublas/factor.h"
#include "runtime/libraries/cublas/hip.h"
#include "runtime/libraries/cublas/level1.h"

#include <climits>

namespace {

template <class A> bool isInt(const A &) { return true; }
bool isInt(const int64_t &size) { return size >= INT_MIN && size <= INT_MAX; }

template <class A> A asInt(A argument) { return argument; }
int asInt(int64_t size) { return int(size); }

/// Calls `onCpu`, or for a handle of an AMD GPU the entry that `onHip(hasTypes)` returns:
/// `hasTypes` says whether it takes types of elements.
template <class OnCpu, class OnHip, class... Args>
cublasStatus_t run(OnCpu onCpu, OnHip onHip, cublasHandle_t handle, Args... args) {
  using HasTypes = std::bool_constant<(std::is_same_v<Args, cudaDataType> || ...)>;
  return handle && handle->hip ? onHip(HasTypes())(handle, args...) : onCpu(handle, args...);
}

/// Does the same with sizes of 32 bits.
template <class OnCpu, class OnHip, class... Args>
cublasStatus_t narrow(OnCpu onCpu, OnHip onHip, Args... args) {
  return (isInt(args) && ...) ? run(onCpu, onHip, asInt(args)...) : CUBLAS_STATUS_NOT_SUPPORTED;
}

} // namespace

// The row's function on the CPU, and hipBLAS's entry, which is looked up at its first use.
#define REGRAIN_ON_DEVICES(NAME, IMPLEMENTATION)                                                   \
  [](auto... args) { return regrain::cublas::IMPLEMENTATION(args...); },                           \
      [](auto hasTypes) -> const regrain::cublas::hip::Entry & {                                   \
        static const regrain::cublas::hip::Entry entry(#NAME, hasTypes);                           \
        return entry;                                                                              \
      }
#define REGRAIN_ARGUMENTS(...) __VA_ARGS__

#define REGRAIN_CUBLAS(NAME, IMPLEMENTATION, PARAMETERS, ARGUMENTS)                                \
  cublasStatus_t NAME PARAMETERS {                                                                 \
    return run(REGRAIN_ON_DEVICES(NAME, IMPLEMENTATION), REGRAIN_ARGUMENTS ARGUMENTS);             \
  }
#define REGRAIN_CUBLAS_V2(NAME, IMPLEMENTATION, PARAMETERS, ARGUMENTS)                             \
  REGRAIN_CUBLAS(NAME##_v2, IMPLEMENTATION, PARAMETERS, ARGUMENTS)
#define REGRAIN_CUBLAS_32 REGRAIN_CUBLAS
#define REGRAIN_CUBLAS_32_V2 REGRAIN_CUBLAS_V2
#define REGRAIN_INT int
#include "include/cuda-libraries/regrain_cublas.def"
#undef REGRAIN_CUBLAS
#undef REGRAIN_CUBLAS_V2
#undef REGRAIN_CUBLAS_32
#undef REGRAIN_CUBLAS_32_V2
#undef REGRAIN_INT

#define REGRAIN_CUBLAS(NAME, IMPLEMENTATION, PARAMETERS, ARGUMENTS)                                \
  cublasStatus_t NAME##_64 PARAMETERS {                                                            \
    return narrow(REGRAIN_ON_DEVICES(NAME, IMPLEMENTATION), REGRAIN_ARGUMENTS ARGUMENTS);          \
  }
#define REGRAIN_CUBLAS_V2(NAME, IMPLEMENTATION, PARAMETERS, ARGUMENTS)                             \
  REGRAIN_CUBLAS(NAME##_v2, IMPLEMENTATION, PARAMETERS, ARGUMENTS)
#define REGRAIN_CUBLAS_32(NAME, IMPLEMENTATION, PARAMETERS, ARGUMENTS)
#define REGRAIN_CUBLAS_32_V2(NAME, IMPLEMENTATION, PARAMETERS, ARGUMENTS)
#define REGRAIN_INT int64_t
#include "include/cuda-libraries/regrain_cublas.def"
