//===- nvcc-macros.cu - The macros of nvcc itself ---------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Programs see the macros of nvcc in CUDA sources, before any header, and in C++ and C
// sources. A toolkit's CCCL takes the compiler for clang all the same.
//
//===----------------------------------------------------------------------===//
// RUN: %regrain cc --targets=cpu -c -o %t.o %s
// RUN: cp %s %t.cpp && %regrain cc --targets=cpu -c -o %t.o %t.cpp
// RUN: cp %s %t.c && %regrain cc --targets=cpu -c -o %t.o %t.c
#if !defined(__NVCC__) || __CUDACC_VER_MAJOR__ < 12 || !defined(__CUDACC_VER_MINOR__)
#error the macros of nvcc are missing
#endif
#if defined(__CUDACC__) && defined(__has_include)
#if __has_include(<thrust/version.h>)
#include <thrust/detail/config.h>
#if !_CCCL_CUDA_COMPILER(CLANG) || _CCCL_CUDA_COMPILER(NVCC) || !defined(__NVCC__)
#error CCCL uses builtins of another compiler
#endif
#endif
#endif
