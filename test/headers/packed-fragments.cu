// Fragments of 4 bits and of 1 bit give the sums of their elements.
// RUN: %regrain cc --targets=cpu %s -o %t && %t | FileCheck %s
// RUN: %regrain cc -O1 --targets=compute_80 --emit=ptx %s -o - | FileCheck %s --check-prefix=PTX
#include <cstdint>
#include <cstdio>
#include <mma.h>

using namespace nvcuda::wmma;
namespace precise = experimental::precision;

// PTX-DAG: wmma.load.a.sync.aligned.row.m8n8k32{{.*}}.s4
// PTX-DAG: wmma.mma.sync.aligned.row.col.m8n8k32.s32.s4.s4.s32.satfinite
// PTX-DAG: wmma.mma.sync.aligned.row.col.m8n8k32.s32.u4.u4.s32
// PTX-DAG: wmma.load.b.sync.aligned.col.m8n8k128{{.*}}.b1
// PTX-DAG: wmma.mma.xor.popc.sync.aligned.row.col.m8n8k128.s32.b1.b1.s32
// PTX-DAG: wmma.mma.and.popc.sync.aligned.row.col.m8n8k128.s32.b1.b1.s32
template <class T> __global__ void nibbles(int *out, const uint32_t *a, const uint32_t *b, bool saturates) {
  fragment<matrix_a, 8, 8, 32, T, row_major> left;
  fragment<matrix_b, 8, 8, 32, T, col_major> right;
  fragment<accumulator, 8, 8, 32, int> sum;
  static_assert(left.num_elements == 8 * left.num_storage_elements);
  load_matrix_sync(left, a, 64);
  load_matrix_sync(right, b, 32);
  fill_fragment(sum, 2147483000);
  if (saturates)
    mma_sync(sum, left, right, sum, true);
  else
    mma_sync(sum, left, right, sum);
  store_matrix_sync(out, sum, 8, mem_row_major);
}

__global__ void bits(int *out, const uint32_t *a, const uint32_t *b) {
  fragment<matrix_a, 8, 8, 128, precise::b1, row_major> left;
  fragment<matrix_b, 8, 8, 128, precise::b1, col_major> right;
  fragment<accumulator, 8, 8, 128, int> sum;
  load_matrix_sync(left, a, 256);
  load_matrix_sync(right, b, 128);
  fill_fragment(sum, 7);
  bmma_sync(sum, left, right, sum);
  bmma_sync(sum, left, right, sum, experimental::bmmaBitOpAND);
  store_matrix_sync(out, sum, 8, mem_col_major);
}

static uint32_t *a, *b;
static int *out, wrong;

static int element(const uint32_t *words, int at, int width, bool isSigned) {
  int value = words[at * width / 32] >> at * width % 32 & ((1 << width) - 1);
  return isSigned && value > 7 ? value - 16 : value;
}

template <class T> void checkNibbles(bool isSigned, bool saturates) {
  nibbles<T><<<1, 32>>>(out, a, b, saturates);
  cudaDeviceSynchronize();
  for (int i = 0; i < 64; ++i) {
    int64_t sum = 2147483000;
    for (int k = 0; k < 32; ++k)
      sum += element(a, i / 8 * 64 + k, 4, isSigned) * element(b, i % 8 * 32 + k, 4, isSigned);
    wrong += out[i] != (saturates && sum > INT32_MAX ? INT32_MAX : int32_t(sum));
  }
}

int main() {
  cudaMallocManaged(&a, 256);
  cudaMallocManaged(&b, 128);
  cudaMallocManaged(&out, 256);
  uint32_t state = 9;
  for (int i = 0; i < 64; ++i)
    a[i] = state = state * 1664525 + 1013904223;
  for (int i = 0; i < 32; ++i)
    b[i] = state = state * 1664525 + 1013904223;
  checkNibbles<precise::s4>(true, false);
  checkNibbles<precise::u4>(false, false);
  checkNibbles<precise::u4>(false, true);
  bits<<<1, 32>>>(out, a, b);
  cudaDeviceSynchronize();
  for (int i = 0; i < 64; ++i) {
    int sum = 7;
    for (int k = 0; k < 128; ++k) {
      int left = element(a, i % 8 * 256 + k, 1, false), right = element(b, i / 8 * 128 + k, 1, false);
      sum += (left ^ right) + (left & right);
    }
    wrong += out[i] != sum;
  }
  // CHECK: 0 wrong
  std::printf("%d wrong\n", wrong);
}
