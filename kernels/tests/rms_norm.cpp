//===- rms_norm.cpp - Test of the norm -*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "reference.h"

using namespace test;

template <class T>
static void normOf(size_t rows, size_t columns, RegrainScaling scaling, bool hasResidual) {
  Random random(rows * 131 + columns);
  std::vector<T> input(rows * columns), added(rows * columns), weight(columns);
  for (T &x : input)
    x = make<T>(random.unit());
  for (T &x : added)
    x = make<T>(random.unit() * 4);
  for (T &x : weight)
    x = make<T>(1 + random.unit() / 2);
  if (rows > 1 && columns > 140) {
    added[columns + 3] = make<T>(200);   // saturates where the scale is given
    input[columns + 140] = make<T>(NAN); // the whole row is NaN, and the others are not
    for (size_t i = 0; i < columns; ++i) // a row of zeros
      input[i] = added[i] = make<T>(0);
  }
  float given = 1 / 64.f, epsilon = 1e-5f;
  Device<unsigned char> out(rows * columns, 0);
  Device<float> scales(scalesOf(scaling, rows, columns), given);
  Device<T> from(input), residual(added), weights(weight);
  succeed(regrainRmsNormFp8(out.get(), scales.get(), from.get(),
                            hasResidual ? residual.get() : nullptr, weights.get(), rows, columns,
                            epsilon, Named<T>::type, scaling, nullptr));
  auto left = residual.read();
  std::vector<double> y(rows * columns);
  for (size_t r = 0; r < rows; ++r) {
    double sum = 0;
    for (size_t i = r * columns; i < (r + 1) * columns; ++i) {
      T z = hasResidual ? make<T>(float(input[i]) + float(added[i])) : input[i];
      T kept = hasResidual ? z : added[i];
      expect(!memcmp(&left[i], &kept, sizeof(T)) || std::isnan(number(kept)), "the residual");
      y[i] = number(z);
      sum += y[i] * y[i];
    }
    for (size_t i = 0; i < columns; ++i)
      y[r * columns + i] *= number(weight[i]) / std::sqrt(sum / double(columns) + epsilon);
  }
  checkScaled("norm " + std::to_string(rows) + "x" + std::to_string(columns), out.read(),
              scales.read(), y, rows, columns, scaling, given);
}

static void errors() {
  auto norm = [](void *input, int64_t rows, int64_t columns, int type, int scaling) {
    static Device<float> memory(64, 0);
    float *m = memory.get();
    return regrainRmsNormFp8(m, m, input ? m : nullptr, nullptr, m, rows, columns, 1e-5f,
                             RegrainType(type), RegrainScaling(scaling), nullptr);
  };
  int some;
  expect(norm(&some, 0, 16, 0, 0) == REGRAIN_SUCCESS, "no rows");
  expect(norm(nullptr, 0, 16, 0, 0) == REGRAIN_SUCCESS, "no rows, and no memory");
  expect(norm(nullptr, 1, 16, 0, 0) == REGRAIN_INVALID_VALUE, "no input");
  expect(strstr(regrainKernelsError(), "input is null"), regrainKernelsError());
  expect(norm(&some, -1, 16, 0, 0) == REGRAIN_INVALID_VALUE, "negative rows");
  expect(norm(&some, 1, 16, 7, 0) == REGRAIN_INVALID_VALUE, "an unknown type");
  expect(norm(&some, 1, 16, 0, 3) == REGRAIN_INVALID_VALUE, "an unknown scaling");
  expect(norm(&some, int64_t(1) << 40, 16, 0, 0) == REGRAIN_INVALID_VALUE, "too many rows");
  expect(regrainKernelsVersion() == REGRAIN_KERNELS_VERSION, "the version");
}

int main() {
  for (RegrainScaling scaling : scalings)
    for (bool hasResidual : {true, false}) {
      for (auto [rows, columns] : {std::pair<size_t, size_t>{0, 64}, {1, 1}, {3, 7}, {2, 1000}})
        normOf<__half>(rows, columns, scaling, hasResidual);
      // A block divides these rows, so that grains for known blocks run.
      normOf<__half>(3, 4096, scaling, hasResidual);
      normOf<__nv_bfloat16>(3, 2048, scaling, hasResidual);
    }
  errors();
  return finish();
}
