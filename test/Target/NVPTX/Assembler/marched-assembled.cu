// Code of grains whose parts meet in shared memory or in registers is assembled without spills: a window of a stencil, and
// accesses that threads make for each other.
// REQUIRES: ptxas
// RUN: %regrain cc -O3 --targets=sm_80,sm_90 --coarsen='star:block.z=16,shape=32x8x1,steps=16,window=ahead,unroll=none' --coarsen='transpose:thread.y=4,shape=32x32x1,staging=transposed' -c %s -o %t.o
// RUN: %regrain inspect %t.o | FileCheck %s

// CHECK: star(
// CHECK: sm_80 {{ *}}block.z=16,shape=32x8x1,steps=16,window=ahead,unroll=none {{ *}}{{[34][0-9]}} {{ *}}0/0 {{ *}}0 {{ *}}0 {{.*}}chosen
// CHECK: sm_90 {{ *}}block.z=16,shape=32x8x1,steps=16,window=ahead,unroll=none {{ *}}{{[34][0-9]}} {{ *}}0/0 {{ *}}0 {{ *}}0 {{.*}}chosen
// CHECK: transpose(
// CHECK: sm_80 {{ *}}thread.y=4,shape=32x32x1,staging=transposed {{ *}}{{[0-9]+}} {{ *}}0/0 {{ *}}0 {{ *}}4224 {{.*}}chosen
// CHECK: sm_90 {{ *}}thread.y=4,shape=32x32x1,staging=transposed {{ *}}{{[0-9]+}} {{ *}}0/0 {{ *}}0 {{ *}}4224 {{.*}}chosen
__global__ void star(double *f, const double *u, int nx, int ny, int nz) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
  int k = blockIdx.z * blockDim.z + threadIdx.z;
  if (i == 0 || i >= nx - 1 || j == 0 || j >= ny - 1 || k == 0 || k >= nz - 1)
    return;
  const int slice = nx * ny;
  size_t p = i + (size_t)nx * j + (size_t)slice * k;
  f[p] = u[p] * 6 - (u[p - 1] + u[p + 1]) - (u[p - nx] + u[p + nx]) - (u[p - slice] + u[p + slice]);
}

__global__ void transpose(float *out, const float *in, int nx, int ny) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < nx && y < ny)
    out[x * ny + y] = in[y * nx + x];
}
