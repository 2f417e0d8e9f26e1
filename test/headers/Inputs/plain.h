//===- plain.h - All headers that host code may include ---------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include <cuComplex.h>
#include <cuda.h>
#include <cuda_profiler_api.h>
#include <cuda_runtime.h>
#include <cuda_runtime_api.h>
#include <curand.h>
#include <curand_discrete.h>
#include <library_types.h>
#include <vector_types.h>

static inline float plain(void) {
  cuComplex z = cuCmulf(make_cuComplex(1, 2), make_cuComplex(3, 4));
  struct cudaExtent extent = make_cudaExtent(1, 2, 3);
  return cuCabsf(z) + (float)extent.depth;
}
static inline cudaError_t use(void) { return plain() > 0 ? cudaSuccess : cudaErrorUnknown; }
static inline int useToo(void) { return use() == cudaSuccess; }
static inline cudaDataType_t kind(void) { return CUDA_R_32F; }
int used(void);
int used(void) { return useToo() && kind() == CUDA_R_32F; }
