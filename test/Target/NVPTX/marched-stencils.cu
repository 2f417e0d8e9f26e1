// A stencil whose blocks run in steps loads one element of each column that it marches along, and its code has the length
// of a step.
// RUN: %regrain cc -O3 --targets=compute_90 --emit=ptx --coarsen='star:block.z=16,shape=32x8x1,steps=16,unroll=none' --coarsen='plane:block.y=8,shape=128x1x1,steps=8,unroll=none' --coarsen='far:block.z=16,shape=32x8x1,steps=16,unroll=none' %s > %t.ptx
// RUN: awk '/\.entry/{kernel=$0} /ld.global/{++loads[kernel]} END{for (kernel in loads) if (kernel ~ /steps/) print loads[kernel], kernel}' %t.ptx | FileCheck %s

// Five loads in a step, and two more for a step behind one that has not run.
// CHECK-DAG: {{^}}7 {{.*}}star
__global__ void star(double *f, const double *u, int nx, int ny, int nz) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
  int k = blockIdx.z * blockDim.z + threadIdx.z;
  if (i == 0 || i >= nx - 1 || j == 0 || j >= ny - 1 || k == 0 || k >= nz - 1)
    return;
  const int slice = nx * ny;
  size_t p = i + (size_t)nx * j + (size_t)slice * k;
  f[p] = u[p] * 6 - (u[p - 1] + u[p + 1]) - (u[p - nx] + u[p + nx]) - (u[p - slice] + u[p + slice]);
}

// Three and two.
// CHECK-DAG: {{^}}5 {{.*}}plane
__global__ void plane(float *out, const float *in, int nx, int ny) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 1 || x >= nx - 1 || y < 1 || y >= ny - 1)
    return;
  size_t p = (size_t)y * nx + x;
  out[p] = 0.2f * (in[p] + in[p - 1] + in[p + 1] + in[p - nx] + in[p + nx]);
}

// The loop over distances is unrolled: one and eight.
// CHECK-DAG: {{^}}9 {{.*}}far
__global__ void far(float *out, const float *in, int nx, int ny, int nz) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  int z = blockIdx.z * blockDim.z + threadIdx.z;
  if (x >= nx || y >= ny || z < 4 || z >= nz - 4)
    return;
  size_t slice = (size_t)nx * ny, p = slice * z + (size_t)y * nx + x;
  float sum = 0.4f * in[p];
#pragma unroll
  for (int r = 1; r <= 4; ++r)
    sum += 0.1f / r * (in[p - r * slice] + in[p + r * slice]);
  out[p] = sum;
}
