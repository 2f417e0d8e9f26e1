//===- regrain_mma_packed.h - Matrix products of 4 bits and of 1 bit ------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Included by mma.h, inside of namespace nvcuda::wmma. The first factor is in the order of
// rows and the second one in that of columns, so both have their words along k.
//
//===----------------------------------------------------------------------===//
#ifndef REGRAIN_MMA_PACKED_H
#define REGRAIN_MMA_PACKED_H
#pragma GCC system_header

#if REGRAIN_TENSOR_CORES
#if __CUDA_ARCH__ >= 750
#define REGRAIN_MMA_PACKED_LOAD(USE, K, T, LAYOUT, BUILTIN)                                        \
  static __inline__ __device__ void load_matrix_sync(                                              \
      fragment<USE, 8, 8, K, experimental::precision::T, LAYOUT> &f, const void *p, unsigned ldm) { \
    BUILTIN((int *)f.x, (const int *)p, ldm, regrainIsColumn<LAYOUT>::value);                      \
  }
REGRAIN_MMA_PACKED_LOAD(matrix_a, 32, s4, row_major, __imma_m8n8k32_ld_a_s4)
REGRAIN_MMA_PACKED_LOAD(matrix_b, 32, s4, col_major, __imma_m8n8k32_ld_b_s4)
REGRAIN_MMA_PACKED_LOAD(matrix_a, 32, u4, row_major, __imma_m8n8k32_ld_a_u4)
REGRAIN_MMA_PACKED_LOAD(matrix_b, 32, u4, col_major, __imma_m8n8k32_ld_b_u4)
REGRAIN_MMA_PACKED_LOAD(matrix_a, 128, b1, row_major, __bmma_m8n8k128_ld_a_b1)
REGRAIN_MMA_PACKED_LOAD(matrix_b, 128, b1, col_major, __bmma_m8n8k128_ld_b_b1)
#undef REGRAIN_MMA_PACKED_LOAD

REGRAIN_MMA_ACCUMULATOR(8, 8, 32, int, int, __imma_m8n8k32_ld_c, __imma_m8n8k32_st_c_i32)
REGRAIN_MMA_ACCUMULATOR(8, 8, 128, int, int, __bmma_m8n8k128_ld_c, __bmma_m8n8k128_st_c_i32)
REGRAIN_MMA_PRODUCT(8, 8, 32, experimental::precision::s4, int, int, int, int, int,
                    __imma_m8n8k32_mma_s4, 1)
REGRAIN_MMA_PRODUCT(8, 8, 32, experimental::precision::u4, int, int, int, int, int,
                    __imma_m8n8k32_mma_u4, 1)

static __inline__ __device__ void
bmma_sync(fragment<accumulator, 8, 8, 128, int> &d,
          const fragment<matrix_a, 8, 8, 128, experimental::precision::b1, row_major> &a,
          const fragment<matrix_b, 8, 8, 128, experimental::precision::b1, col_major> &b,
          const fragment<accumulator, 8, 8, 128, int> &c,
          experimental::bmmaBitOp operation = experimental::bmmaBitOpXOR,
          experimental::bmmaAccumulateOp = experimental::bmmaAccumulateOpPOPC) {
#if __CUDA_ARCH__ >= 800
  if (operation == experimental::bmmaBitOpAND) {
    __bmma_m8n8k128_mma_and_popc_b1(d.x, (const int *)a.x, (const int *)b.x, c.x, 1);
    return;
  }
#endif
  __bmma_m8n8k128_mma_xor_popc_b1(d.x, (const int *)a.x, (const int *)b.x, c.x, 1);
}
#endif
#else

/* The product of two words, and how it is added. */
template <class T> struct regrainPackedProducts {
  static __inline__ __device__ int element(unsigned word, int at) {
    unsigned bits = word >> 4 * at & 15u;
    return experimental::regrainIsSigned<T>::value ? (int)(bits ^ 8u) - 8 : (int)bits;
  }
  static __inline__ __device__ long long of(unsigned a, unsigned b) {
    long long sum = 0;
    for (int at = 0; at < 8; ++at)
      sum += element(a, at) * element(b, at);
    return sum;
  }
};

template <class Use, int M, int N, int K, class T, class Layout>
static __inline__ __device__ typename regrainPacking<T>::Packed
load_matrix_sync(fragment<Use, M, N, K, T, Layout> &f, const void *p, unsigned ldm) {
  constexpr int packed = regrainPacking<T>::value, words = K / packed;
  const unsigned *from = (const unsigned *)p;
  __syncwarp();
  for (int line = 0; line < 8; ++line)
    for (int word = 0; word < words; ++word)
      f.x[line * words + word] = from[line * (ldm / packed) + word];
}

template <class T, class A, class B, class C, class D>
static __inline__ __device__ void regrainPackedMma(D &d, const A &a, const B &b, const C &c,
                                                   bool satf) {
  for (int i = 0; i < d.num_elements; ++i) {
    int at = 32 * i + regrainMmaLane(), row = at / 8, column = at % 8;
    long long sum = c.x[i];
    for (int word = 0; word < 4; ++word)
      sum += regrainPackedProducts<T>::of(a.x[row * 4 + word], b.x[column * 4 + word]);
    d.x[i] = regrainProducts<signed char>::finish(sum, satf);
  }
}

#define REGRAIN_MMA_PACKED_PRODUCT(T)                                                              \
  static __inline__ __device__ void mma_sync(                                                      \
      fragment<accumulator, 8, 8, 32, int> &d,                                                     \
      const fragment<matrix_a, 8, 8, 32, experimental::precision::T, row_major> &a,                \
      const fragment<matrix_b, 8, 8, 32, experimental::precision::T, col_major> &b,                \
      const fragment<accumulator, 8, 8, 32, int> &c, bool satf = false) {                          \
    regrainPackedMma<experimental::precision::T>(d, a, b, c, satf);                                \
  }
REGRAIN_MMA_PACKED_PRODUCT(s4)
REGRAIN_MMA_PACKED_PRODUCT(u4)
#undef REGRAIN_MMA_PACKED_PRODUCT

static __inline__ __device__ void
bmma_sync(fragment<accumulator, 8, 8, 128, int> &d,
          const fragment<matrix_a, 8, 8, 128, experimental::precision::b1, row_major> &a,
          const fragment<matrix_b, 8, 8, 128, experimental::precision::b1, col_major> &b,
          const fragment<accumulator, 8, 8, 128, int> &c,
          experimental::bmmaBitOp operation = experimental::bmmaBitOpXOR,
          experimental::bmmaAccumulateOp = experimental::bmmaAccumulateOpPOPC) {
  for (int i = 0; i < d.num_elements; ++i) {
    int at = 32 * i + regrainMmaLane(), row = at / 8, column = at % 8;
    int sum = c.x[i];
    for (int word = 0; word < 4; ++word) {
      unsigned left = a.x[row * 4 + word], right = b.x[column * 4 + word];
      sum += __builtin_popcount(operation == experimental::bmmaBitOpAND ? left & right
                                                                        : left ^ right);
    }
    d.x[i] = sum;
  }
}
#endif

#endif
