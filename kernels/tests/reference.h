//===- reference.h - What the tests of the kernels share -*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conversions written for this file alone, in double: fp8 by a search among all codes.
// A code is right if its number is the nearest, or as near but for `slack`, since the
// kernels compute in float.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "regrain/kernels.h"
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

namespace test {

inline int failures = 0;
inline long checks = 0;
inline uint64_t hash = 0xcbf29ce484222325ull;

inline void expect(bool holds, const std::string &what) {
  ++checks;
  if (holds)
    return;
  if (++failures <= 10)
    printf("FAIL %s\n", what.c_str());
}
inline void check(cudaError_t error) {
  if (error != cudaSuccess) {
    printf("FAIL %s\n", cudaGetErrorString(error));
    exit(1);
  }
}
inline void succeed(RegrainStatus status) {
  expect(status == REGRAIN_SUCCESS, regrainKernelsError());
}
/// Prints the verdict, and a hash of all results that read() has seen.
inline int finish() {
  printf("%s: %ld checks, %d failures, results %016llx\n", failures ? "FAILED" : "passed", checks,
         failures, static_cast<unsigned long long>(hash));
  return failures != 0;
}

class Random {
public:
  explicit Random(uint64_t seed) : state(seed * 2 + 1) {}
  double unit() { ///< in [-1, 1)
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    return double(int64_t(state >> 33)) / (1 << 30) - 1;
  }

private:
  uint64_t state;
};

/// Device memory with guard bytes behind it, which nobody may write.
template <class T> class Device {
public:
  explicit Device(const std::vector<T> &values) : count(values.size()) {
    check(cudaMalloc(&begin, count * sizeof(T) + guard));
    check(cudaMemset(begin, 0xa5, count * sizeof(T) + guard));
    if (count)
      check(cudaMemcpy(begin, values.data(), count * sizeof(T), cudaMemcpyHostToDevice));
  }
  Device(size_t n, T value) : Device(std::vector<T>(n, value)) {}
  ~Device() { cudaFree(begin); }
  Device(const Device &) = delete;
  Device &operator=(const Device &) = delete;
  T *get() const { return begin; }
  std::vector<T> read() const {
    std::vector<T> values(count);
    std::vector<unsigned char> behind(guard);
    if (count)
      check(cudaMemcpy(values.data(), begin, count * sizeof(T), cudaMemcpyDeviceToHost));
    check(cudaMemcpy(behind.data(), begin + count, guard, cudaMemcpyDeviceToHost));
    for (unsigned char byte : behind)
      expect(byte == 0xa5, "nothing is written behind the end");
    auto *bytes = reinterpret_cast<const unsigned char *>(values.data());
    for (size_t i = 0; i < count * sizeof(T); ++i)
      hash = (hash ^ bytes[i]) * 0x100000001b3ull;
    return values;
  }

private:
  static constexpr size_t guard = 64;
  T *begin = nullptr;
  size_t count;
};

inline double decode(unsigned char code) {
  int exponent = code >> 3 & 15, mantissa = code & 7;
  if ((code & 127) == 127)
    return NAN;
  double value = exponent ? std::ldexp(1 + mantissa / 8.0, exponent - 7) : std::ldexp(mantissa, -9);
  return code & 128 ? -value : value;
}

/// Returns whether `code` is x, rounded to nearest and saturated.
inline bool isRounded(unsigned char code, double x, double slack = 1e-5) {
  if (std::isnan(x))
    return (code & 127) == 127;
  x = std::fmin(std::fmax(x, -448), 448);
  double got = decode(code);
  if (std::isnan(got))
    return false;
  int exponent = std::max(std::ilogb(std::fabs(x) + 1e-300), -6);
  double half = std::ldexp(1, exponent - 4);
  return std::fabs(got - x) <= half + slack * std::fabs(x);
}

template <class T> struct Named;
template <> struct Named<__half> {
  static constexpr RegrainType type = REGRAIN_FLOAT16;
  static constexpr double step = 0x1p-11, least = 0x1p-25; ///< half a unit, and of denormals
};
template <> struct Named<__nv_bfloat16> {
  static constexpr RegrainType type = REGRAIN_BFLOAT16;
  static constexpr double step = 0x1p-8, least = 0;
};
template <class T> T make(double x) { return T(static_cast<float>(x)); }
template <class T> double number(T x) { return static_cast<float>(x); }

/// The scale of a group by its largest magnitude.
inline double scaleFor(double most) { return std::fmax(most, 1e-10) / 448; }

/// Checks codes and scales of `rows` of `columns` numbers y. `given` is the scale of the tensor.
inline void checkScaled(const std::string &name, const std::vector<unsigned char> &codes,
                        const std::vector<float> &scales, const std::vector<double> &y, size_t rows,
                        size_t columns, RegrainScaling scaling, double given) {
  size_t group = scaling == REGRAIN_SCALE_BLOCK ? 128 : columns;
  size_t groups = columns ? (columns + group - 1) / group : 0;
  for (size_t r = 0; r < rows; ++r)
    for (size_t g = 0; g < groups; ++g) {
      size_t end = std::min(columns, (g + 1) * group);
      double most = 0, scale = given;
      for (size_t i = g * group; i < end; ++i)
        most = std::fmax(most, std::fabs(y[r * columns + i]));
      if (scaling != REGRAIN_SCALE_TENSOR) {
        scale = scales[scaling == REGRAIN_SCALE_TOKEN ? r : r * groups + g];
        expect(std::isinf(most) ? std::isinf(scale)
                                : std::fabs(scale - scaleFor(most)) <= 1e-5 * scaleFor(most),
               name + ": scale of row " + std::to_string(r));
      }
      for (size_t i = g * group; i < end; ++i) {
        double wanted = std::isinf(scale) ? (std::isfinite(y[r * columns + i]) ? 0 : NAN)
                                          : y[r * columns + i] / scale;
        expect(isRounded(codes[r * columns + i], wanted),
               name + ": row " + std::to_string(r) + " column " + std::to_string(i) + ": code " +
                   std::to_string(codes[r * columns + i]) + " for " + std::to_string(wanted));
      }
    }
}

inline const RegrainScaling scalings[] = {REGRAIN_SCALE_TENSOR, REGRAIN_SCALE_TOKEN,
                                          REGRAIN_SCALE_BLOCK};
inline size_t scalesOf(RegrainScaling scaling, size_t rows, size_t columns) {
  return scaling == REGRAIN_SCALE_TENSOR  ? 1
         : scaling == REGRAIN_SCALE_TOKEN ? rows
                                          : rows * ((columns + 127) / 128);
}

} // namespace test
