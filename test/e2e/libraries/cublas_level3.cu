//===- cublas_level3.cu - Products and systems of matrices ------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each entry for each type, all operations, leading dimensions with gaps, which must stay as they are.
//
//===----------------------------------------------------------------------===//
// REQUIRES: cublas
// RUN: %regrain-nvcc --targets=cpu -O1 -o %t %s -lcublas
// RUN: timeout 60 %t
#include "reference.h"
#include <cublas_v2.h>

cublasHandle_t handle;
const char letters[] = {'N', 'T', 'C'};
const cublasOperation_t operations[] = {CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C};
const cublasFillMode_t triangles[] = {CUBLAS_FILL_MODE_LOWER, CUBLAS_FILL_MODE_UPPER};
const cublasSideMode_t sides[] = {CUBLAS_SIDE_LEFT, CUBLAS_SIDE_RIGHT};
const cublasDiagType_t diagonals[] = {CUBLAS_DIAG_NON_UNIT, CUBLAS_DIAG_UNIT};

#define FOR_TYPES(TEST)                                                                            \
  TEST(S, float);                                                                                  \
  TEST(D, double);                                                                                 \
  TEST(C, cuComplex);                                                                              \
  TEST(Z, cuDoubleComplex)

/// alpha op(A) op(B) + beta C, with the sum in the reference's order.
template <class N>
void product(char opA, char opB, int m, int n, int k, N alpha, const Matrix<N> &a,
             const Matrix<N> &b, N beta, Matrix<N> &c) {
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < m; ++i) {
      N sum = {};
      for (int l = 0; l < k; ++l)
        sum += a.element(opA, i, l) * b.element(opB, l, j);
      c(i, j) = alpha * sum + (beta == N() ? N() : beta * c(i, j));
    }
}

/// The whole of a matrix of which one triangle is given.
template <class N>
Matrix<N> wholeOf(const Matrix<N> &a, int n, bool upper, bool hermitian) {
  Matrix<N> whole = a;
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) {
      bool given = upper ? i <= j : i >= j;
      whole(i, j) = given ? a(i, j) : hermitian ? conjugate(a(j, i)) : a(j, i);
      if (i == j && hermitian)
        whole(i, j) = std::real(whole(i, j));
    }
  return whole;
}

/// A triangle, with zeros or the unit diagonal.
template <class N> Matrix<N> triangleOf(const Matrix<N> &a, int n, bool upper, bool unit) {
  Matrix<N> out = a;
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) {
      bool given = upper ? i <= j : i >= j;
      out(i, j) = i == j && unit ? N(1) : given ? a(i, j) : N();
    }
  return out;
}

template <class T, class Gemm> void testGemm(const char *name, Gemm gemm) {
  using N = Number<T>;
  const int m = 7, n = 5, k = 6;
  for (int opA = 0; opA < 3; ++opA)
    for (int opB = 0; opB < 3; ++opB)
      for (N beta : {N(0), N(0.5)}) {
        Matrix<N> a = someMatrix<N>(9, 8), b = someMatrix<N>(8, 8), c = someMatrix<N>(10, n);
        if (beta == N())
          c(0, 0) = N(NAN); // must not be read
        Device<T> A(a), B(b), C(c);
        N alpha = 1.5;
        SUCCEED(gemm(handle, operations[opA], operations[opB], m, n, k, pointerTo<T>(alpha), A, 9,
                     B, 8, pointerTo<T>(beta), C, 10));
        product(letters[opA], letters[opB], m, n, k, alpha, a, b, beta, c);
        expectAllNear(name, C.host(), c.data);
      }
}

template <class T, class Symm> void testSymm(const char *name, Symm symm, bool hermitian) {
  using N = Number<T>;
  const int m = 6, n = 4;
  for (cublasSideMode_t side : sides)
    for (cublasFillMode_t uplo : triangles) {
      bool left = side == CUBLAS_SIDE_LEFT;
      int order = left ? m : n;
      Matrix<N> a = someMatrix<N>(8, order), b = someMatrix<N>(7, n), c = someMatrix<N>(9, n);
      Device<T> A(a), B(b), C(c);
      N alpha = 0.5, beta = 2;
      SUCCEED(symm(handle, side, uplo, m, n, pointerTo<T>(alpha), A, 8, B, 7, pointerTo<T>(beta), C,
                   9));
      Matrix<N> whole = wholeOf(a, order, uplo == CUBLAS_FILL_MODE_UPPER, hermitian);
      left ? product('N', 'N', m, n, m, alpha, whole, b, beta, c)
           : product('N', 'N', m, n, n, alpha, b, whole, beta, c);
      expectAllNear(name, C.host(), c.data);
    }
}

