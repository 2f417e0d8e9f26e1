//===- cublas_types.cu - Batches, factors, other elements -------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// REQUIRES: cublas
// RUN: %regrain-nvcc --targets=cpu -O1 -o %t %s -lcublas
// RUN: timeout 60 %t
#include "reference.h"
#include <cublas_v2.h>
#include <cstdint>

cublasHandle_t handle;
const int m = 5, n = 4, k = 6, batch = 3;

template <class From> float numberOf(From x) { return float(x); }

/// C = 2 A B + C / 2 in any types, with exact sums.
template <class A, class C, class S>
void testGemmEx(const char *name, cudaDataType typeA, cudaDataType typeC, cublasComputeType_t compute,
                S alpha, S beta, float scale) {
  std::vector<A> a(m * k), b(k * n);
  std::vector<C> c(batch * m * n);
  for (A &x : a)
    x = A(smallNumber() * scale);
  for (A &x : b)
    x = A(smallNumber() * scale);
  for (C &x : c)
    x = C(4.0f);
  DeviceArray<A> deviceA(a), deviceB(b);
  DeviceArray<C> deviceC(c);
  SUCCEED(cublasGemmStridedBatchedEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, m, n, k, &alpha, deviceA, typeA,
                                     m, 0, deviceB, typeA, k, 0, &beta, deviceC, typeC, m, m * n, 2,
                                     compute, CUBLAS_GEMM_DEFAULT));
  SUCCEED(cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, m, n, k, &alpha, deviceA, typeA, m, deviceB,
                       typeA, k, &beta, deviceC + 2 * m * n, typeC, m, compute,
                       CUBLAS_GEMM_DEFAULT_TENSOR_OP));
  std::vector<C> got = deviceC.host();
  for (int i = 0; i < batch * m * n; ++i) {
    int row = i % m, col = i / m % n;
    float sum = 0;
    for (int l = 0; l < k; ++l)
      sum += numberOf(a[row + l * m]) * numberOf(b[l + col * k]);
    expectNear(name, i, double(numberOf(got[i])), double(numberOf(alpha)) * sum + double(numberOf(beta)) * 4,
               0.01);
  }
}

template <class T, class Batched, class Strided> void testBatches(const char *name, Batched batched, Strided strided) {
  using N = Number<T>;
  std::vector<N> a = someNumbers<N>(batch * m * k), b = someNumbers<N>(batch * k * n), c(batch * m * n);
  Device<T> A(a), B(b), C(c), D(c);
  std::vector<T *> as, bs, cs;
  for (int i = 0; i < batch; ++i) {
    as.push_back(A + i * m * k);
    bs.push_back(B + i * k * n);
    cs.push_back(C + i * m * n);
  }
  DeviceArray<T *> As(as), Bs(bs), Cs(cs);
  N one = 1, zero = 0;
  SUCCEED(batched(handle, CUBLAS_OP_N, CUBLAS_OP_N, m, n, k, pointerTo<T>(one), As, m, Bs, k,
                  pointerTo<T>(zero), Cs, m, batch));
  SUCCEED(strided(handle, CUBLAS_OP_N, CUBLAS_OP_N, m, n, k, pointerTo<T>(one), A, m, m * k, B, k, k * n,
                  pointerTo<T>(zero), D, m, m * n, batch));
  for (int i = 0; i < batch * m * n; ++i) {
    int which = i / (m * n);
    for (int l = 0; l < k; ++l)
      c[i] += a[which * m * k + i % m + l * m] * b[which * k * n + l + i / m % n * k];
  }
  expectAllNear(name, C.host(), c);
  expectAllNear(name, D.host(), c);
}

/// Factors, solves and inverts; with and without exchange of rows.
template <class T, class Getrf, class Getrs, class Getri, class Matinv>
void testFactors(Getrf getrf, Getrs getrs, Getri getri, Matinv matinv) {
  using N = Number<T>;
  const int order = 5;
  for (bool pivots : {true, false}) {
    std::vector<N> a = someNumbers<N>(batch * order * order), x = someNumbers<N>(batch * order), b(batch * order);
    for (int i = 0; i < batch; ++i)
      for (int row = 0; row < order; ++row) {
        a[i * order * order + row * (order + 1)] += N(12);
        for (int col = 0; col < order; ++col)
          b[i * order + row] += a[i * order * order + row + col * order] * x[i * order + col];
      }
    Device<T> A(a), A2(a), B(b), Inverse(a), Inverse2(a);
    std::vector<T *> as, a2s, bs, inverses, inverses2;
    for (int i = 0; i < batch; ++i) {
      as.push_back(A + i * order * order);
      a2s.push_back(A2 + i * order * order);
      bs.push_back(B + i * order);
      inverses.push_back(Inverse + i * order * order);
      inverses2.push_back(Inverse2 + i * order * order);
    }
    DeviceArray<T *> As(as), A2s(a2s), Bs(bs), Inverses(inverses), Inverses2(inverses2);
    DeviceArray<int> rows(batch * order), info(batch);
    int *exchanged = pivots ? static_cast<int *>(rows) : nullptr;
    int status = -1;
    SUCCEED(getrf(handle, order, As, order, exchanged, info, batch));
    SUCCEED(getrs(handle, CUBLAS_OP_N, order, 1, As, order, exchanged, Bs, order, &status, batch));
    SUCCEED(getri(handle, order, As, order, exchanged, Inverses, order, info, batch));
#ifdef ON_AMD
    expectEqual("matinv", 0, matinv(handle, order, A2s, order, Inverses2, order, info, batch),
                CUBLAS_STATUS_NOT_SUPPORTED);
    SUCCEED(getri(handle, order, As, order, exchanged, Inverses2, order, info, batch));
#else
    SUCCEED(matinv(handle, order, A2s, order, Inverses2, order, info, batch));
#endif
    CHECK(cudaDeviceSynchronize());
    expectEqual("getrs info", 0, status, 0);
    for (int value : info.host())
      expectEqual("matinv info", 0, value, 0);
    expectAllNear("getrs", B.host(), x, 1e-3);
    expectAllNear("matinv", Inverse.host(), Inverse2.host(), 1e-3);
  }
}

