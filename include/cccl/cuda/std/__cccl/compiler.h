//===- cuda/std/__cccl/compiler.h - Names the compiler to CCCL --*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// NVIDIA's core libraries (Thrust, CUB, libcu++) know clang's CUDA and use its
// builtins. They take the compiler for nvcc if __NVCC__ is defined, as it is for
// programs, and would then use nvcc's builtins.
//
//===----------------------------------------------------------------------===//
#pragma GCC system_header
#pragma push_macro("__NVCC__")
#undef __NVCC__
#include_next <cuda/std/__cccl/compiler.h>
#pragma pop_macro("__NVCC__")
