//===- cublas_vectors.cu - Levels 1 and 2 -----------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Vectors have positive and negative steps. Scalars are read in host and device memory.
//
//===----------------------------------------------------------------------===//
// REQUIRES: cublas
// RUN: %regrain-nvcc --targets=cpu -O1 -o %t %s -lcublas
// RUN: timeout 60 %t

#include "reference.h"
#include <cublas_v2.h>

cublasHandle_t handle;
const cublasFillMode_t triangles[] = {CUBLAS_FILL_MODE_LOWER, CUBLAS_FILL_MODE_UPPER};
const cublasOperation_t operations[] = {CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C};
const char letters[] = {'N', 'T', 'C'};
const int n = 11;
const int steps[] = {1, 2, -3};

/// Element i of a vector of `count` elements.
template <class N> N &at(std::vector<N> &x, int count, int step, int i) {
  return x[(step < 0 ? i - count + 1 : i) * step];
}

template <class T, class Copy, class Swap, class Axpy, class Scal>
void testVectors(Copy copy, Swap swap, Axpy axpy, Scal scal) {
  using N = Number<T>;
  for (int incx : steps)
    for (int incy : steps) {
      std::vector<N> x = someNumbers<N>(3 * n), y = someNumbers<N>(3 * n);
      Device<T> X(x), Y(y);
      N alpha = 1.5;
      SUCCEED(axpy(handle, n, pointerTo<T>(alpha), X, incx, Y, incy));
      SUCCEED(swap(handle, n, X, incx, Y, incy));
      for (int i = 0; i < n; ++i) {
        at(y, n, incy, i) += alpha * at(x, n, incx, i);
        std::swap(at(x, n, incx, i), at(y, n, incy, i));
      }
      expectAllNear("axpy", X.host(), x);
      expectAllNear("swap", Y.host(), y);
      SUCCEED(copy(handle, n, X, incx, Y, incy));
      SUCCEED(scal(handle, n, pointerTo<T>(alpha), X, std::abs(incx)));
      for (int i = 0; i < n; ++i)
        at(y, n, incy, i) = at(x, n, incx, i);
      for (int i = 0; i < n; ++i)
        x[i * std::abs(incx)] *= alpha;
      expectAllNear("copy", Y.host(), y);
      expectAllNear("scal", X.host(), x);
    }
}

template <class N> Real<N> magnitude(N x) { return std::abs(std::real(x)) + std::abs(std::imag(x)); }

template <class T, class Nrm2, class Asum, class Amax, class Amin>
void testReductions(Nrm2 nrm2, Asum asum, Amax amax, Amin amin) {
  using N = Number<T>;
  std::vector<N> x = someNumbers<N>(2 * n);
  x[6] = N(50), x[10] = N(50), x[4] = N(0), x[8] = N(0); // the first of equals counts
  Device<T> X(x);
  double squares = 0, sum = 0;
  for (int i = 0; i < n; ++i) {
    squares += std::norm(x[2 * i]);
    sum += magnitude(x[2 * i]);
    if (i != 2 && i != 4 && x[2 * i] == N(0))
      x[2 * i] = N(1);
  }
  Real<N> length = 0, total = 0;
  int largest = 0, smallest = 0;
  SUCCEED(nrm2(handle, n, X, 2, &length));
  SUCCEED(asum(handle, n, X, 2, &total));
  SUCCEED(amax(handle, n, X, 2, &largest));
  SUCCEED(amin(handle, n, X, 2, &smallest));
  expectNear("nrm2", 0, double(length), std::sqrt(squares), 1e-5);
  expectNear("asum", 0, double(total), sum, 1e-5);
  expectEqual("amax", 0, largest, 4);
  expect(smallest >= 1 && smallest <= 3, "amin", 0, smallest, 3);
  SUCCEED(amax(handle, 0, X, 2, &largest));
  expectEqual("amax of nothing", 0, largest, 0);
  // The result may be in device memory.
  DeviceArray<Real<N>> onDevice(1);
  SUCCEED(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE));
  SUCCEED(nrm2(handle, n, X, 2, onDevice));
  SUCCEED(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST));
  CHECK(cudaDeviceSynchronize());
  expectEqual("nrm2 on the device", 0, onDevice.host()[0], length);
}

template <class T, class Dot> void testDot(const char *name, bool conjugates, Dot dot) {
  using N = Number<T>;
  std::vector<N> x = someNumbers<N>(3 * n), y = someNumbers<N>(3 * n);
  Device<T> X(x), Y(y);
  N sum = {}, got = {};
  for (int i = 0; i < n; ++i)
    sum += (conjugates ? conjugate(at(x, n, 2, i)) : at(x, n, 2, i)) * at(y, n, -3, i);
  SUCCEED(dot(handle, n, X, 2, Y, -3, reinterpret_cast<T *>(&got)));
  expectNear(name, 0, got, sum, 1e-6);
}

