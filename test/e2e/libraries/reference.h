//===- reference.h - What libraries must agree with -------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "../programs/expect.h"

#include <complex>
#include <type_traits>

#define SUCCEED(call) expectEqual(#call, __LINE__, long(call), 0L)

/// The type of an element for arithmetic on the host.
template <class T> struct NumberOf {
  using Type = T;
};
template <> struct NumberOf<float2> {
  using Type = std::complex<float>;
};
template <> struct NumberOf<double2> {
  using Type = std::complex<double>;
};
template <class T> using Number = typename NumberOf<T>::Type;
template <class T> using Real = decltype(std::real(Number<T>()));

inline unsigned nextRandom() {
  static unsigned state = 1;
  return (state = state * 1664525u + 1013904223u) >> 16;
}
/// Small quarters: sums of products are exact in every type.
inline float smallNumber() { return float(int(nextRandom() % 17) - 8) / 4; }
template <class N> void fill(N &x) { x = N(smallNumber()); }
template <class R> void fill(std::complex<R> &x) { x = {R(smallNumber()), R(smallNumber())}; }

template <class N> std::vector<N> someNumbers(size_t count) {
  std::vector<N> out(count);
  for (N &x : out)
    fill(x);
  return out;
}

template <class N> N conjugate(N x) { return x; }
template <class R> std::complex<R> conjugate(std::complex<R> x) { return std::conj(x); }

/// A matrix by columns.
template <class N> struct Matrix {
  std::vector<N> data;
  int ld;
  N &operator()(int i, int j) { return data[i + size_t(j) * ld]; }
  const N &operator()(int i, int j) const { return data[i + size_t(j) * ld]; }
  /// Element (i, j) of the matrix, its transpose ('T') or its conjugate transpose ('C').
  N element(char op, int i, int j) const {
    return op == 'N' ? (*this)(i, j) : op == 'T' ? (*this)(j, i) : conjugate((*this)(j, i));
  }
};
template <class N> Matrix<N> someMatrix(int ld, int cols) {
  return {someNumbers<N>(size_t(ld) * cols), ld};
}

/// Device memory with numbers, which the library sees as T.
template <class T> class Device {
public:
  using N = Number<T>;
  explicit Device(const std::vector<N> &data) : memory(data) {}
  explicit Device(const Matrix<N> &matrix) : memory(matrix.data) {}
  operator T *() const { return reinterpret_cast<T *>(static_cast<N *>(memory)); }
  std::vector<N> host() const { return memory.host(); }

private:
  DeviceArray<N> memory;
};

template <class T, class N> const T *pointerTo(const N &number) {
  return reinterpret_cast<const T *>(&number);
}

template <class N> void expectNear(const char *what, long index, N got, N wanted, double bound) {
  double distance = std::abs(std::complex<double>(got) - std::complex<double>(wanted));
  expect(distance <= bound * (1 + std::abs(std::complex<double>(wanted))), what, index,
         std::real(got), std::real(wanted));
}
template <class N>
void expectAllNear(const char *what, const std::vector<N> &got, const std::vector<N> &wanted,
                   double bound = 1e-5) {
  expectEqual(what, -1, got.size(), wanted.size());
  for (size_t i = 0; i < got.size(); ++i)
    expectNear(what, long(i), got[i], wanted[i], bound);
}
