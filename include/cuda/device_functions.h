//===- device_functions.h - Intrinsics missing in clang ---------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// They are written without inline assembly where C++ can express them: every
// target compiles these, not only NVIDIA's.
//
//===----------------------------------------------------------------------===//
#ifndef __DEVICE_FUNCTIONS_H__
#define __DEVICE_FUNCTIONS_H__
#pragma GCC system_header

#include "crt/host_defines.h"

#if defined(__cplusplus) && defined(__CUDACC__)

#include "regrain_dpx.h"

#define REGRAIN_DEVICE static __inline__ __device__

// Address spaces
REGRAIN_DEVICE unsigned int __isGlobal(const void *p) { return __nvvm_isspacep_global(p); }
REGRAIN_DEVICE unsigned int __isShared(const void *p) { return __nvvm_isspacep_shared(p); }
REGRAIN_DEVICE unsigned int __isConstant(const void *p) { return __nvvm_isspacep_const(p); }
REGRAIN_DEVICE unsigned int __isLocal(const void *p) { return __nvvm_isspacep_local(p); }

REGRAIN_DEVICE size_t __cvta_generic_to_global(const void *p) {
  return (size_t)(const void __attribute__((address_space(1))) *)p;
}
REGRAIN_DEVICE size_t __cvta_generic_to_shared(const void *p) {
  return (size_t)(const void __attribute__((address_space(3))) *)p;
}
REGRAIN_DEVICE size_t __cvta_generic_to_constant(const void *p) {
  return (size_t)(const void __attribute__((address_space(4))) *)p;
}
REGRAIN_DEVICE size_t __cvta_generic_to_local(const void *p) {
  return (size_t)(const void __attribute__((address_space(5))) *)p;
}
REGRAIN_DEVICE void *__cvta_constant_to_generic(size_t p) {
  return (void *)(void __attribute__((address_space(4))) *)p;
}
REGRAIN_DEVICE void *__cvta_local_to_generic(size_t p) {
  return (void *)(void __attribute__((address_space(5))) *)p;
}
REGRAIN_DEVICE void *__cvta_global_to_generic(size_t p) {
  return (void *)(void __attribute__((address_space(1))) *)p;
}
REGRAIN_DEVICE void *__cvta_shared_to_generic(size_t p) {
  return (void *)(void __attribute__((address_space(3))) *)p;
}

// Dot products of packed integers, whose sums wrap around
REGRAIN_DEVICE int __dp4a(int a, int b, int c) {
  unsigned int sum = (unsigned int)c;
  for (int byte = 0; byte < 32; byte += 8)
    sum += (unsigned int)((signed char)(a >> byte) * (signed char)(b >> byte));
  return (int)sum;
}
REGRAIN_DEVICE unsigned int __dp4a(unsigned int a, unsigned int b, unsigned int c) {
  for (int byte = 0; byte < 32; byte += 8)
    c += (a >> byte & 255u) * (b >> byte & 255u);
  return c;
}
REGRAIN_DEVICE int __dp4a(char4 a, char4 b, int c) {
  int products = a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
  return (int)((unsigned int)c + (unsigned int)products);
}
REGRAIN_DEVICE unsigned int __dp4a(uchar4 a, uchar4 b, unsigned int c) {
  return c + a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}
REGRAIN_DEVICE int __dp2a_lo(int a, int b, int c) {
  int products = (short)a * (signed char)b + (short)(a >> 16) * (signed char)(b >> 8);
  return (int)((unsigned int)c + (unsigned int)products);
}
REGRAIN_DEVICE int __dp2a_hi(int a, int b, int c) { return __dp2a_lo(a, b >> 16, c); }
REGRAIN_DEVICE unsigned int __dp2a_lo(unsigned int a, unsigned int b, unsigned int c) {
  return c + (a & 65535u) * (b & 255u) + (a >> 16) * (b >> 8 & 255u);
}
REGRAIN_DEVICE unsigned int __dp2a_hi(unsigned int a, unsigned int b, unsigned int c) {
  return __dp2a_lo(a, b >> 16, c);
}

// Bytes in the reverse order
static __inline__ __host__ __device__ unsigned short __nv_bswap16(unsigned short x) {
  return __builtin_bswap16(x);
}
static __inline__ __host__ __device__ unsigned int __nv_bswap32(unsigned int x) {
  return __builtin_bswap32(x);
}
static __inline__ __host__ __device__ unsigned long long __nv_bswap64(unsigned long long x) {
  return __builtin_bswap64(x);
}

REGRAIN_DEVICE float __tanhf(float x) { return regrainFastTanhf(x); }

/* Lets a waiting thread rest for at most `nanoseconds`; a shorter rest is allowed. */
REGRAIN_DEVICE void __nanosleep(unsigned int nanoseconds) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 700
  __nvvm_nanosleep(nanoseconds);
#endif
}

#undef REGRAIN_DEVICE

#endif

#endif