template <class T, class Rot, class Rotg> void testRotations(Rot rot, Rotg rotg) {
  T a = 3, b = 4, c = 0, s = 0;
  SUCCEED(rotg(handle, &a, &b, &c, &s));
  expectNear("rotg", 0, double(a), 5.0, 1e-6);
  std::vector<T> x = {3, 1}, y = {4, 2};
  Device<T> X(x), Y(y);
  SUCCEED(rot(handle, 2, X, 1, Y, 1, &c, &s));
  expectAllNear("rot x", X.host(), {5, T(0.6) + T(1.6)}, 1e-6);
  expectAllNear("rot y", Y.host(), {0, T(1.2) - T(0.8)}, 1e-6);
}

template <class T, class Gemv> void testGemv(const char *name, Gemv gemv) {
  using N = Number<T>;
  const int rows = 5, cols = 7;
  for (int op = 0; op < 3; ++op)
    for (int incx : steps) {
      Matrix<N> a = someMatrix<N>(6, cols);
      std::vector<N> x = someNumbers<N>(3 * cols), y = someNumbers<N>(2 * cols);
      Device<T> A(a), X(x), Y(y);
      int outputs = op == 0 ? rows : cols, inputs = op == 0 ? cols : rows;
      // The factors are in device memory, and written after the call is made.
      DeviceArray<N> factors(2);
      N values[] = {N(2), N(0.5)};
      SUCCEED(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE));
      CHECK(cudaMemcpyAsync(factors, values, sizeof(values), cudaMemcpyHostToDevice));
      SUCCEED(gemv(handle, operations[op], rows, cols, reinterpret_cast<T *>(&factors[0]), A, 6, X,
                   incx, reinterpret_cast<T *>(&factors[1]), Y, 2));
      SUCCEED(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST));
      for (int i = 0; i < outputs; ++i) {
        N sum = {};
        for (int j = 0; j < inputs; ++j)
          sum += a.element(letters[op], i, j) * at(x, inputs, incx, j);
        y[2 * i] = N(2) * sum + N(0.5) * y[2 * i];
      }
      CHECK(cudaDeviceSynchronize());
      expectAllNear(name, Y.host(), y);
    }
}

/// Packs the triangle of `a` into AP by the entry `pack`, which hipBLAS lacks.
template <class N, class T, class Pack>
void packTriangle(Pack pack, cublasFillMode_t uplo, int order, const Matrix<N> &a, T *A, T *AP) {
#ifdef ON_AMD
  expectEqual("pack", 0, pack(handle, uplo, order, A, a.ld, AP), CUBLAS_STATUS_NOT_SUPPORTED);
  std::vector<N> packed;
  for (int j = 0; j < order; ++j)
    for (int i = uplo == CUBLAS_FILL_MODE_UPPER ? 0 : j; i < (uplo == CUBLAS_FILL_MODE_UPPER ? j + 1 : order); ++i)
      packed.push_back(a(i, j));
  CHECK(cudaMemcpy(AP, packed.data(), packed.size() * sizeof(T), cudaMemcpyHostToDevice));
#else
  SUCCEED(pack(handle, uplo, order, A, a.ld, AP));
#endif
}

/// The matrix is given in full, as a band and packed: all products agree.
template <class T, class Full, class Band, class Packed, class Pack>
void testSymmetric(bool hermitian, Full full, Band band, Packed packed, Pack pack) {
  using N = Number<T>;
  for (cublasFillMode_t uplo : triangles) {
    bool upper = uplo == CUBLAS_FILL_MODE_UPPER;
    Matrix<N> a = someMatrix<N>(n, n), bands = someMatrix<N>(n, n);
    std::vector<N> x = someNumbers<N>(n), y = someNumbers<N>(n);
    for (int i = 0; i < n; ++i)
      a(i, i) = std::real(a(i, i));
    for (int j = 0; j < n; ++j)
      for (int i = upper ? 0 : j; i < (upper ? j + 1 : n); ++i)
        bands(upper ? n - 1 + i - j : i - j, j) = a(i, j);
    Device<T> A(a), Bands(bands), X(x), Y(y), Y2(y), Y3(y), AP(someNumbers<N>(n * n));
    N alpha = 2, beta = 0.5;
    SUCCEED(full(handle, uplo, n, pointerTo<T>(alpha), A, n, X, 1, pointerTo<T>(beta), Y, 1));
    SUCCEED(band(handle, uplo, n, n - 1, pointerTo<T>(alpha), Bands, n, X, 1, pointerTo<T>(beta),
                 Y2, 1));
    packTriangle<N, T>(pack, uplo, n, a, A, AP);
    SUCCEED(packed(handle, uplo, n, pointerTo<T>(alpha), AP, X, 1, pointerTo<T>(beta), Y3, 1));
    for (int i = 0; i < n; ++i) {
      N sum = {};
      for (int j = 0; j < n; ++j) {
        bool given = upper ? i <= j : i >= j;
        sum += (given ? a(i, j) : hermitian ? conjugate(a(j, i)) : a(j, i)) * x[j];
      }
      y[i] = alpha * sum + beta * y[i];
    }
    expectAllNear("symv", Y.host(), y);
    expectAllNear("sbmv", Y2.host(), y);
    expectAllNear("spmv", Y3.host(), y);
  }
}

