//===- status.cpp - Checks of parameters, and what failed -*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "status.h"

#include <cstdarg>
#include <cstdio>

static thread_local char message[512];

namespace regrain::kernels {

RegrainStatus fail(RegrainStatus status, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(message, sizeof(message), format, arguments);
  va_end(arguments);
  return status;
}

RegrainStatus launched(const char *function) {
  cudaError_t error = cudaGetLastError();
  if (error == cudaSuccess)
    return REGRAIN_SUCCESS;
  return fail(REGRAIN_CUDA_ERROR, "%s: %s: %s", function, cudaGetErrorName(error),
              cudaGetErrorString(error));
}

RegrainStatus checkSizes(const char *function, int64_t rows, int64_t columns,
                         int64_t blocksForRow) {
  if (rows < 0 || columns < 0)
    return fail(REGRAIN_INVALID_VALUE, "%s: %lld rows of %lld columns: a size is negative",
                function, static_cast<long long>(rows), static_cast<long long>(columns));
  if (columns > (INT32_MAX >> 2) || rows > INT32_MAX ||
      (blocksForRow > 0 && rows > INT32_MAX / blocksForRow))
    return fail(REGRAIN_INVALID_VALUE, "%s: %lld rows of %lld columns are too many", function,
                static_cast<long long>(rows), static_cast<long long>(columns));
  return REGRAIN_SUCCESS;
}

RegrainStatus checkPointer(const char *function, const char *name, const void *pointer,
                           size_t alignment) {
  if (!pointer)
    return fail(REGRAIN_INVALID_VALUE, "%s: %s is null", function, name);
  if (reinterpret_cast<uintptr_t>(pointer) % alignment)
    return fail(REGRAIN_NOT_ALIGNED, "%s: %s is %p, which is not aligned to %zu bytes", function,
                name, pointer, alignment);
  return REGRAIN_SUCCESS;
}

RegrainStatus checkType(const char *function, RegrainType type) {
  if (type != REGRAIN_FLOAT16 && type != REGRAIN_BFLOAT16)
    return fail(REGRAIN_INVALID_VALUE, "%s: type is %d", function, type);
  return REGRAIN_SUCCESS;
}

RegrainStatus checkRows(const RowsToFp8 &rows) {
  REGRAIN_CHECK(checkSizes(rows.function, rows.rows, rows.columns, rows.blocksForRow));
  REGRAIN_CHECK(checkType(rows.function, rows.type));
  if (rows.areEmpty())
    return REGRAIN_SUCCESS;
  REGRAIN_CHECK(checkPointer(rows.function, "out", rows.out, 1));
  REGRAIN_CHECK(checkPointer(rows.function, "scales", rows.scales, sizeof(float)));
  return checkPointer(rows.function, "input", rows.input, 2);
}

int threadsForRow(int64_t columns, int least) {
  int threads = 1024;
  while (threads > least && threads / 2 >= columns)
    threads /= 2;
  return threads;
}

} // namespace regrain::kernels

extern "C" int regrainKernelsVersion() { return REGRAIN_KERNELS_VERSION; }
extern "C" const char *regrainKernelsError() { return message; }
