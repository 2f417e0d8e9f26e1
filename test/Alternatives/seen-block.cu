// RUN: %regrain cc --targets=cpu --alternatives=48 -c %s -o %t.o
// RUN: %regrain inspect %t.o | FileCheck %s

// If threads exchange less when the block is the one that the launches show,
// grains are compiled for it even without --specialise: only in that case, and
// not if blocks are fused, which makes other blocks.

// A row of the tile is as long as the block's row.
// CHECK-LABEL: {{^}}owned(
// CHECK-NOT: fuse{{.*}},for.
// CHECK: {{ }}for.block=16x8x1{{ |$}}
// CHECK-NEXT: {{ [a-z.]+=2.*}},for.block=16x8x1{{ |$}}
// CHECK: {{ [a-z.]+=2(:contiguous)? }}
__global__ void owned(float *x) {
  __shared__ float tile[8][16];
  int at = threadIdx.y * 16 + threadIdx.x;
  tile[threadIdx.y][threadIdx.x] = x[at];
  __syncthreads();
  x[at] = tile[threadIdx.y][threadIdx.x] * 2;
}

// Longer rows share places of the tile.
// CHECK-LABEL: {{^}}longer(
// CHECK-NOT: for.
__global__ void longer(float *x) {
  __shared__ float tile[8][16];
  int at = threadIdx.y * 32 + threadIdx.x;
  if (threadIdx.x < 16)
    tile[threadIdx.y][threadIdx.x] = x[at];
  __syncthreads();
  if (threadIdx.x >= 16 && threadIdx.y < 7)
    tile[threadIdx.y][threadIdx.x] = x[at];
  __syncthreads();
  if (threadIdx.x < 16)
    x[at] = tile[threadIdx.y][threadIdx.x];
}

// One place of a row is a thread's own in any block. Neighbours exchange the others within warps.
// CHECK-LABEL: {{^}}anyway(
// CHECK-NOT: {{(contiguous|=[0-9]+),for[.]| for[.]}}
// CHECK: thread.x=8,exchange=warp,for.block=256x1x1
// CHECK-NOT: {{(contiguous|=[0-9]+),for[.]| for[.]}}
__global__ void anyway(float *x) {
  __shared__ float row[256];
  row[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  x[threadIdx.x] = row[threadIdx.x ^ 1] * row[threadIdx.x];
}

// The threads exchange nothing.
// CHECK-LABEL: {{^}}alone(
// CHECK-NOT: for.
__global__ void alone(float *x) { x[threadIdx.y * blockDim.x + threadIdx.x] *= 2; }

// The launches show two blocks, or none.
// CHECK-LABEL: {{^}}twice(
// CHECK-NOT: for.
// CHECK-LABEL: {{^}}unseen(
// CHECK-NOT: for.
template <int Kind> __device__ void turn(float *x) {
  __shared__ float tile[16][16];
  tile[threadIdx.y][threadIdx.x] = x[threadIdx.y * 16 + threadIdx.x];
  __syncthreads();
  x[threadIdx.y * 16 + threadIdx.x] = tile[threadIdx.y][threadIdx.x] * 2;
}
__global__ void twice(float *x) { turn<1>(x); }
__global__ void unseen(float *x) { turn<2>(x); }

void launch(float *x, dim3 block) { unseen<<<1, block>>>(x); }

int main() {
  float *x;
  cudaMalloc(&x, 4096);
  owned<<<1, dim3(16, 8)>>>(x);
  longer<<<1, dim3(32, 8)>>>(x);
  anyway<<<1, 256>>>(x);
  alone<<<1, dim3(16, 8)>>>(x);
  twice<<<1, dim3(16, 16)>>>(x);
  twice<<<1, dim3(16, 8)>>>(x);
  launch(x, dim3(16, 16));
}