/// A product and the solution of the system are inverse to each other, in all three forms.
template <class T, class Mv, class Sv, class BandMv, class BandSv, class PackedMv, class PackedSv,
          class Pack>
void testTriangular(Mv trmv, Sv trsv, BandMv tbmv, BandSv tbsv, PackedMv tpmv, PackedSv tpsv,
                    Pack pack) {
  using N = Number<T>;
  for (cublasFillMode_t uplo : triangles)
    for (int op = 0; op < 3; ++op)
      for (cublasDiagType_t diag : {CUBLAS_DIAG_NON_UNIT, CUBLAS_DIAG_UNIT}) {
        bool upper = uplo == CUBLAS_FILL_MODE_UPPER;
        const int order = 5, width = order - 1;
        Matrix<N> a = someMatrix<N>(6, order), bands = someMatrix<N>(order, order);
        for (int j = 0; j < order; ++j) {
          a(j, j) = N(4);
          for (int i = upper ? 0 : j; i < (upper ? j + 1 : order); ++i)
            bands(upper ? width + i - j : i - j, j) = a(i, j);
        }
        std::vector<N> x = someNumbers<N>(2 * order), product = x;
        Device<T> A(a), Bands(bands), AP(someNumbers<N>(order * order)), X(x), X2(x), X3(x);
        cublasOperation_t trans = operations[op];
        packTriangle<N, T>(pack, uplo, order, a, A, AP);
        SUCCEED(trmv(handle, uplo, trans, diag, order, A, 6, X, 2));
        SUCCEED(tbmv(handle, uplo, trans, diag, order, width, Bands, order, X2, 2));
        SUCCEED(tpmv(handle, uplo, trans, diag, order, AP, X3, 2));
        for (int i = 0; i < order; ++i) {
          N sum = {};
          for (int j = 0; j < order; ++j) {
            bool given = letters[op] == 'N' ? (upper ? i <= j : i >= j) : (upper ? i >= j : i <= j);
            N element = i == j && diag == CUBLAS_DIAG_UNIT ? N(1) : a.element(letters[op], i, j);
            sum += given ? element * x[2 * j] : N();
          }
          product[2 * i] = sum;
        }
        expectAllNear("trmv", X.host(), product);
        expectAllNear("tbmv", X2.host(), product);
        expectAllNear("tpmv", X3.host(), product);
        SUCCEED(trsv(handle, uplo, trans, diag, order, A, 6, X, 2));
        SUCCEED(tbsv(handle, uplo, trans, diag, order, width, Bands, order, X2, 2));
        SUCCEED(tpsv(handle, uplo, trans, diag, order, AP, X3, 2));
        expectAllNear("trsv", X.host(), x, 1e-2);
        expectAllNear("tbsv", X2.host(), x, 1e-2);
        expectAllNear("tpsv", X3.host(), x, 1e-2);
      }
}

/// A += alpha x y' in general, and the symmetric forms in a triangle.
template <class T, class Ger> void testGer(bool conjugates, Ger ger) {
  using N = Number<T>;
  Matrix<N> a = someMatrix<N>(6, 4);
  std::vector<N> x = someNumbers<N>(5), y = someNumbers<N>(8);
  Device<T> A(a), X(x), Y(y);
  N alpha = 0.5;
  SUCCEED(ger(handle, 5, 4, pointerTo<T>(alpha), X, 1, Y, -2, A, 6));
  for (int j = 0; j < 4; ++j)
    for (int i = 0; i < 5; ++i)
      a(i, j) += alpha * x[i] * (conjugates ? conjugate(at(y, 4, -2, j)) : at(y, 4, -2, j));
  expectAllNear("ger", A.host(), a.data);
}

