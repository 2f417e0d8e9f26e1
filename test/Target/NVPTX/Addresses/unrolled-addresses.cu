// The rows of a tile, in a loop that is unrolled completely, are a chain of pointers with one addition each. With an
// index of 32 bits, each row had a product and an address of its own.
// RUN: %regrain cc -O3 --targets=ptx --emit=ptx %s | FileCheck %s
// RUN: %regrain cc -O3 --targets=ptx --coarsen='*:thread.x=1' --emit=ptx %s | FileCheck %s

// CHECK-LABEL: .entry rows(
// CHECK: st.shared.u32
// CHECK-NEXT: mul.wide.s32 [[ROW:%rd[0-9]+]], {{%r[0-9]+}}, 4;
// CHECK-COUNT-15: add.s64 {{.*}}, [[ROW]];
// CHECK: bar.sync
extern "C" __global__ void rows(int *out, const int *in, int width) {
  __shared__ int tile[16][16];
  int index = width * 16 * blockIdx.x + threadIdx.x;
  for (int row = 0; row < 16; ++row)
    tile[row][threadIdx.x] = in[index + width * row];
  __syncthreads();
  int sum = 0;
  for (int column = 0; column < 16; ++column)
    sum += tile[threadIdx.x][column];
  out[index] = sum;
}
