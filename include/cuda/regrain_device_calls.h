//===- regrain_device_calls.h - System calls of kernels ---------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This header declares the system calls of the PTX interoperability guide
// (vprintf, malloc, free, __assertfail) and the conversions of threadIdx and the
// like to dim3 and uint3, which clang declares before these types are known.
//
//===----------------------------------------------------------------------===//
#ifndef REGRAIN_DEVICE_CALLS_H
#define REGRAIN_DEVICE_CALLS_H
#pragma GCC system_header

extern "C" {
__device__ int vprintf(const char *format, const char *arguments);
/* clang packs the arguments and calls vprintf. */
__device__ int printf(const char *format, ...);
__device__ void *malloc(size_t bytes) __attribute__((nothrow, malloc));
__device__ void free(void *pointer) __attribute__((nothrow));
/* This is not noreturn, because ptxas miscompiles branches to a noreturn call. */
__device__ void __assertfail(const char *condition, const char *file,
                             unsigned int line, const char *function, size_t charSize);

/* assert() of the C library calls this. */
__device__ static inline void __assert_fail(const char *condition, const char *file,
                                            unsigned int line, const char *function) {
  __assertfail(condition, file, line, function, sizeof(char));
}

/* These serve kernels that begin while the previous one of the stream ends. Before compute capability
   9.0 no kernel begins so early. */
__device__ static inline void cudaGridDependencySynchronize() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}
__device__ static inline void cudaTriggerProgrammaticLaunchCompletion() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
#endif
}

__device__ static inline const char *cudaGetErrorString(cudaError_t error) {
  switch (error) {
#define REGRAIN_CUDA_ERROR(NAME, VALUE, TEXT)                                                      \
  case NAME:                                                                                       \
    return TEXT;
#include "regrain_errors.def"
  }
  return "unrecognized error code";
}
__device__ static inline const char *cudaGetErrorName(cudaError_t error) {
  switch (error) {
#define REGRAIN_CUDA_ERROR(NAME, VALUE, TEXT)                                                      \
  case NAME:                                                                                       \
    return #NAME;
#include "regrain_errors.def"
  }
  return "unrecognized error code";
}
/* Calls of a kernel do not fail: those that may are refused. */
__device__ static inline cudaError_t cudaGetLastError() { return cudaSuccess; }
__device__ static inline cudaError_t cudaPeekAtLastError() { return cudaSuccess; }

/* The tables of abstract classes point to this. */
__device__ inline void __cxa_pure_virtual() { __builtin_trap(); }
}

namespace std {
__device__ static inline void *malloc(size_t bytes) { return ::malloc(bytes); }
__device__ static inline void free(void *pointer) { ::free(pointer); }
} // namespace std

#if defined(__CUDA_ARCH__)
#define REGRAIN_BUILTIN_CONVERSIONS(VARIABLE)                                    \
  __device__ inline __cuda_builtin_##VARIABLE##_t::operator dim3() const {     \
    return dim3(x, y, z);                                                      \
  }                                                                            \
  __device__ inline __cuda_builtin_##VARIABLE##_t::operator uint3() const {    \
    return {x, y, z};                                                          \
  }

REGRAIN_BUILTIN_CONVERSIONS(threadIdx)
REGRAIN_BUILTIN_CONVERSIONS(blockIdx)
REGRAIN_BUILTIN_CONVERSIONS(blockDim)
REGRAIN_BUILTIN_CONVERSIONS(gridDim)

#undef REGRAIN_BUILTIN_CONVERSIONS
#endif

#endif
