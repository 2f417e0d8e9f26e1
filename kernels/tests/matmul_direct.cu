//===- matmul_direct.cu - Test of the product's code for matrix units -*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where there are no matrix units for fp8, as on the CPU, their instructions are imitated.
//
//===----------------------------------------------------------------------===//
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ < 890
#include "matrix_cores_by_shuffles.h"
#endif

#include "../src/matmul_direct.h"
#include "reference.h"

using namespace test;
using namespace regrain::kernels;

/// Multiples of 1/8 up to 15 in magnitude, so that sums are exact in any order.
static std::vector<unsigned char> codes(size_t count, uint64_t seed) {
  Random random(seed);
  std::vector<unsigned char> values(count);
  for (auto &code : values)
    code = static_cast<unsigned char>((random.unit() < 0 ? 128 : 0) |
                                      (56 + static_cast<int>((random.unit() + 1) * 15)));
  return values;
}

template <int tokenTiles, int channels, int steps>
static void product(int m, int n, int k, unsigned blocks) {
  auto a = codes(size_t(m) * k, m + k), b = codes(size_t(n) * k, n);
  Device<unsigned char> left(a), right(b);
  Device<float> scale(1, 0.25f), partial(size_t(2) * blocks * m * channels, 0);
  Device<unsigned> arrived((n + channels - 1) / channels, 0);
  Device<__half> out(size_t(m) * n, make<__half>(77));
  matmul<__half, tokenTiles, channels, steps, 1>
      <<<blocks, matmulThreads>>>(out.get(), left.get(), right.get(), scale.get(), scale.get(),
                                  partial.get(), arrived.get(), m, n, k, false, false);
  check(cudaGetLastError());
  auto result = out.read();
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j) {
      double sum = 0;
      for (int l = 0; l < k; ++l)
        sum += decode(a[size_t(i) * k + l]) * decode(b[size_t(j) * k + l]);
      expect(number(result[size_t(i) * n + j]) == number(make<__half>(sum / 16)),
             "product of " + std::to_string(k) + " in " + std::to_string(blocks) + " blocks at " +
                 std::to_string(i) + ", " + std::to_string(j));
    }
  for (float x : partial.read())
    expect(x == 0, "the workspace is as before");
  for (unsigned x : arrived.read())
    expect(x == 0, "the counters are as before");
}

int main() {
  // Blocks with parts of tiles, whole tiles, both, and nothing; rows and k that fill no unit.
  for (unsigned blocks : {1u, 2u, 5u, 40u})
    product<2, 128, 1>(13, 290, 400, blocks);
  product<2, 128, 1>(16, 128, 0, 2);
  return finish();
}
