//===- cublas_lt.cu - Products described by attributes ----------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// REQUIRES: cublas
// RUN: %regrain-nvcc --targets=cpu -O1 -o %t %s -lcublasLt
// RUN: timeout 60 %t
#include "reference.h"
#include <algorithm>
#include <cublasLt.h>
#include <cuda_fp8.h>

cublasLtHandle_t handle;
const int m = 5, n = 4, k = 6;

template <class T> void set(cublasLtMatmulDesc_t descriptor, cublasLtMatmulDescAttributes_t attribute, T value) {
  SUCCEED(cublasLtMatmulDescSetAttribute(descriptor, attribute, &value, sizeof(value)));
}
template <class T> void set(cublasLtMatrixLayout_t layout, cublasLtMatrixLayoutAttribute_t attribute, T value) {
  SUCCEED(cublasLtMatrixLayoutSetAttribute(layout, attribute, &value, sizeof(value)));
}

/// D = relu(scale * op(A) B + 0.5 C + bias), as a program does it: an algorithm is asked for first.
template <class T>
void testProduct(cudaDataType type, bool transposed, bool byRows, cublasLtEpilogue_t epilogue, float scale) {
  std::vector<float> a(m * k), b(k * n), c(m * n), bias(m);
  std::vector<T> ta, tb;
  for (std::vector<float> *x : {&a, &b, &c, &bias})
    for (float &value : *x)
      value = smallNumber();
  for (float value : a)
    ta.push_back(T(value));
  for (float value : b)
    tb.push_back(T(value));
  DeviceArray<T> A(ta), B(tb);
  DeviceArray<float> C(c), D(m * n), Bias(bias), Scale(std::vector<float>{scale});
  cublasLtMatmulDesc_t descriptor;
  cublasLtMatrixLayout_t layoutA, layoutB, layoutC, layoutD;
  cublasLtMatmulPreference_t preference;
  SUCCEED(cublasLtMatmulDescCreate(&descriptor, CUBLAS_COMPUTE_32F, CUDA_R_32F));
  set(descriptor, CUBLASLT_MATMUL_DESC_TRANSA, transposed ? CUBLAS_OP_T : CUBLAS_OP_N);
  set(descriptor, CUBLASLT_MATMUL_DESC_EPILOGUE, epilogue);
  set(descriptor, CUBLASLT_MATMUL_DESC_BIAS_POINTER, static_cast<float *>(Bias));
  if (scale != 1)
    set(descriptor, CUBLASLT_MATMUL_DESC_A_SCALE_POINTER, static_cast<float *>(Scale));
  int rowsA = transposed ? k : m, colsA = transposed ? m : k;
  SUCCEED(cublasLtMatrixLayoutCreate(&layoutA, type, rowsA, colsA, byRows ? colsA : rowsA));
  SUCCEED(cublasLtMatrixLayoutCreate(&layoutB, type, k, n, k));
  SUCCEED(cublasLtMatrixLayoutCreate(&layoutC, CUDA_R_32F, m, n, m));
  SUCCEED(cublasLtMatrixLayoutCreate(&layoutD, CUDA_R_32F, m, n, m));
  if (byRows)
    set(layoutA, CUBLASLT_MATRIX_LAYOUT_ORDER, CUBLASLT_ORDER_ROW);
  SUCCEED(cublasLtMatmulPreferenceCreate(&preference));
  cublasLtMatmulHeuristicResult_t result;
  int found = 0;
  SUCCEED(cublasLtMatmulAlgoGetHeuristic(handle, descriptor, layoutA, layoutB, layoutC, layoutD, preference, 1,
                                         &result, &found));
  expectEqual("algorithms", 0, found, 1);
  float alpha = 1, beta = 0.5;
  SUCCEED(cublasLtMatmul(handle, descriptor, &alpha, A, layoutA, B, layoutB, &beta, C, layoutC, D, layoutD,
                         &result.algo, nullptr, 0, nullptr));
  CHECK(cudaDeviceSynchronize());
  std::vector<float> d = D.host();
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < m; ++i) {
      float sum = 0;
      for (int l = 0; l < k; ++l) {
        int row = transposed ? l : i, col = transposed ? i : l;
        sum += float(ta[byRows ? row * colsA + col : row + col * rowsA]) * float(tb[l + j * k]);
      }
      float wanted = scale * sum + 0.5f * c[i + j * m];
      if (epilogue & CUBLASLT_EPILOGUE_BIAS)
        wanted += bias[i];
      if (epilogue & CUBLASLT_EPILOGUE_RELU)
        wanted = std::max(wanted, 0.0f);
      expectNear("matmul", i, d[i + j * m], wanted, 1e-5);
    }
  SUCCEED(cublasLtMatmulPreferenceDestroy(preference));
  for (cublasLtMatrixLayout_t layout : {layoutA, layoutB, layoutC, layoutD})
    SUCCEED(cublasLtMatrixLayoutDestroy(layout));
  SUCCEED(cublasLtMatmulDescDestroy(descriptor));
}

int main() {
  SUCCEED(cublasLtCreate(&handle));
  auto biasRelu = CUBLASLT_EPILOGUE_RELU_BIAS;
  for (bool transposed : {false, true})
    for (bool byRows : {false, true}) {
      testProduct<float>(CUDA_R_32F, transposed, byRows, CUBLASLT_EPILOGUE_DEFAULT, 1);
      testProduct<__half>(CUDA_R_16F, transposed, byRows, biasRelu, 1);
      testProduct<__nv_bfloat16>(CUDA_R_16BF, transposed, byRows, CUBLASLT_EPILOGUE_BIAS, 1);
      testProduct<__nv_fp8_e4m3>(CUDA_R_8F_E4M3, transposed, byRows, CUBLASLT_EPILOGUE_RELU, 2);
    }
  SUCCEED(cublasLtDestroy(handle));
  return verdict("cublas_lt");
}