/// C = alpha A B' + beta C, and the same with A and B exchanged if `both`; only a triangle changes.
/// If `same`, B is A.
template <class T, class Update>
void testUpdate(const char *name, bool hermitian, bool both, bool same, Update update) {
  using N = Number<T>;
  const int n = 5, k = 7;
  char transposed = hermitian ? 'C' : 'T';
  for (cublasFillMode_t uplo : triangles)
    for (bool plain : {true, false}) {
      Matrix<N> a = someMatrix<N>(9, 8), c = someMatrix<N>(6, n);
      Matrix<N> b = same ? a : someMatrix<N>(9, 8);
      bool upper = uplo == CUBLAS_FILL_MODE_UPPER;
      if (hermitian)
        for (int i = 0; i < n; ++i)
          c(i, i) = std::real(c(i, i));
      Device<T> A(a), B(b), C(c);
      cublasOperation_t trans = plain ? CUBLAS_OP_N : hermitian ? CUBLAS_OP_C : CUBLAS_OP_T;
      SUCCEED(update(uplo, trans, n, k, A, 9, B, 9, C, 6));
      Matrix<N> whole = c;
      char first = plain ? 'N' : transposed, second = plain ? transposed : 'N';
      product(first, second, n, n, k, N(2), a, b, N(0.5), whole);
      if (both)
        product(first, second, n, n, k, N(2), b, a, N(1), whole);
      for (int j = 0; j < n; ++j)
        for (int i = 0; i < n; ++i)
          if (upper ? i <= j : i >= j)
            c(i, j) = hermitian && i == j ? N(std::real(whole(i, j))) : whole(i, j);
      expectAllNear(name, C.host(), c.data);
    }
}

template <class T, class Trmm, class Trsm>
void testTriangular(const char *name, Trmm trmm, Trsm trsm) {
  using N = Number<T>;
  const int m = 5, n = 4;
  for (cublasSideMode_t side : sides)
    for (cublasFillMode_t uplo : triangles)
      for (int op = 0; op < 3; ++op)
        for (cublasDiagType_t diag : diagonals) {
          bool left = side == CUBLAS_SIDE_LEFT, upper = uplo == CUBLAS_FILL_MODE_UPPER;
          int order = left ? m : n;
          Matrix<N> a = someMatrix<N>(7, order), b = someMatrix<N>(6, n), c = someMatrix<N>(8, n);
          for (int i = 0; i < order; ++i)
            a(i, i) = N(4); // well conditioned
          Device<T> A(a), B(b), C(c);
          N alpha = 2;
          SUCCEED(trmm(handle, side, uplo, operations[op], diag, m, n, pointerTo<T>(alpha), A, 7, B,
                       6, C, 8));
          Matrix<N> triangle = triangleOf(a, order, upper, diag == CUBLAS_DIAG_UNIT);
          left ? product(letters[op], 'N', m, n, m, alpha, triangle, b, N(), c)
               : product('N', letters[op], m, n, n, alpha, b, triangle, N(), c);
          expectAllNear(name, C.host(), c.data);
          // The solution of op(A) X = C / 2 is B / 1, as C = 2 op(A) B.
          N oneHalf = 0.5;
          SUCCEED(trsm(handle, side, uplo, operations[op], diag, m, n, pointerTo<T>(oneHalf), A, 7,
                       C,
                       8));
          std::vector<N> x = C.host();
          for (int j = 0; j < n; ++j)
            for (int i = 0; i < m; ++i)
              expectNear(name, i, x[i + j * 8], b(i, j), 1e-2);
        }
}

template <class T, class Geam> void testGeam(const char *name, Geam geam) {
  using N = Number<T>;
  const int m = 4, n = 6;
  for (int opA = 0; opA < 3; ++opA)
    for (int opB = 0; opB < 3; ++opB) {
      Matrix<N> a = someMatrix<N>(7, 7), b = someMatrix<N>(8, 8), c = someMatrix<N>(5, n);
      Device<T> A(a), B(b), C(c);
      N alpha = 2, beta = -0.5;
      SUCCEED(geam(handle, operations[opA], operations[opB], m, n, pointerTo<T>(alpha), A, 7,
                   pointerTo<T>(beta), B, 8, C, 5));
      for (int j = 0; j < n; ++j)
        for (int i = 0; i < m; ++i)
          c(i, j) = alpha * a.element(letters[opA], i, j) + beta * b.element(letters[opB], i, j);
      expectAllNear(name, C.host(), c.data);
    }
}

