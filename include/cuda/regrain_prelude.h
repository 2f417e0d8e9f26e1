//===- regrain_prelude.h - Included before every CUDA source ----*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This header places our own headers over the CUDA device wrappers that clang
// ships, so that a program parses without any toolkit. The order is the
// wrappers' own:
//  1. device overloads of the math functions are declared before <cmath>, whose
//     constexpr functions would otherwise become host and device functions;
//  2. <stdlib.h> brings std::free into the global namespace, before std gets a device
//     overload of its own;
//  3. clang's wrappers need CUDA_VERSION, the vector types and malloc.
// It is kept small, so that a program does not pay for what it does not
// include.
//
// clang reads it as
//   -nocudainc -nocudalib -Xclang -target-sdk-version=12.5
//   -Xclang -target-feature -Xclang +ptx85     (device; the warp builtins want it)
//   -I FOLDER -include FOLDER/regrain_prelude.h
// with -I ahead of the program's own: clang's wrappers and the libraries' headers
// find ours by name, and must not find a toolkit's first.
//
//===----------------------------------------------------------------------===//
#ifndef REGRAIN_PRELUDE_H
#define REGRAIN_PRELUDE_H
#pragma GCC system_header

#if __has_attribute(regrain_redeclared)
/* compiler/Frontend/RedeclaredSides.h; it ends with the translation unit. */
#pragma clang attribute push(__attribute__((regrain_redeclared)), apply_to = function)
#endif

#include <__clang_cuda_math_forward_declares.h>

#define __CUDACC__

#include "regrain_lambda_traits.h"

#include <assert.h>
#include <climits>
#include <cmath>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#if __cplusplus >= 201103L
typedef decltype(nullptr) nullptr_t; /* as in gcc's <stddef.h>, unlike clang's */
#endif

#if defined(__CUDA_ARCH__)
#include "regrain_builtin_vars.h"
#endif

#include "regrain_driver_types.h"
#include "cuda_runtime.h"

#if !defined(__CUDA_ARCH__)
/* The host side only parses what reads these. Their types are CUDA's own there, because headers of
   libraries declare them again. */
extern const __device__ uint3 threadIdx, blockIdx;
extern const __device__ dim3 blockDim, gridDim;
__device__ const int warpSize = 32;
#endif

#include "regrain_device_calls.h"

#include <__clang_cuda_libdevice_declares.h>
/* For CUDA 9.0, clang calls __nv_vadd2 and the like, instead of writing video instructions. */
#include "regrain_simd.h"
#pragma push_macro("CUDA_VERSION")
#undef CUDA_VERSION
#define CUDA_VERSION 9000
#include <__clang_cuda_device_functions.h>
#pragma pop_macro("CUDA_VERSION")
#include "regrain_fast_math.h"

#include "math_functions.h"

#include <__clang_cuda_cmath.h>

#include "device_functions.h"

#include <__clang_cuda_complex_builtins.h>

/* clang 19's __reduce_add_sync and the like pass the mask to these in the place of the value. */
#define __nvvm_redux_sync_add(MASK, VALUE) __nvvm_redux_sync_add(VALUE, MASK)
#define __nvvm_redux_sync_umin(MASK, VALUE) __nvvm_redux_sync_umin(VALUE, MASK)
#define __nvvm_redux_sync_umax(MASK, VALUE) __nvvm_redux_sync_umax(VALUE, MASK)
#define __nvvm_redux_sync_min(MASK, VALUE) __nvvm_redux_sync_min(VALUE, MASK)
#define __nvvm_redux_sync_max(MASK, VALUE) __nvvm_redux_sync_max(VALUE, MASK)
#define __nvvm_redux_sync_or(MASK, VALUE) __nvvm_redux_sync_or(VALUE, MASK)
#define __nvvm_redux_sync_and(MASK, VALUE) __nvvm_redux_sync_and(VALUE, MASK)
#define __nvvm_redux_sync_xor(MASK, VALUE) __nvvm_redux_sync_xor(VALUE, MASK)
// Its atomic additions of vectors are lost if the result is not used.
#define atomicAdd regrain_clang_atomicAdd
#define atomicAdd_block regrain_clang_atomicAdd_block
#define atomicAdd_system regrain_clang_atomicAdd_system
#include <__clang_cuda_intrinsics.h>
#undef atomicAdd
#undef atomicAdd_block
#undef atomicAdd_system
#undef __nvvm_redux_sync_add
#undef __nvvm_redux_sync_umin
#undef __nvvm_redux_sync_umax
#undef __nvvm_redux_sync_min
#undef __nvvm_redux_sync_max
#undef __nvvm_redux_sync_or
#undef __nvvm_redux_sync_and
#undef __nvvm_redux_sync_xor

#include "crt/sm_80_rt.h"
#include "crt/sm_90_rt.h"
#include "crt/sm_100_rt.h"
#include "device_atomic_functions.h"
#include "regrain_cache_hints.h"

#include <new>
#include <utility>

#endif
