//===- crt/host_defines.h - Function and variable qualifiers ----*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Outside CUDA compilation the qualifiers vanish, so that a host compiler can read
// the other headers.
//
//===----------------------------------------------------------------------===//
#ifndef __HOST_DEFINES_H__
#define __HOST_DEFINES_H__
#pragma GCC system_header

#define __align__(n) __attribute__((aligned(n)))
#define __forceinline__ __inline__ __attribute__((always_inline))
#define CUDARTAPI
#define CUDAAPI
#define CUDARTAPI_CDECL
#define CUDA_CB
#define CUDART_CB
#define __CUDACC_VER__ "__CUDACC_VER__ is no longer supported"

/* Between these, uses of deprecated names give no warning. */
#define __NV_SILENCE_DEPRECATION_BEGIN                                                   \
  _Pragma("GCC diagnostic push")                                                         \
      _Pragma("GCC diagnostic ignored \"-Wdeprecated-declarations\"")
#define __NV_SILENCE_DEPRECATION_END _Pragma("GCC diagnostic pop")

/* The toolkit puts these marks on entities that its own compiler knows. */
#define __device_builtin__
#define __device_builtin_texture_type__
#define __device_builtin_surface_type__
#define __cudart_builtin__
#define __builtin_align__(n) __align__(n)

#if defined(__CUDACC__) || defined(__CUDA__)
#define __location__(a) __attribute__((a))
#define __annotate__(a) __attribute__((a))
#if __has_attribute(regrain_host)
/* compiler/Frontend/SpecialisationSides.cpp */
#define __host__ __attribute__((host, regrain_host))
#define __device__ __attribute__((device, regrain_device))
#else
#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#endif
#define __global__ __attribute__((global))
#if __has_attribute(regrain_shared)
/* compiler/Frontend/DynamicSharedObjects.h and SharedObjects.h */
#define __shared__                                                                                 \
  __attribute__((regrain_dynamic_shared, shared, regrain_dynamic_shared, regrain_shared))
#else
#define __shared__ __attribute__((shared))
#endif
#define __constant__ __attribute__((constant))
/* The section stands for a property that clang does not have (ManagedVariables.h). */
#define __managed__ __attribute__((device, section("regrain_managed")))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#if defined(__clang__) && defined(__CUDA_ARCH__)
/* The annotations stand for properties that clang does not have (KernelQualifiers.h). */
#define __cluster_dims__(...) __attribute__((annotate("regrain_cluster_dims", __VA_ARGS__)))
#define __maxnreg__(...) __attribute__((annotate("regrain_maxnreg", __VA_ARGS__)))
#else
#define __cluster_dims__(...)
#define __maxnreg__(...)
#endif
#if defined(__clang__)
#if defined(__CUDA_ARCH__) && __has_attribute(regrain_grid_constant)
#define __grid_constant__ __attribute__((regrain_grid_constant)) // GridConstants.h
#else
#define __grid_constant__
#endif
/* clang has __noinline__ as a keyword in CUDA; a macro would break the standard
   library's own use of that word. */
#else
#define __grid_constant__ __attribute__((grid_constant))
#define __noinline__ __attribute__((noinline))
#endif
#define __inline_hint__
#define __nv_pure__ __attribute__((pure))
#else
#define __location__(a)
#define __annotate__(a)
#define __host__
#define __device__
#define __global__
#define __shared__
#define __constant__
#define __managed__
#define __launch_bounds__(...)
#define __maxnreg__(...)
#define __cluster_dims__(...)
#define __grid_constant__
#define __nv_pure__
#endif

#endif
