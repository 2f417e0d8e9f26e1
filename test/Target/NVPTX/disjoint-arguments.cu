// Arguments in different allocations: what a loop reads again is kept, also across its stores and barriers, loads take
// the read-only path, and the accesses of one thread are joined across its stores.
// RUN: %regrain cc -O3 --targets=ptx --nvcc=none -c --coarsen='*:for.aliases=none' -o %t.apart.o %s
// RUN: %regrain inspect --code=ptx --kernel='spread*' %t.apart.o | FileCheck %s --check-prefix=SPREAD
// RUN: %regrain inspect --code=ptx --kernel='tile*' %t.apart.o | FileCheck %s --check-prefix=TILE
// RUN: %regrain cc -O3 --targets=ptx --nvcc=none -c --coarsen='*:for.pointers=16,for.aliases=none' -o %t.wide.o %s
// RUN: %regrain inspect --code=ptx --kernel='scale*' %t.wide.o | FileCheck %s --check-prefix=WIDE
// RUN: %regrain cc -O3 --targets=ptx --nvcc=none -c --coarsen='*:for.pointers=16' -o %t.aligned.o %s
// RUN: %regrain inspect --code=ptx --kernel='scale*' %t.aligned.o | FileCheck %s --check-prefix=ALIGNED

// SPREAD: global load 32 nc ld.global.nc.u32 0 1 +1
__global__ void spread(const int *from, int *to, int n, int width) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int round = 0; round < n; ++round)
    to[round * width + i] += from[i];
}

// TILE-NOT: global load 32 - ld.global.f32 {{[0-9]+}} {{[1-9]}}
// TILE: global load 32 nc ld.global.nc.f32 0 2 +2
__global__ void tile(const float *a, const float *weights, float *out, int n) {
  __shared__ float row[256];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  float sum = 0;
#pragma unroll 1
  for (int k = 0; k < n; ++k) {
    row[t] = a[k * 256 + i];
    __syncthreads();
    sum += row[255 - t] * weights[k];
    __syncthreads();
    out[k * 256 + i] = sum;
  }
}

// WIDE: global load 128 nc ld.global.nc.v4.f32 0 1 +1
// WIDE: global store 128 - st.global.v4.f32 0 1 +1
// ALIGNED: global load 32 - ld.global.f32 4 4 0
// ALIGNED: global store 32 - st.global.f32 4 4 0
__global__ void scale(const float *a, float *b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < 4; ++k)
    b[4 * i + k] = a[4 * i + k] * 2;
}
