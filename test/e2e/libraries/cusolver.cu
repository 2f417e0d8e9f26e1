//===- cusolver.cu - Factors, systems and eigenvalues -----------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// REQUIRES: cusolver
// RUN: %regrain-nvcc --targets=cpu -O1 -o %t %s -lcusolver
// RUN: timeout 60 %t
#include "reference.h"
#include <cusolverDn.h>

cusolverDnHandle_t handle;
const int n = 6;

/// Returns A times x.
template <class N> std::vector<N> times(const Matrix<N> &a, const std::vector<N> &x, char op = 'N') {
  std::vector<N> out(n);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      out[i] += a.element(op, i, j) * x[j];
  return out;
}

/// A Hermitian matrix with a large diagonal.
template <class N> Matrix<N> someDefinite() {
  Matrix<N> a = someMatrix<N>(n, n);
  for (int j = 0; j < n; ++j) {
    a(j, j) = N(20 + j);
    for (int i = 0; i < j; ++i)
      a(i, j) = conjugate(a(j, i));
  }
  return a;
}

struct Info {
  DeviceArray<int> memory{1};
  void expectZero(const char *what) {
    CHECK(cudaDeviceSynchronize());
    expectEqual(what, 0, memory.host()[0], 0);
  }
};

template <class T, class Potrf, class Potrs, class Getrf, class Getrs>
void testSystems(Potrf potrf, Potrs potrs, Getrf getrf, Getrs getrs) {
  using N = Number<T>;
  Info info;
  Device<T> work(std::vector<N>(n * n));
  for (cublasFillMode_t uplo : {CUBLAS_FILL_MODE_LOWER, CUBLAS_FILL_MODE_UPPER}) {
    Matrix<N> a = someDefinite<N>();
    std::vector<N> x = someNumbers<N>(n);
    Device<T> A(a), B(times(a, x));
    SUCCEED(potrf(handle, uplo, n, A, n, work, n * n, info.memory));
    info.expectZero("potrf info");
    SUCCEED(potrs(handle, uplo, n, 1, A, n, B, n, info.memory));
    info.expectZero("potrs info");
    expectAllNear("potrs", B.host(), x, 1e-4);
  }
  const char letters[] = {'N', 'T', 'C'};
  const cublasOperation_t operations[] = {CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C};
  for (int op = 0; op < 3; ++op) {
    Matrix<N> a = someMatrix<N>(n, n);
    for (int i = 0; i < n; ++i)
      a(i, (i + 1) % n) += N(12); // rows are exchanged
    std::vector<N> x = someNumbers<N>(n);
    Device<T> A(a), B(times(a, x, letters[op]));
    DeviceArray<int> pivots(n);
    SUCCEED(getrf(handle, n, n, A, n, work, pivots, info.memory));
    info.expectZero("getrf info");
    SUCCEED(getrs(handle, operations[op], n, 1, A, n, pivots, B, n, info.memory));
    info.expectZero("getrs info");
    expectAllNear("getrs", B.host(), x, 1e-3);
  }
}

/// Q R = A, and Q' Q = 1.
template <class T, class Geqrf, class Orgqr, class Ormqr>
void testQR(Geqrf geqrf, Orgqr orgqr, Ormqr ormqr) {
  using N = Number<T>;
  Info info;
  Device<T> work(std::vector<N>(n * n)), tau((std::vector<N>(n)));
  Matrix<N> a = someMatrix<N>(n, n);
  Device<T> A(a), C(a);
  SUCCEED(geqrf(handle, n, n, A, n, tau, work, n * n, info.memory));
  info.expectZero("geqrf info");
  Matrix<N> r = {A.host(), n};
  SUCCEED(ormqr(handle, CUBLAS_SIDE_LEFT, CUBLAS_OP_C, n, n, n, A, n, tau, C, n, work, n * n, info.memory));
  info.expectZero("ormqr info");
  Matrix<N> c = {C.host(), n};
  SUCCEED(orgqr(handle, n, n, n, A, n, tau, work, n * n, info.memory));
  info.expectZero("orgqr info");
  Matrix<N> q = {A.host(), n};
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) {
      N product = {}, unit = {};
      for (int k = 0; k <= j; ++k)
        product += q(i, k) * r(k, j);
      for (int k = 0; k < n; ++k)
        unit += conjugate(q(k, i)) * q(k, j);
      expectNear("QR", i, product, a(i, j), 1e-4);
      expectNear("Q'Q", i, unit, N(i == j), 1e-4);
      if (i <= j)
        expectNear("Q'A", i, c(i, j), r(i, j), 1e-4);
    }
}

