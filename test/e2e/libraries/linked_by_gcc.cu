//===- linked_by_gcc.cu - A program without CUDA sources --------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// g++ takes headers and libraries of the folder that build systems take for a toolkit. Although a
// toolkit has the library as well, the program computes on the CPU where there is no GPU. An installed
// tree of links and a library stand in for Regrain's and NVIDIA's.
//
//===----------------------------------------------------------------------===//
// REQUIRES: cublas
// RUN: rm -rf %t && mkdir -p %t/kit/include %t/kit/lib64 %t/own/bin && cd %t
// RUN: touch kit/include/cuda_runtime.h
// RUN: echo '#ifndef __DRIVER_TYPES_H__' > kit/include/driver_types.h
// RUN: echo '#error the toolkit' >> kit/include/driver_types.h
// RUN: echo '#endif' >> kit/include/driver_types.h
// RUN: echo '#include "driver_types.h"' > kit/include/cublas_v2.h
// RUN: cat %build/include/regrain/cuda-libraries/cublas_v2.h >> kit/include/cublas_v2.h
// RUN: clang++ -shared -fPIC -Wl,-soname,libcublas.so.13 -o kit/lib64/libcublas.so.13 %S/Inputs/vendor.cpp
// RUN: ln -s libcublas.so.13 kit/lib64/libcublas.so
// RUN: cp %build/bin/regrain own/bin && ln %build/bin/regrain-nvcc own/bin
// RUN: cp -Rs %build/include own/include && cp -Rs %build/lib own/lib && rm -r own/lib/regrain
// RUN: %t/own/bin/regrain cuda-path --write --toolkit=%t/kit
// RUN: g++ -isystem own/lib/regrain/cuda/include -x c++ %s -x none -o by-name -Lown/lib/regrain/cuda/lib64 -lcublas -lcudart
// RUN: env LD_LIBRARY_PATH=own/lib/regrain/cuda/lib64 ./by-name | FileCheck %s
// RUN: g++ -isystem own/lib/regrain/cuda/include -x c++ %s -x none -o by-path own/lib/regrain/cuda/lib64/libcublas.so own/lib/regrain/cuda/lib64/libcudart.so -Wl,-rpath,%t/own/lib/regrain/cuda/lib64
// RUN: ./by-path | FileCheck %s
// RUN: llvm-readelf -d by-path | FileCheck %s --check-prefix=NEEDED
// CHECK: created: 0
// CHECK: dot: 0, 14
// NEEDED: libregrain-cublas-switch.so
// NEEDED-NOT: libcublas.so
//
// What only NVIDIA's library has comes from there.
// RUN: g++ -DVENDORS_OWN -isystem own/lib/regrain/cuda/include -x c++ %s -x none -o mixed -Lown/lib/regrain/cuda/lib64 -lcublas -lcudart
// RUN: llvm-readelf -d mixed | FileCheck %s --check-prefix=MIXED
// MIXED: libcublas.so.13
#include <cstdio>
#include <cublas_v2.h>
#include <cuda_runtime.h>

extern "C" int cublasVendorsOwn();

int main() {
  cublasHandle_t handle = nullptr;
  printf("created: %d\n", int(cublasCreate(&handle)));
#ifdef VENDORS_OWN
  printf("%d\n", cublasVendorsOwn());
#endif
  float numbers[] = {1, 2, 3}, product = 0, *onDevice = nullptr;
  cudaMalloc(reinterpret_cast<void **>(&onDevice), sizeof(numbers));
  cudaMemcpy(onDevice, numbers, sizeof(numbers), cudaMemcpyHostToDevice);
  int status = cublasSdot(handle, 3, onDevice, 1, onDevice, 1, &product);
  printf("dot: %d, %g\n", status, product);
  return 0;
}
