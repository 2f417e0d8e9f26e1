//===- matrix_cores.h - Which GPUs multiply matrices ------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Device code for the CPU, for AMD's GPUs and for `ptx` is compiled once, with __CUDA_ARCH__ 700,
// so no macro tells which of them runs it. Such code asks here.
//
//===----------------------------------------------------------------------===//
#ifndef REGRAIN_MATRIX_CORES_H
#define REGRAIN_MATRIX_CORES_H

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ == 700
namespace regrain {

__device__ unsigned reflectOnTarget(const char *what) __asm__("__nvvm_reflect");

/* Returns whether inline PTX with mma.sync is compiled for matrix cores of an AMD GPU
   (docs/constructs.md). The compiler knows the answer: code for the other case is removed, but for
   debuggers (__CUDACC_DEBUG__). */
__device__ inline bool hasMatrixCores() { return reflectOnTarget("__REGRAIN_MATRIX_CORES"); }

} // namespace regrain
#endif

#endif
