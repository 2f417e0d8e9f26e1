//===- suite.h - A suite that needs nothing but the runtime API -*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A case is a function that returns whether it held. Every device runs the same
// cases; what one of them may answer differently is not tested here.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <cstdio>
#include <cuda_runtime.h>

/// Ends the case as failed unless `condition` holds.
#define EXPECT(condition)                                                                          \
  do {                                                                                             \
    if (!(condition)) {                                                                            \
      std::printf("  %s:%d: %s\n", __FILE__, __LINE__, #condition);                                \
      return false;                                                                                \
    }                                                                                              \
  } while (0)

/// Ends the case as failed unless `call` gives `expected`.
#define EXPECT_STATUS(expected, call)                                                              \
  do {                                                                                             \
    cudaError_t actual = (call);                                                                   \
    if (actual != (expected)) {                                                                    \
      std::printf("  %s:%d: %s gave %s\n", __FILE__, __LINE__, #call, cudaGetErrorName(actual));   \
      return false;                                                                                \
    }                                                                                              \
  } while (0)

#define EXPECT_OK(call) EXPECT_STATUS(cudaSuccess, call)

/// What a plugin has to do for a program, one case each.
struct Case {
  const char *name;
  bool (*run)();
};
