//===- crt/host_config.h - The emulated version of CUDA ---------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// These macros are the ones by which a program asks for nvcc's version. The
// compiler defines __NVCC__: most programs that ask for it would otherwise not
// compile as CUDA at all.
//
//===----------------------------------------------------------------------===//
#ifndef __HOST_CONFIG_H__
#define __HOST_CONFIG_H__
#pragma GCC system_header

#ifndef __CUDACC_VER_MAJOR__
#define __CUDACC_VER_MAJOR__ 12
#define __CUDACC_VER_MINOR__ 5
#define __CUDACC_VER_BUILD__ 0
#endif

#include <limits.h>
#include <stddef.h>

#endif
