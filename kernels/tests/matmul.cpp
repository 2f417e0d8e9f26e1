//===- matmul.cpp - Test of the product of fp8 matrices -*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "reference.h"

#include <algorithm>

using namespace test;

/// Numbers up to 15 in magnitude. If `areCoarse`, they are multiples of 1/8, so that sums are exact
/// in any order.
static std::vector<unsigned char> codes(size_t count, uint64_t seed, bool areCoarse) {
  Random random(seed);
  std::vector<unsigned char> values(count);
  for (auto &code : values) {
    int magnitude = static_cast<int>((random.unit() + 1) * 43);
    code =
        static_cast<unsigned char>((random.unit() < 0 ? 128 : 0) |
                                   (areCoarse && magnitude < 56 ? 56 + magnitude % 16 : magnitude));
  }
  return values;
}

template <class T>
static void product(size_t m, size_t n, size_t k, bool rowsHaveScales, bool channelsHaveScales,
                    bool hasNan = false) {
  auto a = codes(m * k, m + k, k > 16), b = codes(n * k, n + 3, k > 16);
  if (hasNan)
    a[k * (m - 1) + 1] = 0x7f, b[k + 2] = 0xff;
  Random random(k);
  std::vector<float> scaleA(rowsHaveScales ? m : 1), scaleB(channelsHaveScales ? n : 1);
  for (auto *scales : {&scaleA, &scaleB})
    for (float &scale : *scales)
      scale = static_cast<float>(0.02 + 0.01 * random.unit());
  size_t bytes = regrainMatmulFp8Workspace(m, n, k);
  Device<unsigned char> left(a), right(b), workspace(bytes, 0);
  Device<float> scalesLeft(scaleA), scalesRight(scaleB);
  Device<T> out(m * n, make<T>(77));
  // Twice: each call leaves the workspace as it was.
  for (int run = 0; run < 2; ++run) {
    if (m * n > 0)
      check(cudaMemset(out.get(), 0x55, m * n * sizeof(T)));
    succeed(regrainMatmulFp8(out.get(), left.get(), right.get(), scalesLeft.get(), rowsHaveScales,
                             scalesRight.get(), channelsHaveScales, m, n, k, Named<T>::type,
                             workspace.get(), bytes, nullptr));
  }
  auto behind = workspace.read();
  expect(std::count(behind.begin(), behind.end(), 0) == static_cast<long>(bytes),
         "the workspace is as before");
  auto result = out.read();
  for (size_t i = 0; i < m; ++i)
    for (size_t j = 0; j < n; ++j) {
      double sum = 0, magnitude = 0;
      for (size_t l = 0; l < k; ++l) {
        double term = decode(a[i * k + l]) * decode(b[j * k + l]);
        sum += term, magnitude += std::fabs(term);
      }
      double scale = double(scaleA[rowsHaveScales ? i : 0]) * scaleB[channelsHaveScales ? j : 0];
      double got = number(result[i * n + j]), wanted = sum * scale;
      // Tensor cores add with fewer bits than a float has.
      double allowed = 1e-4 * magnitude * scale + Named<T>::step * std::fabs(wanted) + 1e-6;
      expect(std::isnan(wanted) ? std::isnan(got) : std::fabs(got - wanted) <= allowed,
             "product " + std::to_string(m) + "x" + std::to_string(n) + "x" + std::to_string(k) +
                 " at " + std::to_string(i) + ", " + std::to_string(j) + ": " +
                 std::to_string(got) + " for " + std::to_string(wanted));
    }
}

static void errors() {
  Device<float> m(64, 0);
  auto call = [&](void *a, int64_t rows, int64_t n, int64_t k, size_t bytes) {
    return regrainMatmulFp8(m.get(), a, m.get(), m.get(), 0, m.get(), 0, rows, n, k,
                            REGRAIN_FLOAT16, m.get(), bytes, nullptr);
  };
  expect(call(m.get(), 33, 1, 16, 0) == REGRAIN_INVALID_VALUE, "too many rows");
  expect(call(m.get(), 1, 1, 24, 0) == REGRAIN_INVALID_VALUE, "k is no multiple of 16");
  expect(strstr(regrainKernelsError(), "k = 24"), regrainKernelsError());
  expect(call(reinterpret_cast<char *>(m.get()) + 8, 1, 1, 16, 0) == REGRAIN_NOT_ALIGNED,
         "not aligned");
  expect(call(nullptr, 0, 16, 16, 0) == REGRAIN_SUCCESS, "no rows");
  expect(regrainChooseMatmulForm(RegrainMatmulForm(3)) == REGRAIN_INVALID_VALUE, "no such form");
  expect(regrainMatmulFp8Workspace(33, 16, 16) == 0, "no workspace for too many rows");
  if (size_t needed = regrainMatmulFp8Workspace(1, 16, 4096); needed > 0)
    expect(call(m.get(), 1, 16, 4096, needed - 1) == REGRAIN_INVALID_VALUE, "a small workspace");
}

static void products() {
  for (size_t m : {1, 2, 7, 8, 9, 16, 17, 31, 32})
    product<__half>(m, 70, 160, m % 2, m % 3 == 0);
  product<__nv_bfloat16>(5, 64, 64, true, true);
  product<__half>(3, 1, 16, false, false);
  product<__half>(3, 200, 2048 + 48, true, true); // blocks share tiles, and the last unit is short
  product<__half>(20, 260, 272, false, true);
  product<__half>(2, 5, 1040, false, true, true);
  product<__half>(2, 5, 0, false, false);
  product<__half>(0, 5, 32, false, false);
}

int main() {
  // Elsewhere, the first form is the direct one.
  products();
  succeed(regrainChooseMatmulForm(REGRAIN_MATMUL_QUEUE));
  products();
  cudaDeviceProp properties;
  check(cudaGetDeviceProperties(&properties, 0));
  if (properties.major == 9) {
    succeed(regrainChooseMatmulForm(REGRAIN_MATMUL_DIRECT));
    products();
  }
  errors();
  return finish();
}
