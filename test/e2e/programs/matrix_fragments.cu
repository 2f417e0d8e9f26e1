//===- matrix_fragments.cu - Matrix products of a warp ----------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// d = 2 * (a * b + c) in fragments of each type and shape, in both layouts. The numbers are small
// integers, so that each order of the sum has the same result.
//
//===----------------------------------------------------------------------===//
// RUN: %regrain cc --targets=cpu --coarsen='*product<16*:block.x=2' -o %t.block %s
// RUN: env REGRAIN_ALTERNATIVE='*:original' timeout 60 %t.block
// RUN: timeout 60 %t.block
// RUN: %regrain cc -c --targets=compute_80 -o %t.o %s
#include "expect.h"
#include <mma.h>

using namespace nvcuda;

template <int M, int N, int K, class T, class Layout, class Element, class Sum>
__global__ void product(Sum *d, const Element *a, const Element *b, const Sum *c) {
  constexpr bool columns = wmma::regrainIsColumn<Layout>::value;
  constexpr wmma::layout_t order = columns ? wmma::mem_col_major : wmma::mem_row_major;
  wmma::fragment<wmma::matrix_a, M, N, K, T, Layout> left;
  wmma::fragment<wmma::matrix_b, M, N, K, T, Layout> right;
  wmma::fragment<wmma::accumulator, M, N, K, Sum> sum, result;
  wmma::load_matrix_sync(left, a, columns ? M : K);
  wmma::load_matrix_sync(right, b, columns ? K : N);
  wmma::load_matrix_sync(sum, c, columns ? M : N, order);
  wmma::fill_fragment(result, Sum(0));
  wmma::mma_sync(result, left, right, sum);
  for (int i = 0; i < result.num_elements; ++i)
    result.x[i] = result.x[i] + result.x[i];
  wmma::store_matrix_sync(d, result, columns ? M : N, order);
}

template <class T> std::vector<T> numbers(int count, int factor) {
  std::vector<T> result(count);
  for (int i = 0; i < count; ++i)
    result[i] = T(float(i * factor % 7));
  return result;
}

template <int M, int N, int K, class T, class Layout, class Element, class Sum> void checkOne() {
  constexpr bool columns = wmma::regrainIsColumn<Layout>::value;
  auto a = numbers<Element>(M * K, 3), b = numbers<Element>(K * N, 5);
  auto c = numbers<Sum>(M * N, 2);
  DeviceArray<Element> left(a), right(b);
  DeviceArray<Sum> sum(c), out(M * N);
  product<M, N, K, T, Layout, Element, Sum>
      <<<1, 32>>>(static_cast<Sum *>(out), static_cast<const Element *>(left),
                  static_cast<const Element *>(right), static_cast<const Sum *>(sum));
  auto got = out.host();
  for (int i = 0; i < M; ++i)
    for (int j = 0; j < N; ++j) {
      int at = columns ? i + j * M : i * N + j;
      double wanted = double(float(c[at]));
      for (int k = 0; k < K; ++k)
        wanted += double(float(columns ? a[i + k * M] : a[i * K + k])) *
                  double(float(columns ? b[k + j * K] : b[k * N + j]));
      expectEqual("product", at, double(float(got[at])), 2 * wanted);
    }
}

template <int M, int N, int K, class T, class Element, class Sum> void check() {
  checkOne<M, N, K, T, wmma::row_major, Element, Sum>();
  checkOne<M, N, K, T, wmma::col_major, Element, Sum>();
}

template <int M, int N, int K> void checkShape() {
  check<M, N, K, half, half, float>();
  check<M, N, K, half, half, half>();
  check<M, N, K, __nv_bfloat16, __nv_bfloat16, float>();
  check<M, N, K, signed char, signed char, int>();
  check<M, N, K, unsigned char, unsigned char, int>();
}

int main() {
  checkShape<16, 16, 16>();
  checkShape<32, 8, 16>();
  checkShape<8, 32, 16>();
  check<8, 8, 4, double, double, double>();
  check<16, 16, 8, wmma::precision::tf32, float, float>();
  expectEqual("tf32", 0, wmma::__float_to_tf32(1 + 0x1p-11f), 1 + 0x1p-10f);
  return verdict("matrix_fragments");
}
