//===- matmul_parts.h - What the tests of the product's forms share -*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "../src/matmul.h"
#include "reference.h"

namespace test {

/// Multiples of 1/4 below 2 in magnitude: sums of 128 products have 13 bits and are exact in any
/// order, also where matrix units add with fewer bits than a float has.
inline std::vector<unsigned char> exactCodes(size_t count, uint64_t seed) {
  Random random(seed);
  std::vector<unsigned char> values(count);
  for (auto &code : values)
    code = static_cast<unsigned char>((random.unit() < 0 ? 128 : 0) |
                                      (56 + 2 * static_cast<int>((random.unit() + 1) * 2)));
  return values;
}

/// Checks a product by `blocks`, of which each has two parts of `partSize` numbers. `launch` is
/// called with the output and the product, whose tokens and channels have one scale, or one each.
template <class Launch>
void checkParts(const std::string &name, int m, int n, int k, unsigned blocks, size_t partSize,
                Launch launch, bool haveScales = false) {
  auto a = exactCodes(size_t(m) * k, m + k), b = exactCodes(size_t(n) * k, n);
  Device<unsigned char> left(a), right(b);
  std::vector<float> scalesOfTokens(haveScales ? m : 1), scalesOfChannels(haveScales ? n : 1);
  for (size_t i = 0; i < scalesOfTokens.size(); ++i)
    scalesOfTokens[i] = 0.25f / (1 << i % 3);
  for (size_t i = 0; i < scalesOfChannels.size(); ++i)
    scalesOfChannels[i] = 0.25f / (1 << i % 4);
  Device<float> scaleA(scalesOfTokens), scaleB(scalesOfChannels);
  Device<float> partial(size_t(2) * blocks * partSize, 0);
  Device<unsigned> arrived((n + 15) / 16 + 16, 0);
  Device<__half> out(size_t(m) * n, make<__half>(77));
  launch(out.get(),
         regrain::kernels::Product{left.get(), right.get(), scaleA.get(), scaleB.get(),
                                   partial.get(), arrived.get(), m, n, k, haveScales, haveScales});
  check(cudaGetLastError());
  auto result = out.read();
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j) {
      double sum = 0;
      for (int l = 0; l < k; ++l)
        sum += decode(a[size_t(i) * k + l]) * decode(b[size_t(j) * k + l]);
      sum *= scalesOfTokens[haveScales ? i : 0] * scalesOfChannels[haveScales ? j : 0];
      expect(number(result[size_t(i) * n + j]) == number(make<__half>(sum)),
             name + " of " + std::to_string(k) + " in " + std::to_string(blocks) + " blocks at " +
                 std::to_string(i) + ", " + std::to_string(j));
    }
  for (float x : partial.read())
    expect(x == 0, "the workspace is as before");
  for (unsigned x : arrived.read())
    expect(x == 0, "the counters are as before");
}

} // namespace test