template <class T, class Syevd, class Gesvd> void testSpectra(Syevd syevd, Gesvd gesvd) {
  using N = Number<T>;
  using R = Real<N>;
  Info info;
  Device<T> work(std::vector<N>(n * n));
  DeviceArray<R> values(n), rwork(n);
  Matrix<N> a = someDefinite<N>();
  Device<T> A(a), U(std::vector<N>(n * n)), V(std::vector<N>(n * n));
  SUCCEED(syevd(handle, CUSOLVER_EIG_MODE_VECTOR, CUBLAS_FILL_MODE_LOWER, n, A, n, values, work, n * n, info.memory));
  info.expectZero("syevd info");
  Matrix<N> vectors = {A.host(), n};
  std::vector<R> w = values.host();
  for (int k = 0; k < n; ++k) {
    std::vector<N> vector(vectors.data.begin() + k * n, vectors.data.begin() + (k + 1) * n), scaled = vector;
    for (N &x : scaled)
      x *= w[k];
    expectAllNear("syevd", times(a, vector), scaled, 1e-4);
  }
  Matrix<N> b = someMatrix<N>(n, n);
  Device<T> B(b);
  SUCCEED(gesvd(handle, 'A', 'A', n, n, B, n, values, U, n, V, n, work, n * n, rwork, info.memory));
  info.expectZero("gesvd info");
  Matrix<N> u = {U.host(), n}, v = {V.host(), n};
  std::vector<R> s = values.host();
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) {
      N sum = {};
      for (int k = 0; k < n; ++k)
        sum += u(i, k) * s[k] * v(k, j);
      expectNear("gesvd", i, sum, b(i, j), 1e-4);
    }
}

void testErrors() {
  int size;
  DeviceArray<float> a(n * n);
  DeviceArray<int> info(1);
  expectEqual("no handle", 0, int(cusolverDnSpotrf_bufferSize(nullptr, CUBLAS_FILL_MODE_LOWER, n, a, n, &size)),
              int(CUSOLVER_STATUS_NOT_INITIALIZED));
  expectEqual("leading dimension", 0, int(cusolverDnSpotrf(handle, CUBLAS_FILL_MODE_LOWER, n, a, n - 1, a, 1, info)),
              int(CUSOLVER_STATUS_INVALID_VALUE));
  // A matrix that is not definite is reported when the work runs.
  SUCCEED(cusolverDnSpotrf(handle, CUBLAS_FILL_MODE_LOWER, n, a, n, a, 1, info));
  CHECK(cudaDeviceSynchronize());
  expectEqual("not definite", 0, info.host()[0], 1);
}

#define TEST(P, T, ORGQR, ORMQR, SYEVD)                                                            \
  testSystems<T>(cusolverDn##P##potrf, cusolverDn##P##potrs, cusolverDn##P##getrf,                 \
                 cusolverDn##P##getrs);                                                            \
  testQR<T>(cusolverDn##P##geqrf, cusolverDn##P##ORGQR, cusolverDn##P##ORMQR);                     \
  testSpectra<T>(cusolverDn##P##SYEVD, cusolverDn##P##gesvd)

int main() {
  SUCCEED(cusolverDnCreate(&handle));
  TEST(S, float, orgqr, ormqr, syevd);
  TEST(D, double, orgqr, ormqr, syevd);
  TEST(C, cuComplex, ungqr, unmqr, heevd);
  TEST(Z, cuDoubleComplex, ungqr, unmqr, heevd);
  testErrors();
  SUCCEED(cusolverDnDestroy(handle));
  return verdict("cusolver");
}
