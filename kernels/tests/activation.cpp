//===- activation.cpp - Test of activations, and of their products in fp8 -*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "reference.h"

using namespace test;

static double activate(RegrainActivation activation, double x) {
  switch (activation) {
  case REGRAIN_SILU:
    return x / (1 + std::exp(-x));
  case REGRAIN_GELU:
    return x * (1 + std::erf(x / std::sqrt(2))) / 2;
  case REGRAIN_GELU_TANH:
    return x * (1 + std::tanh(std::sqrt(2 / M_PI) * (x + 0.044715 * x * x * x))) / 2;
  case REGRAIN_RELU:
    return x < 0 ? 0 : x;
  case REGRAIN_SQUARED_RELU:
    return x < 0 ? 0 : x * x;
  }
  return NAN;
}

template <class T> static std::vector<T> numbers(size_t count, double magnitude) {
  Random random(count);
  std::vector<T> values(count);
  for (T &x : values)
    x = make<T>(random.unit() * magnitude);
  if (count > 40) {
    values[5] = make<T>(-100); // whose exponential is too large for a float
    values[6] = make<T>(100);
    values[7] = make<T>(NAN);
    values[8] = make<T>(-0.0);
  }
  return values;
}

template <class T>
static void fp8(size_t rows, size_t columns, RegrainActivation activation, RegrainScaling scaling,
                float given = 1 / 32.f) {
  auto input = numbers<T>(rows * 2 * columns, 6);
  Device<unsigned char> out(rows * columns, 0);
  Device<float> scales(scalesOf(scaling, rows, columns), given);
  Device<T> from(input);
  succeed(regrainActivationAndMulFp8(out.get(), scales.get(), from.get(), rows, columns, activation,
                                     Named<T>::type, scaling, nullptr));
  std::vector<double> y(rows * columns);
  for (size_t r = 0; r < rows; ++r)
    for (size_t i = 0; i < columns; ++i)
      y[r * columns + i] = activate(activation, number(input[r * 2 * columns + i])) *
                           number(input[r * 2 * columns + columns + i]);
  checkScaled("activation " + std::to_string(rows) + "x" + std::to_string(columns), out.read(),
              scales.read(), y, rows, columns, scaling, given);
}

template <class T> static void near(T got, double wanted, const std::string &what) {
  double x = number(got), allowed = (Named<T>::step + 2e-6) * std::fabs(wanted) + Named<T>::least;
  expect(std::isnan(wanted) ? std::isnan(x) : std::fabs(x - wanted) <= allowed + 2e-6,
         what + ": " + std::to_string(x) + " for " + std::to_string(wanted));
}

template <class T> static void plain(size_t rows, size_t columns, RegrainActivation activation) {
  auto input = numbers<T>(rows * 2 * columns, 6);
  Device<T> from(input), out(rows * columns, make<T>(0));
  succeed(regrainActivationAndMul(out.get(), from.get(), rows, columns, activation, Named<T>::type,
                                  nullptr));
  auto products = out.read();
  for (size_t r = 0; r < rows; ++r)
    for (size_t i = 0; i < columns; ++i)
      near(products[r * columns + i],
           activate(activation, number(input[r * 2 * columns + i])) *
               number(input[r * 2 * columns + columns + i]),
           "product");
  // In place.
  succeed(
      regrainActivation(from.get(), from.get(), input.size(), activation, Named<T>::type, nullptr));
  auto values = from.read();
  for (size_t i = 0; i < input.size(); ++i)
    near(values[i], activate(activation, number(input[i])), "value");
}

int main() {
  for (RegrainActivation activation : {REGRAIN_SILU, REGRAIN_GELU_TANH})
    for (RegrainScaling scaling : scalings) {
      for (auto [rows, columns] : {std::pair<size_t, size_t>{0, 64}, {1, 1}, {3, 7}, {2, 1000}})
        fp8<__half>(rows, columns, activation, scaling);
      fp8<__half>(16, 512, activation, scaling);
      fp8<__nv_bfloat16>(3, 640, activation, scaling);
    }
  constexpr float ofSubnormalReciprocal = 0x1p+127f;
  fp8<__half>(1, 512, REGRAIN_SILU, REGRAIN_SCALE_TENSOR, ofSubnormalReciprocal);
  for (RegrainActivation activation :
       {REGRAIN_SILU, REGRAIN_GELU, REGRAIN_GELU_TANH, REGRAIN_RELU, REGRAIN_SQUARED_RELU}) {
    plain<__half>(3, 333, activation);
    plain<__nv_bfloat16>(2, 256, activation);
  }
  Device<float> m(64, 0);
  expect(regrainActivationAndMulFp8(m.get(), m.get(), m.get(), 1, 4, REGRAIN_RELU, REGRAIN_FLOAT16,
                                    REGRAIN_SCALE_TENSOR, nullptr) == REGRAIN_INVALID_VALUE,
         "no ReLU in fp8");
  expect(regrainActivation(m.get(), m.get(), 4, RegrainActivation(9), REGRAIN_FLOAT16, nullptr) ==
             REGRAIN_INVALID_VALUE,
         "an unknown activation");
  expect(regrainActivation(nullptr, nullptr, 0, REGRAIN_SILU, REGRAIN_FLOAT16, nullptr) ==
             REGRAIN_SUCCESS,
         "nothing to do");
  return finish();
}
