//===- on_gpu.cu - A GPU without the libraries of its vendor ----*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A library stands in for HIP. On its device, the libraries of the CPU refuse, and name the library
// of ROCm that is missing.
//
//===----------------------------------------------------------------------===//
// REQUIRES: rocm-device-libs, cublas, cufft, cusolver
// RUN: %regrain cc --cuda-path=none --targets=cpu,gfx90a -o %t %s -lcublas -lcublasLt -lcufft -lcusparse -lcusolver
// RUN: env REGRAIN_DEVICE=hip HIP_VISIBLE_DEVICES=-1 LD_LIBRARY_PATH=%build/unittests/runtime/plugins/hip/6 %t 2>%t.err | FileCheck %s --check-prefix=GPU
// RUN: FileCheck %s --check-prefix=MISSING < %t.err
// GPU: 15 15 16 10 9
// MISSING: regrain: libhipblas.so of ROCm is needed on this device: libhipblas.so.2: cannot open
// RUN: %t | FileCheck %s --check-prefix=CPU
// CPU: 0 0 0 0 0
#include <cstdio>
#include <cublasLt.h>
#include <cublas_v2.h>
#include <cufft.h>
#include <cusolverDn.h>
#include <cusparse.h>

__global__ void kernel(int *p) { *p = 1; }

int main() {
  cublasHandle_t blas;
  cublasLtHandle_t light;
  cufftHandle fft;
  cusparseHandle_t sparse;
  cusolverDnHandle_t solver;
  int made[] = {cublasCreate(&blas), cublasLtCreate(&light), cufftPlan1d(&fft, 8, CUFFT_C2C, 1),
                cusparseCreate(&sparse), cusolverDnCreate(&solver)};
  for (int status : made)
    printf("%d ", status);
  printf("\n");
}
