// Blocks that run in steps are proposed behind single factors, for GPUs and kernels in which steps read again what others have
// read. Two such blocks side by side come first, then short columns of two rows in a thread.
// RUN: %regrain explain --targets=compute_80 --alternatives=14 %s | FileCheck %s
// RUN: %regrain cc --emit=grain --targets=cpu --alternatives=14 %s 2>/dev/null | grep '^// ' | FileCheck %s --check-prefix=CPU --implicit-check-not=steps

// CHECK-LABEL: planes(
// CHECK: kept: block.z=2,shape=32x8x1,{{.*}}block.z=4,thread.y=2:contiguous,shape=64x8x1,steps=4,{{.*}}block.z=16,shape=32x8x1,steps=16,window=ahead,unroll=none,{{.*}}block.z=8,shape=32x8x1,steps=4
// CHECK-LABEL: rows(
// CHECK-DAG: {{(kept: |, )}}block.y=8,shape=128x1x1,steps=4
// CHECK-DAG: {{(kept: |, )}}block.y=16,thread.x=4:contiguous,shape=512x1x1,steps=16,window=ahead,unroll=none,for.arg2=4n,for.pointers=16
// CHECK-LABEL: copy(
// CHECK-NOT: steps
// CPU: planes(
__global__ void planes(double *f, const double *u, int nx, int ny, int nz) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
  int k = blockIdx.z * blockDim.z + threadIdx.z;
  if (i >= nx || j >= ny || k == 0 || k >= nz - 1)
    return;
  size_t slice = (size_t)nx * ny, p = i + (size_t)nx * j + slice * k;
  f[p] = u[p - slice] + u[p] + u[p + slice];
}

__global__ void rows(float *out, const float *in, int nx, int ny) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= nx || y == 0 || y >= ny - 1)
    return;
  size_t p = (size_t)y * nx + x;
  out[p] = in[p - nx] + in[p] + in[p + nx];
}

__global__ void copy(float *out, const float *in, int nx, int ny) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < nx && y < ny)
    out[y * nx + x] = in[y * nx + x];
}