template <class T, class Dgmm> void testDgmm(const char *name, Dgmm dgmm) {
  using N = Number<T>;
  const int m = 4, n = 3;
  for (cublasSideMode_t side : sides) {
    Matrix<N> a = someMatrix<N>(5, n), c = someMatrix<N>(6, n);
    std::vector<N> x = someNumbers<N>(8);
    Device<T> A(a), X(x), C(c);
    SUCCEED(dgmm(handle, side, m, n, A, 5, X, 2, C, 6));
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < m; ++i)
        c(i, j) = a(i, j) * x[2 * (side == CUBLAS_SIDE_LEFT ? i : j)];
    expectAllNear(name, C.host(), c.data);
  }
}

template <class T> const Number<T> two = 2;
template <class T> const Number<T> oneHalf = 0.5;
template <class T> const Real<Number<T>> realTwo = 2;
template <class T> const Real<Number<T>> realHalf = 0.5;

#define TEST_GEMM(P, T) testGemm<T>("gemm " #P, cublas##P##gemm)
#define TEST_GEMM_64(P, T) testGemm<T>("gemm_64 " #P, cublas##P##gemm_64)
#define TEST_SYMM(P, T) testSymm<T>("symm " #P, cublas##P##symm, false)
#define TEST_HEMM(P, T) testSymm<T>("hemm " #P, cublas##P##hemm, true)
#define TEST_TRIANGULAR(P, T) testTriangular<T>("trmm " #P, cublas##P##trmm, cublas##P##trsm)
#define TEST_GEAM(P, T) testGeam<T>("geam " #P, cublas##P##geam)
#define TEST_DGMM(P, T) testDgmm<T>("dgmm " #P, cublas##P##dgmm)

#define UPDATE(NAME, P, T, ALPHA, BETA, HERMITIAN, BOTH)                                           \
  testUpdate<T>(#NAME #P, HERMITIAN, BOTH, false,                                                  \
                [](auto uplo, auto op, int n, int k, T *a, int lda, T *b, int ldb, T *c, int ldc) { \
                  return cublas##P##NAME(handle, uplo, op, n, k, ALPHA, a, lda, b, ldb, BETA, c,   \
                                         ldc);                                                     \
                })
#define UPDATE_BY_ONE(NAME, P, T, ALPHA, BETA, HERMITIAN)                                          \
  testUpdate<T>(#NAME #P, HERMITIAN, false, true,                                                  \
                [](auto uplo, auto op, int n, int k, T *a, int lda, T *, int, T *c, int ldc) {     \
                  return cublas##P##NAME(handle, uplo, op, n, k, ALPHA, a, lda, BETA, c, ldc);     \
                })
#define TEST_SYRK(P, T)                                                                            \
  UPDATE_BY_ONE(syrk, P, T, pointerTo<T>(two<T>), pointerTo<T>(oneHalf<T>), false);                   \
  UPDATE(syrkx, P, T, pointerTo<T>(two<T>), pointerTo<T>(oneHalf<T>), false, false);                  \
  UPDATE(syr2k, P, T, pointerTo<T>(two<T>), pointerTo<T>(oneHalf<T>), false, true)
#define TEST_HERK(P, T)                                                                            \
  UPDATE_BY_ONE(herk, P, T, &realTwo<T>, &realHalf<T>, true);                                      \
  UPDATE(herkx, P, T, pointerTo<T>(two<T>), &realHalf<T>, true, false);                            \
  UPDATE(her2k, P, T, pointerTo<T>(two<T>), &realHalf<T>, true, true)

int main() {
  SUCCEED(cublasCreate(&handle));
  FOR_TYPES(TEST_GEMM);
  FOR_TYPES(TEST_GEMM_64);
  FOR_TYPES(TEST_SYMM);
  FOR_TYPES(TEST_SYRK);
  FOR_TYPES(TEST_TRIANGULAR);
  FOR_TYPES(TEST_GEAM);
  FOR_TYPES(TEST_DGMM);
  TEST_HEMM(C, cuComplex);
  TEST_HEMM(Z, cuDoubleComplex);
  TEST_HERK(C, cuComplex);
  TEST_HERK(Z, cuDoubleComplex);
  SUCCEED(cublasDestroy(handle));
  return verdict("cublas_level3");
}
