//===- crt/host_config.h - The emulated version of CUDA ---------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// These macros are the ones by which a program asks for nvcc's version. regrain cc
// defines them; the defaults serve other compilers, for which __NVCC__ stays undefined.
//
//===----------------------------------------------------------------------===//
#ifndef __HOST_CONFIG_H__
#define __HOST_CONFIG_H__
#pragma GCC system_header

/* --cuda-version defines these. */
#ifndef REGRAIN_CUDA_VERSION
#define REGRAIN_CUDA_VERSION 13000
#endif
#ifndef __CUDACC_VER_MAJOR__
#define __CUDACC_VER_MAJOR__ 13
#define __CUDACC_VER_MINOR__ 0
#define __CUDACC_VER_BUILD__ 0
#endif

#include <limits.h>
#include <stddef.h>

#endif
