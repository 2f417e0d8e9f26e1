//===- vendor.cpp - Stands in for NVIDIA's cuBLAS ---------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include <cstdio>

static int context;

extern "C" {
int cublasCreate_v2(void **handle) {
  *handle = &context;
  return 0;
}

int cublasSgemm_v2(void *handle, int transA, int transB, int m, int n, int k, const float *alpha,
                   const float *a, int lda, const float *b, int ldb, const float *beta, float *c,
                   int ldc) {
  if (handle != &context || *alpha != 1 || a || b || *beta != 1)
    return 1;
  std::printf("NVIDIA's gemm: %d %d %d %d %d %d %d %d %d\n", transA, transB, m, n, k, lda, ldb,
              int(c - a), ldc);
  return 17;
}

int cublasVendorsOwn() { return 42; }
}
