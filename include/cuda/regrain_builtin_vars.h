//===- regrain_builtin_vars.h - threadIdx and the like ----------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A coordinate is read from its register wherever it is named. The objects are empty, so a copy of
// one is the same coordinate, which a program may keep (auto thread = threadIdx) but not change.
// The compiler knows the objects by the names of their types (Unsupported.cpp, CompileDevice.cpp).
// A read belongs to the line that names the coordinate, so a debugger does not stop here.
//
//===----------------------------------------------------------------------===//
#ifndef REGRAIN_BUILTIN_VARS_H
#define REGRAIN_BUILTIN_VARS_H
#pragma GCC system_header

#include "crt/host_defines.h"

struct uint3;
struct dim3;

#define REGRAIN_GETTER(NAME, REGISTER)                                           \
  static __forceinline__ __device__ __attribute__((nodebug)) unsigned NAME() {   \
    return __nvvm_read_ptx_sreg_##REGISTER();                                    \
  }
#define REGRAIN_COORDINATE(VARIABLE, REGISTER)                                   \
  struct __cuda_builtin_##VARIABLE##_t {                                         \
    __declspec(property(get = regrainX)) unsigned int x;                         \
    __declspec(property(get = regrainY)) unsigned int y;                         \
    __declspec(property(get = regrainZ)) unsigned int z;                         \
    REGRAIN_GETTER(regrainX, REGISTER##_x)                                       \
    REGRAIN_GETTER(regrainY, REGISTER##_y)                                       \
    REGRAIN_GETTER(regrainZ, REGISTER##_z)                                       \
    __device__ operator dim3() const;                                            \
    __device__ operator uint3() const;                                           \
    void operator=(const __cuda_builtin_##VARIABLE##_t &) const = delete;        \
  };                                                                             \
  extern const __device__ __attribute__((weak)) __cuda_builtin_##VARIABLE##_t VARIABLE;

REGRAIN_COORDINATE(threadIdx, tid)
REGRAIN_COORDINATE(blockIdx, ctaid)
REGRAIN_COORDINATE(blockDim, ntid)
REGRAIN_COORDINATE(gridDim, nctaid)

#undef REGRAIN_COORDINATE
#undef REGRAIN_GETTER

__device__ const int warpSize = 32;

#endif
