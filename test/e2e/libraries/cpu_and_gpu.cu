//===- cpu_and_gpu.cu - One program, two libraries --------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program for the CPU and for GPUs calls Regrain's library on the CPU, where NVIDIA's need not be
// installed, and NVIDIA's on a GPU. A driver and a library stand in for NVIDIA's.
//
//===----------------------------------------------------------------------===//
// REQUIRES: cublas
// RUN: rm -rf %t && mkdir -p %t/kit/include %t/kit/lib64 && cd %t
// RUN: touch kit/include/cuda_runtime.h
// RUN: clang++ -shared -fPIC -Wl,-soname,libcublas.so.13 -o kit/lib64/libcublas.so.13 %S/Inputs/vendor.cpp
// RUN: ln -s libcublas.so.13 kit/lib64/libcublas.so
// RUN: %regrain cc --cuda-path=kit --targets=cpu,ptx -o program %s -lcublas
// RUN: llvm-readelf -d program | FileCheck %s --check-prefix=NEEDED
// NEEDED: libregrain-cublas-switch.so
// NEEDED-NOT: libcublas.so
//
// RUN: ./program | FileCheck %s --check-prefix=CPU
// CPU: created: 0
// CPU: axpy: 0
// CPU: 5 8 11
// RUN: env REGRAIN_DEVICE=cuda LD_LIBRARY_PATH=%build/unittests/runtime/plugins/cuda:kit/lib64 ./program on-gpu | FileCheck %s --check-prefix=GPU
// GPU: created: 0
// GPU: NVIDIA's gemm: 1 2 3 4 5 6 7 8 9
// GPU: gemm: 17
//
// The program's own folders count.
// RUN: %regrain cc --cuda-path=kit --targets=cpu,ptx -o found %s -lcublas -Xlinker -rpath -Xlinker %t/kit/lib64
// RUN: env REGRAIN_DEVICE=cuda LD_LIBRARY_PATH=%build/unittests/runtime/plugins/cuda ./found on-gpu | FileCheck %s --check-prefix=GPU
//
// Without NVIDIA's library, Regrain's says that it does not compute for a GPU. The loader may find
// that of a toolkit.
// RUN: %if cuda-toolkit %{ true %} %else %{ env REGRAIN_DEVICE=cuda LD_LIBRARY_PATH=%build/unittests/runtime/plugins/cuda ./program on-gpu 2>&1 | FileCheck %s --check-prefix=ABSENT %}
// ABSENT: regrain: libcublas.so.13 is not found; set LD_LIBRARY_PATH to the libraries of the CUDA toolkit
// ABSENT: created: 15
//
// A function that only NVIDIA's library has is taken from there.
// RUN: %regrain cc --cuda-path=kit --targets=cpu,ptx -DVENDORS_OWN -o mixed %s -lcublas
// RUN: llvm-readelf -d mixed | FileCheck %s --check-prefix=MIXED
// MIXED: libcublas.so.13
#include <cstdio>
#include <cublas_v2.h>

extern "C" int cublasVendorsOwn();

__global__ void kernel(int *p) { *p = 1; }

void computeOnCpu(cublasHandle_t handle) {
  float x[] = {1, 2, 3}, y[] = {3, 4, 5}, two = 2;
  float *onDevice[2];
  for (int i = 0; i < 2; ++i)
    cudaMalloc(&onDevice[i], sizeof(x));
  cudaMemcpy(onDevice[0], x, sizeof(x), cudaMemcpyHostToDevice);
  cudaMemcpy(onDevice[1], y, sizeof(y), cudaMemcpyHostToDevice);
  printf("axpy: %d\n", cublasSaxpy(handle, 3, &two, onDevice[0], 1, onDevice[1], 1));
  cudaMemcpy(y, onDevice[1], sizeof(y), cudaMemcpyDeviceToHost);
  printf("%g %g %g\n", y[0], y[1], y[2]);
}

int main(int argc, char **) {
  cublasHandle_t handle = nullptr;
  int created = cublasCreate(&handle);
  printf("created: %d\n", created);
  if (created != 0)
    return 0;
#ifdef VENDORS_OWN
  printf("%d\n", cublasVendorsOwn());
#endif
  if (argc == 1)
    computeOnCpu(handle);
  float *numbers = nullptr, one = 1;
  if (argc > 1) // more parameters than registers
    printf("gemm: %d\n", cublasSgemm(handle, cublasOperation_t(1), cublasOperation_t(2), 3, 4, 5,
                                     &one, numbers, 6, numbers, 7, &one, numbers + 8, 9));
}
