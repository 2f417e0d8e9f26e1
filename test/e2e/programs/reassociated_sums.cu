//===- reassociated_sums.cu - Sums in another order -------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every term is added once, whatever the length of the loop: sums of whole numbers are exact in any
// order. A sum of negative zeros stays negative, and no rounding error is larger than the bound
// that holds for every order.
//
//===----------------------------------------------------------------------===//
// RUN: %regrain cc -O3 --targets=cpu -o %t %s
// RUN: timeout 60 %t
// RUN: %regrain cc -O3 --targets=cpu --reassociate --coarsen='*:sums=reassociated' -o %t.sums %s
// RUN: timeout 60 %t.sums
// RUN: %regrain cc -O3 --targets=cpu --reassociate -o %t.both %s \
// RUN:   --coarsen='*:thread.x=2,sums=reassociated'
// RUN: timeout 60 %t.both
#include "expect.h"

constexpr int rows = 64, most = 300;

/// Each row's sum of products, difference, and sum of every second term.
__global__ void sums(const float *x, const float *y, float *out, float begin, int n) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  const float *mine = x + row * most;
  float products = begin, difference = begin, half = begin;
  for (int i = 0; i < n; ++i)
    products += mine[i] * y[i];
  for (int i = 0; i < n; ++i)
    difference -= mine[i];
  for (int i = 0; i < n; i += 2)
    half = mine[i] + half;
  out[3 * row] = products;
  out[3 * row + 1] = difference;
  out[3 * row + 2] = half;
}

/// A loop whose length is not known before it ends, as of threads that share a row: when it is
/// unrolled, it may end behind each step.
__global__ void strided(const float *x, float *out, float begin, int n, int stride) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = begin;
  for (int i = threadIdx.x % 3; i < n; i += stride)
    sum += x[row * most + i];
  out[row] = sum;
}

/// A loop of known length, which is unrolled.
__global__ void known(const float *x, float *out, float begin) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = begin;
  for (int i = 0; i < 24; ++i)
    sum += x[row * most + i];
  out[row] = sum;
}

std::vector<float> run(const std::vector<float> &terms, const std::vector<float> &factors,
                       float begin, int n) {
  DeviceArray<float> x(terms), y(factors), out(3 * rows);
  sums<<<rows / 16, 16>>>(x, y, out, begin, n);
  return out.host();
}

std::vector<float> runStrided(const std::vector<float> &terms, float begin, int n, int stride) {
  DeviceArray<float> x(terms), out(rows);
  strided<<<rows / 16, 16>>>(x, out, begin, n, stride);
  return out.host();
}

std::vector<float> runKnown(const std::vector<float> &terms, float begin) {
  DeviceArray<float> x(terms), out(rows);
  known<<<rows / 16, 16>>>(x, out, begin);
  return out.host();
}

void expectNear(const char *what, long index, float got, double wanted, double bound) {
  expect(std::fabs(got - wanted) <= bound, what, index, got, wanted);
}

/// The sums without error, and the sum of the magnitudes, which bounds the errors.
struct Exact {
  double products, difference, half, magnitude;
};

Exact exact(const float *x, const std::vector<float> &y, float begin, int n) {
  Exact sum = {begin, begin, begin, std::fabs(begin)};
  for (int i = 0; i < n; ++i) {
    sum.products += double(x[i]) * y[i];
    sum.difference -= x[i];
    sum.half += i % 2 ? 0 : x[i];
    sum.magnitude += std::fabs(double(x[i]) * y[i]) + std::fabs(x[i]);
  }
  return sum;
}

int main() {
  std::vector<float> whole(rows * most), fractions(rows * most), factors(most);
  for (int i = 0; i < rows * most; ++i) {
    whole[i] = float(i * 7 % 31 - 12);
    fractions[i] = float(i * 29 % 97 - 40) / 7.0f;
  }
  for (int i = 0; i < most; ++i)
    factors[i] = float(i * 5 % 11 - 4);
  for (int n : {0, 1, 2, 3, 4, 5, 7, 8, 9, 31, 32, 33, 64, 100, 257, 300}) {
    std::vector<float> exactly = run(whole, factors, 3, n);
    for (int row = 0; row < rows; ++row) {
      Exact wanted = exact(&whole[row * most], factors, 3, n);
      expectEqual("products", row, exactly[3 * row], wanted.products);
      expectEqual("difference", row, exactly[3 * row + 1], wanted.difference);
      expectEqual("half", row, exactly[3 * row + 2], wanted.half);
    }
    std::vector<float> nearly = run(fractions, factors, 0.3f, n);
    for (int row = 0; row < rows; ++row) {
      Exact wanted = exact(&fractions[row * most], factors, 0.3f, n);
      double bound = (n + 1) * 0x1p-24 * 1.01 * wanted.magnitude + 1e-7;
      expectNear("products of fractions", row, nearly[3 * row], wanted.products, bound);
      expectNear("difference of fractions", row, nearly[3 * row + 1], wanted.difference, bound);
      expectNear("half of fractions", row, nearly[3 * row + 2], wanted.half, bound);
    }
  }
  for (int n : {0, 1, 5, 64, 300})
    for (int stride : {1, 3, 16}) {
      std::vector<float> found = runStrided(whole, 3, n, stride);
      for (int row = 0; row < rows; ++row) {
        double wanted = 3;
        for (int i = row % 16 % 3; i < n; i += stride)
          wanted += whole[row * most + i];
        expectEqual("strided", row, found[row], wanted);
      }
    }
  std::vector<float> unrolled = runKnown(whole, 5);
  for (int row = 0; row < rows; ++row) {
    double wanted = 5;
    for (int i = 0; i < 24; ++i)
      wanted += whole[row * most + i];
    expectEqual("known", row, unrolled[row], wanted);
  }
  // A zero is negative only if every term is.
  std::vector<float> zeros(rows * most, -0.0f), ones(most, 1.0f);
  for (float begin : {-0.0f, 0.0f})
    for (int n : {0, 1, 6, 100}) {
      std::vector<float> sum = run(zeros, ones, begin, n);
      expectEqual("sign of products", n, std::signbit(sum[0]), std::signbit(begin));
      expectEqual("sign of half", n, std::signbit(sum[2]), std::signbit(begin));
      expectEqual("sign of known", n, std::signbit(runKnown(zeros, begin)[0]), std::signbit(begin));
    }
  return verdict("reassociated_sums");
}