template <class T, class Update> void testRanks(const char *name, bool hermitian, bool two, Update update) {
  using N = Number<T>;
  for (cublasFillMode_t uplo : triangles) {
    bool upper = uplo == CUBLAS_FILL_MODE_UPPER;
    Matrix<N> a = someMatrix<N>(6, 5);
    std::vector<N> x = someNumbers<N>(10), y = two ? someNumbers<N>(10) : x;
    if (hermitian)
      for (int i = 0; i < 5; ++i)
        a(i, i) = std::real(a(i, i));
    Device<T> A(a), X(x), Y(y);
    SUCCEED(update(uplo, 5, X, -2, Y, A, 6));
    auto other = [&](N value) { return hermitian ? conjugate(value) : value; };
    for (int j = 0; j < 5; ++j)
      for (int i = upper ? 0 : j; i < (upper ? j + 1 : 5); ++i) {
        N xi = at(x, 5, -2, i), xj = at(x, 5, -2, j), yi = at(y, 5, -2, i), yj = at(y, 5, -2, j);
        a(i, j) += N(2) * (two ? xi * other(yj) + yi * other(xj) : xi * other(xj));
      }
    expectAllNear(name, A.host(), a.data);
  }
}

template <class T> const Number<T> twice = 2;
template <class T> const Real<Number<T>> realTwice = 2;

#define TEST_ALL(P, T, RESULT, INDEX)                                                              \
  testVectors<T>(cublas##P##copy, cublas##P##swap, cublas##P##axpy, cublas##P##scal);              \
  testReductions<T>(cublas##RESULT##nrm2, cublas##RESULT##asum, cublasI##INDEX##amax,              \
                    cublasI##INDEX##amin);                                                         \
  testGemv<T>("gemv " #P, cublas##P##gemv);                                                        \
  testTriangular<T>(cublas##P##trmv, cublas##P##trsv, cublas##P##tbmv, cublas##P##tbsv,            \
                    cublas##P##tpmv, cublas##P##tpsv, cublas##P##trttp);                           \
  testRanks<T>("syr " #P, false, false, [](auto uplo, int n, T *x, int inc, T *, T *a, int lda) {  \
    return cublas##P##syr(handle, uplo, n, pointerTo<T>(twice<T>), x, inc, a, lda);                \
  });                                                                                              \
  testRanks<T>("syr2 " #P, false, true, [](auto uplo, int n, T *x, int inc, T *y, T *a, int lda) { \
    return cublas##P##syr2(handle, uplo, n, pointerTo<T>(twice<T>), x, inc, y, inc, a, lda);       \
  })
#define TEST_REAL(P, T)                                                                            \
  testDot<T>("dot " #P, false, cublas##P##dot);                                                    \
  testRotations<T>(cublas##P##rot, cublas##P##rotg);                                               \
  testGer<T>(false, cublas##P##ger);                                                               \
  testSymmetric<T>(false, cublas##P##symv, cublas##P##sbmv, cublas##P##spmv, cublas##P##trttp)
#define TEST_COMPLEX(P, T)                                                                         \
  testDot<T>("dotu " #P, false, cublas##P##dotu);                                                  \
  testDot<T>("dotc " #P, true, cublas##P##dotc);                                                   \
  testGer<T>(false, cublas##P##geru);                                                              \
  testGer<T>(true, cublas##P##gerc);                                                               \
  testSymmetric<T>(true, cublas##P##hemv, cublas##P##hbmv, cublas##P##hpmv, cublas##P##trttp);     \
  testRanks<T>("her " #P, true, false, [](auto uplo, int n, T *x, int inc, T *, T *a, int lda) {   \
    return cublas##P##her(handle, uplo, n, &realTwice<T>, x, inc, a, lda);                         \
  });                                                                                              \
  testRanks<T>("her2 " #P, true, true, [](auto uplo, int n, T *x, int inc, T *y, T *a, int lda) {  \
    return cublas##P##her2(handle, uplo, n, pointerTo<T>(twice<T>), x, inc, y, inc, a, lda);       \
  })

int main() {
  SUCCEED(cublasCreate(&handle));
  TEST_ALL(S, float, S, s);
  TEST_ALL(D, double, D, d);
  TEST_ALL(C, cuComplex, Sc, c);
  TEST_ALL(Z, cuDoubleComplex, Dz, z);
  TEST_REAL(S, float);
  TEST_REAL(D, double);
  TEST_COMPLEX(C, cuComplex);
  TEST_COMPLEX(Z, cuDoubleComplex);
  SUCCEED(cublasDestroy(handle));
  return verdict("cublas_vectors");
}
