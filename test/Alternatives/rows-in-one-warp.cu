// Neighbours in y have no common access: the grains at which a block becomes one warp of them are proposed without
// anything about the alignment of rows, and never with a multiple of 1.
// RUN: %regrain explain --targets=ptx --alternatives=24 %s | FileCheck %s

// CHECK-NOT: invalid code
// CHECK-NOT: for.arg2=1n
// CHECK: thread.y=8:contiguous,exchange=warp,for.block=32x8x1,
// CHECK-NOT: for.arg2=1n
// CHECK-NOT: invalid code
__global__ void rowSums(float *out, const float *in, int width) {
  __shared__ float part[8][32];
  int x = threadIdx.x, y = threadIdx.y;
  float sum = 0;
  for (int i = x; i < width; i += 32)
    sum += in[(blockIdx.x * 8 + y) * width + i];
  part[y][x] = sum;
  __syncthreads();
  for (int step = 16; step > 0; step /= 2) {
    if (x < step)
      part[y][x] += part[y][x + step];
    __syncthreads();
  }
  if (x == 0)
    out[blockIdx.x * 8 + y] = part[y][0];
}
void sum(float *out, const float *in, int width, int rows) {
  rowSums<<<rows / 8, dim3(32, 8)>>>(out, in, width);
}
