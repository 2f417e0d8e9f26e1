//===- toolkit-relocatable.cu - Thrust in relocatable code ------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In relocatable code, Thrust would start kernels from kernels, which Regrain does not support.
//
//===----------------------------------------------------------------------===//
// REQUIRES: cuda-toolkit
// RUN: %regrain-nvcc --targets=ptx -rdc=true -c %s -o %t.o
#include <thrust/device_vector.h>
#include <thrust/sort.h>

void sortAll(thrust::device_vector<int> &values) { thrust::sort(values.begin(), values.end()); }
