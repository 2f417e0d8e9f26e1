//===- regrain_mma_tensor.h - Matrix products by tensor cores ---*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mma.h includes this inside its namespace. clang's builtins are the instructions wmma.
//
//===----------------------------------------------------------------------===//
#ifndef REGRAIN_MMA_TENSOR_H
#define REGRAIN_MMA_TENSOR_H
#pragma GCC system_header

/* Loads a factor of type T by BUILTIN, whose elements are words of WORD. */
#define REGRAIN_MMA_LOAD(USE, M, N, K, T, ELEMENT, WORD, BUILTIN)                                  \
  template <class Layout>                                                                          \
  static __inline__ __device__ void load_matrix_sync(fragment<USE, M, N, K, T, Layout> &f,         \
                                                     const ELEMENT *p, unsigned ldm) {             \
    BUILTIN((WORD *)f.x, (const WORD *)p, ldm, regrainIsColumn<Layout>::value);                    \
  }
/* Loads and stores an accumulator. */
#define REGRAIN_MMA_ACCUMULATOR(M, N, K, T, WORD, LOAD, STORE)                                     \
  static __inline__ __device__ void load_matrix_sync(fragment<accumulator, M, N, K, T> &f,         \
                                                     const T *p, unsigned ldm, layout_t layout) {  \
    if (layout == mem_col_major)                                                                   \
      LOAD((WORD *)f.x, (const WORD *)p, ldm, 1);                                                  \
    else                                                                                           \
      LOAD((WORD *)f.x, (const WORD *)p, ldm, 0);                                                  \
  }                                                                                                \
  static __inline__ __device__ void store_matrix_sync(                                             \
      T *p, const fragment<accumulator, M, N, K, T> &f, unsigned ldm, layout_t layout) {           \
    if (layout == mem_col_major)                                                                   \
      STORE((WORD *)p, (WORD *)f.x, ldm, 1);                                                       \
    else                                                                                           \
      STORE((WORD *)p, (WORD *)f.x, ldm, 0);                                                       \
  }
#define REGRAIN_MMA_LAYOUTS 2 * regrainIsColumn<LayoutA>::value + regrainIsColumn<LayoutB>::value
/* Multiplies. SATURATED is the last argument of the builtin where satf is set: PTX saturates
   integers only, and rejects other code even if nothing runs it, as without optimisation. */
#define REGRAIN_MMA_PRODUCT(M, N, K, T, FACTOR, C, CWORD, D, DWORD, BUILTIN, SATURATED)            \
  template <class LayoutA, class LayoutB>                                                          \
  static __inline__ __device__ void mma_sync(                                                      \
      fragment<accumulator, M, N, K, D> &d, const fragment<matrix_a, M, N, K, T, LayoutA> &a,      \
      const fragment<matrix_b, M, N, K, T, LayoutB> &b,                                            \
      const fragment<accumulator, M, N, K, C> &c, bool satf = false) {                             \
    if (satf)                                                                                      \
      BUILTIN((DWORD *)d.x, (const FACTOR *)a.x, (const FACTOR *)b.x, (const CWORD *)c.x,          \
              REGRAIN_MMA_LAYOUTS, SATURATED);                                                     \
    else                                                                                           \
      BUILTIN((DWORD *)d.x, (const FACTOR *)a.x, (const FACTOR *)b.x, (const CWORD *)c.x,          \
              REGRAIN_MMA_LAYOUTS, 0);                                                             \
  }

