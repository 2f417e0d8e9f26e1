// Code that is not optimised is assembled: products of matrices, whose saturating form exists for integers only, and tables of
// addresses of shared arrays.
// REQUIRES: ptxas
// RUN: %regrain cc -O0 --targets=sm_80 -o %t %s
// RUN: %regrain cc -G --targets=sm_80 -o %t %s
// RUN: %regrain cc -O3 --targets=sm_80 -o %t %s
#include <mma.h>

using namespace nvcuda;

__global__ void products(half *a, half *b, float *c) {
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> left;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> right;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
  wmma::fill_fragment(sum, 0.0f);
  wmma::load_matrix_sync(left, a, 16);
  wmma::load_matrix_sync(right, b, 16);
  wmma::mma_sync(sum, left, right, sum);
  wmma::store_matrix_sync(c, sum, 16, wmma::mem_row_major);
}

__global__ void integers(signed char *a, signed char *b, int *c) {
  wmma::fragment<wmma::matrix_a, 16, 16, 16, signed char, wmma::row_major> left;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, signed char, wmma::col_major> right;
  wmma::fragment<wmma::accumulator, 16, 16, 16, int> sum;
  wmma::fill_fragment(sum, 0);
  wmma::load_matrix_sync(left, a, 16);
  wmma::load_matrix_sync(right, b, 16);
  wmma::mma_sync(sum, left, right, sum, true);
  wmma::store_matrix_sync(c, sum, 16, wmma::mem_row_major);
}

__global__ void table(float *out, int i) {
  __shared__ float a[32], b[32], c[32];
  a[threadIdx.x] = 1, b[threadIdx.x] = 2, c[threadIdx.x] = 3;
  __syncthreads();
  float *all[3] = {a, b, c};
  out[threadIdx.x] = all[i][threadIdx.x ^ 1];
}

int main() { return 0; }
