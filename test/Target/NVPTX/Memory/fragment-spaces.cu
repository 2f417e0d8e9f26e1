// Matrix fragments name the memory that they are loaded from and stored to.
// RUN: %regrain cc -O3 --targets=compute_80 --emit=ptx %s -o - | FileCheck %s
#include <mma.h>

using namespace nvcuda::wmma;
typedef fragment<matrix_a, 16, 16, 16, half, row_major> Left;
typedef fragment<matrix_b, 16, 16, 16, half, row_major> Right;
typedef fragment<accumulator, 16, 16, 16, float> Sum;

// CHECK-LABEL: .entry _Z6stagedPfPK6__halfi(
// CHECK: wmma.load.b.sync.aligned.row.m16n16k16.global.f16
// CHECK: wmma.load.a.sync.aligned.row.m16n16k16.shared.f16
// CHECK: wmma.store.d.sync.aligned.row.m16n16k16.global.f32
__global__ void staged(float *out, const half *in, int count) {
  __shared__ half tiles[2][16 * 24];
  Left left;
  Right right;
  Sum sum;
  fill_fragment(sum, 0.0f);
  load_matrix_sync(right, in, 16);
  const half *tile = tiles[0];
  for (int i = 0; i < count; ++i) {
    tiles[i % 2][threadIdx.x] = in[i * 32 + threadIdx.x];
    __syncthreads();
    load_matrix_sync(left, tile, 24);
    mma_sync(sum, left, right, sum);
    tile = tile == tiles[0] ? tiles[1] : tiles[0];
  }
  store_matrix_sync(out, sum, 16, mem_row_major);
}

// The tile may be in either memory.
// CHECK-LABEL: .entry _Z6eitherPfPK6__halfb(
// CHECK: wmma.load.a.sync.aligned.row.m16n16k16.f16
// CHECK: ret;
__global__ void either(float *out, const half *in, bool isStaged) {
  __shared__ half tile[256];
  tile[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  Left left;
  Right right;
  Sum sum;
  fill_fragment(sum, 0.0f);
  load_matrix_sync(left, isStaged ? tile : in, 16);
  load_matrix_sync(right, in, 16);
  mma_sync(sum, left, right, sum);
  store_matrix_sync(out, sum, 16, mem_row_major);
}
