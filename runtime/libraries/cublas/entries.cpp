//===- entries.cpp - The entries of cuBLAS --------------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each entry calls the function of its row in regrain_cublas.def. BLAS counts by int: a size that
// does not fit is refused.
//
//===----------------------------------------------------------------------===//
#include "runtime/libraries/cublas/batched.h"
#include "runtime/libraries/cublas/ex.h"
#include "runtime/libraries/cublas/extensions.h"
#include "runtime/libraries/cublas/factor.h"
#include "runtime/libraries/cublas/level1.h"

#include <climits>

namespace {

template <class A> bool isInt(const A &) { return true; }
bool isInt(const int64_t &size) { return size >= INT_MIN && size <= INT_MAX; }

template <class A> A asInt(A argument) { return argument; }
int asInt(int64_t size) { return int(size); }

/// Calls `entry` with sizes of 32 bits.
template <class Entry, class... Args> cublasStatus_t narrow(Entry entry, Args... args) {
  return (isInt(args) && ...) ? entry(asInt(args)...) : CUBLAS_STATUS_NOT_SUPPORTED;
}

} // namespace

#define REGRAIN_CUBLAS(NAME, IMPLEMENTATION, PARAMETERS, ARGUMENTS)                                \
  cublasStatus_t NAME PARAMETERS { return regrain::cublas::IMPLEMENTATION ARGUMENTS; }
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

#define REGRAIN_ARGUMENTS(...) __VA_ARGS__
#define REGRAIN_CUBLAS(NAME, IMPLEMENTATION, PARAMETERS, ARGUMENTS)                                \
  cublasStatus_t NAME##_64 PARAMETERS {                                                            \
    return narrow([](auto... args) { return regrain::cublas::IMPLEMENTATION(args...); },           \
                  REGRAIN_ARGUMENTS ARGUMENTS);                                                    \
  }
#define REGRAIN_CUBLAS_V2(NAME, IMPLEMENTATION, PARAMETERS, ARGUMENTS)                             \
  REGRAIN_CUBLAS(NAME##_v2, IMPLEMENTATION, PARAMETERS, ARGUMENTS)
#define REGRAIN_CUBLAS_32(NAME, IMPLEMENTATION, PARAMETERS, ARGUMENTS)
#define REGRAIN_CUBLAS_32_V2(NAME, IMPLEMENTATION, PARAMETERS, ARGUMENTS)
#define REGRAIN_INT int64_t
#include "include/cuda-libraries/regrain_cublas.def"
