//===- toolkit-hidden.cu - No toolkit is read -------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// RUN: %regrain cc -M %s | FileCheck %s --implicit-check-not=/usr/local/cuda
// RUN: env CUDA_HOME=/nonexistent CUDA_PATH=/nonexistent %regrain cc -c --targets=cpu -o %t.o %s
// CHECK: /cuda/cuda_runtime.h
#include <cooperative_groups.h>
#include <cuda.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <device_launch_parameters.h>
#include <math_constants.h>

__global__ void kernel(float *out) { out[threadIdx.x] = sinf(out[threadIdx.x]) * CUDART_PI_F; }
