//===- quantize.cpp - Test of the conversion to fp8 -*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "reference.h"

using namespace test;

template <class T> static void quantizeOf(size_t rows, size_t columns, RegrainScaling scaling) {
  Random random(columns);
  std::vector<T> input(rows * columns);
  for (T &x : input)
    x = make<T>(random.unit() * 20);
  if (input.size() > 900) {
    input[3] = make<T>(1000), input[4] = make<T>(-1000);
    input[5] = make<T>(NAN);
    input[6] = make<T>(INFINITY); // its group has an infinite scale, if it is computed
    for (size_t i = columns; i < 2 * columns; ++i)
      input[i] = make<T>(0);
  }
  float given = 0.5f;
  Device<unsigned char> out(rows * columns, 0);
  Device<float> scales(scalesOf(scaling, rows, columns), given);
  Device<T> from(input);
  succeed(regrainQuantizeFp8(out.get(), scales.get(), from.get(), rows, columns, Named<T>::type,
                             scaling, nullptr));
  std::vector<double> y(input.size());
  for (size_t i = 0; i < y.size(); ++i)
    y[i] = number(input[i]);
  checkScaled("quantize " + std::to_string(rows) + "x" + std::to_string(columns), out.read(),
              scales.read(), y, rows, columns, scaling, given);
}

/// Every half is converted by a scale of 1.
static void allHalves() {
  std::vector<__half> input(65536);
  for (unsigned i = 0; i < 65536; ++i) {
    auto bits = static_cast<unsigned short>(i);
    memcpy(&input[i], &bits, 2);
  }
  Device<unsigned char> out(65536, 0);
  Device<float> scale(1, 1.0f);
  Device<__half> from(input);
  succeed(regrainQuantizeFp8(out.get(), scale.get(), from.get(), 256, 256, REGRAIN_FLOAT16,
                             REGRAIN_SCALE_TENSOR, nullptr));
  auto codes = out.read();
  for (unsigned i = 0; i < 65536; ++i) {
    double x = number(input[i]), got = decode(codes[i]);
    expect(isRounded(codes[i], x, 0), "half " + std::to_string(i));
    if (double other = x - got; std::fabs(x) < 448 && std::fabs(other) > 0) {
      // Between two numbers, the even code is taken.
      auto next =
          static_cast<unsigned char>(std::fabs(x) > std::fabs(got) ? codes[i] + 1 : codes[i] - 1);
      expect(std::fabs(decode(next) - x) != std::fabs(other) || codes[i] % 2 == 0,
             "tie " + std::to_string(i));
    }
  }
}

int main() {
  for (RegrainScaling scaling : scalings) {
    for (auto [rows, columns] : {std::pair<size_t, size_t>{0, 64}, {1, 1}, {3, 7}, {2, 1000}})
      quantizeOf<__half>(rows, columns, scaling);
    quantizeOf<__half>(8, 1024, scaling);
    quantizeOf<__nv_bfloat16>(3, 640, scaling);
  }
  allHalves();
  return finish();
}
