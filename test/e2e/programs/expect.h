//===- expect.h - Checks of the end-to-end programs -------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program runs kernels, compares what they wrote with what CUDA defines,
// prints one line and exits with 0 if all is as expected, otherwise with 1.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(call) checkCall((call), #call, __FILE__, __LINE__)

inline void checkCall(cudaError_t error, const char *call, const char *file, int line) {
  if (error == cudaSuccess)
    return;
  fprintf(stderr, "%s:%d: %s: %s\n", file, line, call, cudaGetErrorString(error));
  exit(1);
}

inline int mismatches = 0;

/// Counts a mismatch and prints the first few.
inline void expect(bool holds, const char *what, long index, double got, double wanted) {
  if (holds)
    return;
  if (++mismatches <= 5)
    fprintf(stderr, "%s[%ld] is %.17g, expected %.17g\n", what, index, got, wanted);
}

template <class T, class Wanted>
void expectEqual(const char *what, long index, T got, Wanted wanted) {
  expect(got == T(wanted), what, index, double(got), double(wanted));
}

/// Prints the one line, returns the exit code.
inline int verdict(const char *program) {
  if (mismatches)
    printf("%s: %d values differ\n", program, mismatches);
  else
    printf("%s: ok\n", program);
  return mismatches ? 1 : 0;
}

/// Device memory of `count` zeroed elements, copied back on demand.
template <class T> class DeviceArray {
public:
  explicit DeviceArray(size_t count) : count(count) {
    CHECK(cudaMalloc(&pointer, count * sizeof(T)));
    CHECK(cudaMemset(pointer, 0, count * sizeof(T)));
  }
  explicit DeviceArray(const std::vector<T> &data) : DeviceArray(data.size()) {
    CHECK(cudaMemcpy(pointer, data.data(), count * sizeof(T), cudaMemcpyHostToDevice));
  }
  ~DeviceArray() { cudaFree(pointer); }
  DeviceArray(const DeviceArray &) = delete;
  DeviceArray &operator=(const DeviceArray &) = delete;

  operator T *() const { return pointer; }
  std::vector<T> host() const {
    std::vector<T> data(count);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(data.data(), pointer, count * sizeof(T), cudaMemcpyDeviceToHost));
    return data;
  }

private:
  T *pointer = nullptr;
  size_t count;
};
