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

/// Device memory for the length of a case.
template <typename T> struct Buffer {
  explicit Buffer(size_t size) {
    if (cudaMalloc(&data, size * sizeof(T)) != cudaSuccess)
      data = nullptr;
  }
  ~Buffer() { static_cast<void>(cudaFree(data)); }
  Buffer(const Buffer &) = delete;
  T *data = nullptr;
};

/// Runs all cases and gives the exit code: 77, which CTest and automake know, where
/// there is no such device.
inline int runCases(const Case *cases, size_t count) {
  int devices = 0, failures = 0;
  if (cudaGetDeviceCount(&devices) == cudaErrorNoDevice) {
    std::printf("skipped: no such device here\n");
    return 77;
  }
  for (const Case *each = cases; each != cases + count; ++each) {
    bool holds = each->run();
    failures += !holds;
    std::printf("%s %s\n", holds ? "ok    " : "FAILED", each->name);
  }
  return failures ? 1 : 0;
}