template <class T, class Gels> void testLeastSquares(Gels gels) {
  using N = Number<T>;
  // A line through points: 3 + 2 t.
  std::vector<N> a, c;
  for (int t = 0; t < 6; ++t)
    a.push_back(N(1)), c.push_back(N(3 + 2 * t));
  for (int t = 0; t < 6; ++t)
    a.push_back(N(t));
  Device<T> A(a), C(c);
  DeviceArray<T *> As(std::vector<T *>{A}), Cs(std::vector<T *>{C});
  DeviceArray<int> infos(1);
  int info = -1;
  SUCCEED(gels(handle, CUBLAS_OP_N, 6, 2, 1, As, 6, Cs, 6, &info, infos, 1));
  CHECK(cudaDeviceSynchronize());
  expectEqual("gels info", 0, info, 0);
  expectNear("gels", 0, C.host()[0], N(3), 1e-4);
  expectNear("gels", 1, C.host()[1], N(2), 1e-4);
}

void testHalf() {
  std::vector<__half> a(m * k, __float2half(0.5f)), b(k * n, __float2half(2.0f)), c(m * n);
  DeviceArray<__half> A(a), B(b), C(c);
  __half one = __float2half(1), zero = __float2half(0);
  SUCCEED(cublasHgemm(handle, CUBLAS_OP_T, CUBLAS_OP_N, m, n, k, &one, A, k, B, k, &zero, C, m));
  CHECK(cudaDeviceSynchronize());
  for (__half value : C.host())
    expectEqual("Hgemm", 0, __half2float(value), float(k));
}

void testEx() {
  std::vector<__half> x(10, __float2half(1.5f));
  DeviceArray<__half> X(x), Y(x);
  float alpha = 2;
  __half result;
  SUCCEED(cublasAxpyEx(handle, 10, &alpha, CUDA_R_32F, X, CUDA_R_16F, 1, Y, CUDA_R_16F, 1, CUDA_R_32F));
  SUCCEED(cublasDotEx(handle, 10, X, CUDA_R_16F, 1, Y, CUDA_R_16F, 1, &result, CUDA_R_16F, CUDA_R_32F));
  expectNear("DotEx", 0, double(__half2float(result)), 10 * 1.5 * 4.5, 1e-3);
  SUCCEED(cublasScalEx(handle, 10, &alpha, CUDA_R_32F, X, CUDA_R_16F, 1, CUDA_R_32F));
  SUCCEED(cublasNrm2Ex(handle, 10, X, CUDA_R_16F, 1, &result, CUDA_R_16F, CUDA_R_32F));
  expectNear("Nrm2Ex", 0, double(__half2float(result)), 3 * std::sqrt(10.0), 1e-3);
}

#define TEST(P, T)                                                                                 \
  testBatches<T>("gemmBatched " #P, cublas##P##gemmBatched, cublas##P##gemmStridedBatched);        \
  testFactors<T>(cublas##P##getrfBatched, cublas##P##getrsBatched, cublas##P##getriBatched,        \
                 cublas##P##matinvBatched);                                                        \
  testLeastSquares<T>(cublas##P##gelsBatched)

int main() {
  SUCCEED(cublasCreate(&handle));
  testGemmEx<__half, __half>("half", CUDA_R_16F, CUDA_R_16F, CUBLAS_COMPUTE_32F, 2.0f, 0.5f, 1);
  testGemmEx<__half, __half>("half in half", CUDA_R_16F, CUDA_R_16F, CUBLAS_COMPUTE_16F,
                             __float2half(2), __float2half(0.5f), 1);
  testGemmEx<__half, float>("half to float", CUDA_R_16F, CUDA_R_32F, CUBLAS_COMPUTE_32F, 2.0f, 0.5f, 1);
  testGemmEx<__nv_bfloat16, __nv_bfloat16>("bfloat16", CUDA_R_16BF, CUDA_R_16BF, CUBLAS_COMPUTE_32F, 2.0f,
                                           0.5f, 1);
  testGemmEx<double, double>("double", CUDA_R_64F, CUDA_R_64F, CUBLAS_COMPUTE_64F, 2.0, 0.5, 1);
  testGemmEx<int8_t, int>("int8", CUDA_R_8I, CUDA_R_32I, CUBLAS_COMPUTE_32I, 2, 1, 60);
  testGemmEx<int8_t, float>("int8 to float", CUDA_R_8I, CUDA_R_32F, CUBLAS_COMPUTE_32F, 2.0f, 0.5f, 60);
  testHalf();
  testEx();
  TEST(S, float);
  TEST(D, double);
  TEST(C, cuComplex);
  TEST(Z, cuDoubleComplex);
  SUCCEED(cublasDestroy(handle));
  return verdict("cublas_types");
}
