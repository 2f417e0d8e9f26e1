//===- status.h - Checks of parameters, and what failed -*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A function of the interface checks its parameters by these, launches, and returns
// launched().
//
//===----------------------------------------------------------------------===//
#pragma once

#include "regrain/kernels.h"
#include <cuda_runtime.h>

namespace regrain::kernels {

/// Remembers the message for regrainKernelsError(), and returns `status`.
__attribute__((format(printf, 2, 3))) RegrainStatus fail(RegrainStatus status, const char *format,
                                                         ...);

/// Returns REGRAIN_SUCCESS, or REGRAIN_CUDA_ERROR if the launch before it failed.
RegrainStatus launched(const char *function);

/// Checks the sizes of a matrix whose rows are launched as blocks, `blocksForRow` each.
RegrainStatus checkSizes(const char *function, int64_t rows, int64_t columns, int64_t blocksForRow);

/// Checks a pointer that must not be null, and is aligned to the type's size.
RegrainStatus checkPointer(const char *function, const char *name, const void *pointer,
                           size_t alignment);

RegrainStatus checkType(const char *function, RegrainType type);

/// The matrix of a function that converts rows to fp8, with `blocksForRow` blocks for each.
struct RowsToFp8 {
  const char *function;
  const void *out;
  const float *scales;
  const void *input;
  int64_t rows, columns, blocksForRow;
  RegrainType type;

  bool areEmpty() const { return rows == 0 || columns == 0; }
};

/// Checks what these functions have in common; of empty rows, the sizes and the type.
RegrainStatus checkRows(const RowsToFp8 &rows);

/// The threads of a block that shares the work of a row: 1024, or the power of two from `least` on
/// at which each thread has one column.
int threadsForRow(int64_t columns, int least);

} // namespace regrain::kernels

/// Returns from the function if a check fails.
#define REGRAIN_CHECK(CHECK)                                                                       \
  if (RegrainStatus status = (CHECK); status != REGRAIN_SUCCESS)                                   \
  return status
