//===- laplacian_steps.hip - The same kernels as clang's HIP ----*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// clang compiles laplacian_steps.h as HIP from this file; Regrain's figures are
// compared with the result. The few names of HIP that the kernels use are declared
// here, so that no part of ROCm is needed.
//
//===----------------------------------------------------------------------===//
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __launch_bounds__(THREADS) __attribute__((amdgpu_flat_work_group_size(1, THREADS)))

typedef __SIZE_TYPE__ size_t;

/// Members x, y and z that read a register each.
#define COORDINATES(NAME, BUILTIN)                                                                 \
  struct NAME##Type {                                                                              \
    struct X {                                                                                     \
      __device__ operator unsigned() const { return BUILTIN##_x(); }                               \
    } x;                                                                                           \
    struct Y {                                                                                     \
      __device__ operator unsigned() const { return BUILTIN##_y(); }                               \
    } y;                                                                                           \
    struct Z {                                                                                     \
      __device__ operator unsigned() const { return BUILTIN##_z(); }                               \
    } z;                                                                                           \
  };                                                                                               \
  static __device__ constexpr NAME##Type NAME{}
COORDINATES(threadIdx, __builtin_amdgcn_workitem_id);
COORDINATES(blockIdx, __builtin_amdgcn_workgroup_id);
COORDINATES(blockDim, __builtin_amdgcn_workgroup_size);

__device__ inline void __stcs(double *address, double value) {
  __builtin_nontemporal_store(value, address);
}

#include "laplacian_steps.h"

#define INSTANTIATE(STEP, M)                                                                       \
  template __global__ void STEP<M>(double *, const double *, int, int, int, double, double,        \
                                   double, double)
#define ROWS(STEP)                                                                                 \
  INSTANTIATE(STEP, 1);                                                                            \
  INSTANTIATE(STEP, 2);                                                                            \
  INSTANTIATE(STEP, 4);                                                                            \
  INSTANTIATE(STEP, 8);                                                                            \
  INSTANTIATE(STEP, 16)
ROWS(tiled);
ROWS(reordered);
ROWS(bounded);
ROWS(nontemporal);
