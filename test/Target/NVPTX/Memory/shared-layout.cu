// RUN: %regrain cc --targets=ptx --coarsen='*:block.x=3' --emit=ptx %s | FileCheck %s --check-prefix=UNITED
// RUN: %regrain cc --targets=ptx --coarsen='*:block.x=3,shared=apart' --emit=ptx %s | FileCheck %s --check-prefix=APART

// The copies of a shared array are one piece, or separate variables
// (docs/decisions/0015); the original's is unchanged.

// UNITED: .entry turn(
// UNITED: .shared .align 4 .b8 {{.*}}tile[256]
// UNITED: .entry turn__grain_block_x3(
// UNITED: .shared .align 16 .b8 shared[768]
// UNITED-NOT: .shared .align
// APART: .entry turn(
// APART: .shared .align 4 .b8 {{.*}}tile[256]
// APART: .entry turn__grain_block_x3_sharedapart(
// APART-COUNT-3: .shared .align 16 .b8 {{.*}}[256]
// APART-NOT: .shared .align
extern "C" __global__ void turn(int *data) {
  __shared__ int tile[64];
  int *row = data + blockIdx.x * 64;
  tile[threadIdx.x] = row[threadIdx.x];
  __syncthreads();
  row[threadIdx.x] = tile[63 - threadIdx.x];
}