#define REGRAIN_MMA_HALF(M, N, K)                                                                  \
  REGRAIN_MMA_LOAD(matrix_a, M, N, K, __half, __half, int, __hmma_m##M##n##N##k##K##_ld_a)         \
  REGRAIN_MMA_LOAD(matrix_b, M, N, K, __half, __half, int, __hmma_m##M##n##N##k##K##_ld_b)         \
  REGRAIN_MMA_ACCUMULATOR(M, N, K, __half, int, __hmma_m##M##n##N##k##K##_ld_c_f16,                \
                          __hmma_m##M##n##N##k##K##_st_c_f16)                                      \
  REGRAIN_MMA_ACCUMULATOR(M, N, K, float, float, __hmma_m##M##n##N##k##K##_ld_c_f32,               \
                          __hmma_m##M##n##N##k##K##_st_c_f32)                                      \
  REGRAIN_MMA_PRODUCT(M, N, K, __half, int, __half, int, __half, int,                              \
                      __hmma_m##M##n##N##k##K##_mma_f16f16, 0)                                     \
  REGRAIN_MMA_PRODUCT(M, N, K, __half, int, float, float, __half, int,                             \
                      __hmma_m##M##n##N##k##K##_mma_f16f32, 0)                                     \
  REGRAIN_MMA_PRODUCT(M, N, K, __half, int, __half, int, float, float,                             \
                      __hmma_m##M##n##N##k##K##_mma_f32f16, 0)                                     \
  REGRAIN_MMA_PRODUCT(M, N, K, __half, int, float, float, float, float,                            \
                      __hmma_m##M##n##N##k##K##_mma_f32f32, 0)
#define REGRAIN_MMA_BYTES(M, N, K)                                                                 \
  REGRAIN_MMA_LOAD(matrix_a, M, N, K, signed char, signed char, int,                               \
                   __imma_m##M##n##N##k##K##_ld_a_s8)                                              \
  REGRAIN_MMA_LOAD(matrix_b, M, N, K, signed char, signed char, int,                               \
                   __imma_m##M##n##N##k##K##_ld_b_s8)                                              \
  REGRAIN_MMA_LOAD(matrix_a, M, N, K, unsigned char, unsigned char, int,                           \
                   __imma_m##M##n##N##k##K##_ld_a_u8)                                              \
  REGRAIN_MMA_LOAD(matrix_b, M, N, K, unsigned char, unsigned char, int,                           \
                   __imma_m##M##n##N##k##K##_ld_b_u8)                                              \
  REGRAIN_MMA_ACCUMULATOR(M, N, K, int, int, __imma_m##M##n##N##k##K##_ld_c,                       \
                          __imma_m##M##n##N##k##K##_st_c_i32)                                      \
  REGRAIN_MMA_PRODUCT(M, N, K, signed char, int, int, int, int, int,                               \
                      __imma_m##M##n##N##k##K##_mma_s8, 1)                                         \
  REGRAIN_MMA_PRODUCT(M, N, K, unsigned char, int, int, int, int, int,                             \
                      __imma_m##M##n##N##k##K##_mma_u8, 1)

REGRAIN_MMA_HALF(16, 16, 16)
REGRAIN_MMA_HALF(32, 8, 16)
REGRAIN_MMA_HALF(8, 32, 16)
REGRAIN_MMA_BYTES(16, 16, 16)
REGRAIN_MMA_BYTES(32, 8, 16)
REGRAIN_MMA_BYTES(8, 32, 16)

#if __CUDA_ARCH__ >= 800
#define REGRAIN_MMA_BF16(M, N, K)                                                                  \
  REGRAIN_MMA_LOAD(matrix_a, M, N, K, __nv_bfloat16, __nv_bfloat16, int,                           \
                   __mma_bf16_m##M##n##N##k##K##_ld_a)                                             \
  REGRAIN_MMA_LOAD(matrix_b, M, N, K, __nv_bfloat16, __nv_bfloat16, int,                           \
                   __mma_bf16_m##M##n##N##k##K##_ld_b)                                             \
  REGRAIN_MMA_PRODUCT(M, N, K, __nv_bfloat16, int, float, float, float, float,                     \
                      __mma_bf16_m##M##n##N##k##K##_mma_f32, 0)
REGRAIN_MMA_BF16(16, 16, 16)
REGRAIN_MMA_BF16(32, 8, 16)
REGRAIN_MMA_BF16(8, 32, 16)
#undef REGRAIN_MMA_BF16
REGRAIN_MMA_LOAD(matrix_a, 8, 8, 4, double, double, double, __dmma_m8n8k4_ld_a)
REGRAIN_MMA_LOAD(matrix_b, 8, 8, 4, double, double, double, __dmma_m8n8k4_ld_b)
REGRAIN_MMA_ACCUMULATOR(8, 8, 4, double, double, __dmma_m8n8k4_ld_c, __dmma_m8n8k4_st_c_f64)
REGRAIN_MMA_PRODUCT(8, 8, 4, double, double, double, double, double, double, __dmma_m8n8k4_mma_f64,
                    0)
REGRAIN_MMA_LOAD(matrix_a, 16, 16, 8, precision::tf32, float, int, __mma_tf32_m16n16k8_ld_a)
REGRAIN_MMA_LOAD(matrix_b, 16, 16, 8, precision::tf32, float, int, __mma_tf32_m16n16k8_ld_b)
REGRAIN_MMA_ACCUMULATOR(16, 16, 8, float, float, __mma_tf32_m16n16k8_ld_c, __mma_m16n16k8_st_c_f32)
REGRAIN_MMA_PRODUCT(16, 16, 8, precision::tf32, int, float, float, float, float,
                    __mma_tf32_m16n16k8_mma_f32, 0)
#endif

#include "regrain_mma_packed.h"

#undef REGRAIN_MMA_LOAD
#undef REGRAIN_MMA_ACCUMULATOR
#undef REGRAIN_MMA_LAYOUTS
#undef REGRAIN_MMA_PRODUCT
#undef REGRAIN_MMA_HALF
#undef REGRAIN_MMA_BYTES

#endif
