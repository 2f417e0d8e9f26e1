//===- mma.h - Matrix products of a warp ------------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A fragment is a lane's part of a matrix; CUDA leaves open which part. Device code for
// compute capability 7.2 or newer, which runs on NVIDIA's GPUs alone, uses the tensor
// cores (regrain_mma_tensor.h). All other code uses the form in this header: the
// factors are kept whole by each lane, the sums are distributed, and each lane
// computes its own. Such a sum is fused multiply-adds in the order of k, in float for
// half, bf16 and tf32, and is rounded to the accumulator's type at the end.
//
//===----------------------------------------------------------------------===//
#ifndef __CUDA_MMA_H__
#define __CUDA_MMA_H__
#pragma GCC system_header

#if defined(__cplusplus) && defined(__CUDACC__)

#include "cuda_bf16.h"
#include "cuda_fp16.h"

namespace nvcuda {
namespace wmma {

struct matrix_a;
struct matrix_b;
struct accumulator;
struct row_major;
struct col_major;
enum layout_t { mem_row_major, mem_col_major };

namespace precision {
struct tf32;
} // namespace precision

/* Factors whose elements take less than a byte: several are in a word. */
namespace experimental {
namespace precision {
struct u4;
struct s4;
struct b1;
} // namespace precision
enum bmmaBitOp { bmmaBitOpXOR = 1, bmmaBitOpAND = 2 };
enum bmmaAccumulateOp { bmmaAccumulateOpPOPC = 1 };

template <class T> struct regrainIsSigned {
  static constexpr int value = 0;
};
template <> struct regrainIsSigned<precision::s4> {
  static constexpr int value = 1;
};
} // namespace experimental

/* Rounds to the 10 bits of tf32, halves away from 0. */
static __inline__ __host__ __device__ float __float_to_tf32(float x) {
  unsigned int bits = __builtin_bit_cast(unsigned int, x);
  if ((bits & 0x7f800000u) != 0x7f800000u)
    bits = (bits + 0x1000u) & ~0x1fffu;
  return __builtin_bit_cast(float, bits);
}

/* The type that holds an element. */
template <class T> struct regrainElement {
  typedef T type;
};
template <> struct regrainElement<precision::tf32> {
  typedef float type;
};

/* How many elements are in a word, and the type of the word. */
template <class T> struct regrainPacking {
  static constexpr int value = 1;
  typedef typename regrainElement<T>::type Word;
};
template <> struct regrainPacking<experimental::precision::u4> {
  static constexpr int value = 8;
  typedef unsigned Word;
  typedef void Packed;
};
template <> struct regrainPacking<experimental::precision::s4> {
  static constexpr int value = 8;
  typedef int Word;
  typedef void Packed;
};
template <> struct regrainPacking<experimental::precision::b1> {
  static constexpr int value = 32;
  typedef unsigned Word;
  typedef void Packed;
};

template <class Layout> struct regrainIsColumn {
  static constexpr int value = 0;
};
template <> struct regrainIsColumn<col_major> {
  static constexpr int value = 1;
};

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 720
#define REGRAIN_TENSOR_CORES 1
#else
#define REGRAIN_TENSOR_CORES 0
#endif

/* How many elements a lane holds of a matrix of ROWS by COLUMNS. */
template <class Use, class T, int ROWS, int COLUMNS> struct regrainHeld {
#if REGRAIN_TENSOR_CORES
  static constexpr int value = ROWS * COLUMNS / 32;
#else
  static constexpr int value = ROWS * COLUMNS;
#endif
};
template <class T, int ROWS, int COLUMNS> struct regrainHeld<accumulator, T, ROWS, COLUMNS> {
  static constexpr int value = ROWS * COLUMNS / 32;
};
#if REGRAIN_TENSOR_CORES
/* The lanes hold each half of a factor twice. */
template <int ROWS, int COLUMNS> struct regrainHeld<matrix_a, __half, ROWS, COLUMNS> {
  static constexpr int value = 16;
};
template <int ROWS, int COLUMNS> struct regrainHeld<matrix_b, __half, ROWS, COLUMNS> {
  static constexpr int value = 16;
};
#endif

template <class Use, int M, int N, int K> struct regrainShape;
template <int M, int N, int K> struct regrainShape<matrix_a, M, N, K> {
  static constexpr int rows = M, columns = K;
};
template <int M, int N, int K> struct regrainShape<matrix_b, M, N, K> {
  static constexpr int rows = K, columns = N;
};
template <int M, int N, int K> struct regrainShape<accumulator, M, N, K> {
  static constexpr int rows = M, columns = N;
};

template <class Use, int M, int N, int K, class T, class Layout = void> class fragment {
public:
  typedef regrainShape<Use, M, N, K> Shape;
  typedef typename regrainElement<T>::type element_type;
  typedef typename regrainPacking<T>::Word storage_element_type;
  static constexpr int num_elements = regrainHeld<Use, T, Shape::rows, Shape::columns>::value;
  static constexpr int num_storage_elements = num_elements / regrainPacking<T>::value;
  alignas(8) storage_element_type x[num_storage_elements];
};
template <class Use, int M, int N, int K, class T, class Layout>
static __inline__ __device__ void
fill_fragment(fragment<Use, M, N, K, T, Layout> &f,
              const typename fragment<Use, M, N, K, T, Layout>::storage_element_type &value) {
  for (int i = 0; i < f.num_storage_elements; ++i)
    f.x[i] = value;
}

#if REGRAIN_TENSOR_CORES
#include "regrain_mma_tensor.h" // and what is packed
#else

/* A factor's elements are in the order of rows. */
template <class Use, int M, int N, int K, class T, class Layout>
static __inline__ __device__ void
load_matrix_sync(fragment<Use, M, N, K, T, Layout> &f,
                 const typename fragment<Use, M, N, K, T, Layout>::element_type *p, unsigned ldm) {
  constexpr int rows = regrainShape<Use, M, N, K>::rows;
  constexpr int columns = regrainShape<Use, M, N, K>::columns;
  __syncwarp();
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j)
      f.x[i * columns + j] = regrainIsColumn<Layout>::value ? p[i + j * ldm] : p[i * ldm + j];
}

/* Element i of a lane is number 32 * i + lane in the order of rows. */
static __inline__ __device__ int regrainMmaLane() { return __nvvm_read_ptx_sreg_laneid(); }

template <int M, int N, int K, class T>
static __inline__ __device__ void load_matrix_sync(fragment<accumulator, M, N, K, T> &f, const T *p,
                                                   unsigned ldm, layout_t layout) {
  __syncwarp();
  for (int i = 0; i < f.num_elements; ++i) {
    int at = 32 * i + regrainMmaLane(), row = at / N, column = at % N;
    f.x[i] = layout == mem_col_major ? p[row + column * ldm] : p[row * ldm + column];
  }
}
template <int M, int N, int K, class T>
static __inline__ __device__ void
store_matrix_sync(T *p, const fragment<accumulator, M, N, K, T> &f, unsigned ldm, layout_t layout) {
  __syncwarp();
  for (int i = 0; i < f.num_elements; ++i) {
    int at = 32 * i + regrainMmaLane(), row = at / N, column = at % N;
    (layout == mem_col_major ? p[row + column * ldm] : p[row * ldm + column]) = f.x[i];
  }
}

/* The sum and its operands: a factor has type T, the accumulators C and D. */
template <class T> struct regrainProducts {
  typedef float Sum;
  static __inline__ __device__ float value(__half x) { return (float)x; }
  static __inline__ __device__ float value(__nv_bfloat16 x) {
    return __builtin_bit_cast(float, (unsigned int)((__nv_bfloat16_raw)x).x << 16);
  }
  static __inline__ __device__ float add(float a, float b, float sum) { return ::fmaf(a, b, sum); }
  static __inline__ __device__ float finish(float sum, bool) { return sum; }
};
template <> struct regrainProducts<precision::tf32> : regrainProducts<__half> {
  /* The hardware ignores the bits that tf32 lacks. */
  static __inline__ __device__ float value(float x) {
    return __builtin_bit_cast(float, __builtin_bit_cast(unsigned int, x) & ~0x1fffu);
  }
};
template <> struct regrainProducts<double> {
  typedef double Sum;
  static __inline__ __device__ double value(double x) { return x; }
  static __inline__ __device__ double add(double a, double b, double sum) {
    return ::fma(a, b, sum);
  }
  static __inline__ __device__ double finish(double sum, bool) { return sum; }
};
template <> struct regrainProducts<signed char> {
  typedef long long Sum;
  static __inline__ __device__ long long value(int x) { return x; }
  static __inline__ __device__ long long add(long long a, long long b, long long sum) {
    return a * b + sum;
  }
  static __inline__ __device__ int finish(long long sum, bool saturates) {
    long long least = -0x7fffffffll - 1, largest = 0x7fffffffll;
    return (int)(!saturates ? sum : sum < least ? least : sum > largest ? largest : sum);
  }
};
template <> struct regrainProducts<unsigned char> : regrainProducts<signed char> {};

template <int M, int N, int K, class T, class LayoutA, class LayoutB, class C, class D>
static __inline__ __device__ void
mma_sync(fragment<accumulator, M, N, K, D> &d, const fragment<matrix_a, M, N, K, T, LayoutA> &a,
         const fragment<matrix_b, M, N, K, T, LayoutB> &b,
         const fragment<accumulator, M, N, K, C> &c, bool satf = false) {
  typedef regrainProducts<T> Products;
  for (int i = 0; i < d.num_elements; ++i) {
    int at = 32 * i + regrainMmaLane(), row = at / N, column = at % N;
    typename Products::Sum sum = (typename Products::Sum)c.x[i];
    for (int k = 0; k < K; ++k)
      sum = Products::add(Products::value(a.x[row * K + k]), Products::value(b.x[k * N + column]),
                          sum);
    d.x[i] = (D)Products::finish(sum, satf);
  }
}

#include "regrain_mma_packed.h"

#endif

} // namespace wmma
} // namespace nvcuda

#undef REGRAIN_TENSOR_CORES

#endif

#endif
