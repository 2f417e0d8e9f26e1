// A row that a second loop reads again stays in registers, over barriers, if the sizes are known of the launch, and that nobody writes
// it. So does what joined blocks of a stencil have in common.
// RUN: %regrain cc -O3 --targets=ptx --coarsen='norm*:rows=registers,for.block=256x1x1,for.arg2=2048,for.aliases=none' --coarsen='planes*:block.z=4,for.block=64x4x1' --emit=ptx %s > %t.ptx
// RUN: awk '/entry.*norm.*for_block/{p=1} /^}/{p=0} p' %t.ptx | FileCheck %s --check-prefix=NORM
// RUN: awk '/entry.*planes.*block_z4/{p=1} /^}/{p=0} p' %t.ptx | FileCheck %s --check-prefix=PLANES

// NORM-COUNT-8: ld.global
// NORM-NOT: ld.global
// NORM-COUNT-8: st.global
__global__ void norm(const float *x, float *y, int n) {
  __shared__ float s[256];
  const float *row = x + (size_t)blockIdx.x * n;
  float *out = y + (size_t)blockIdx.x * n;
  float sum = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    sum += row[i] * row[i];
  s[threadIdx.x] = sum;
  __syncthreads();
  for (int o = blockDim.x / 2; o > 0; o >>= 1) {
    if (threadIdx.x < o)
      s[threadIdx.x] += s[threadIdx.x + o];
    __syncthreads();
  }
  float scale = rsqrtf(s[0] / n);
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    out[i] = row[i] * scale;
}

// Where all four blocks are inside, 6 elements are loaded in place of 4 times 3.
// PLANES-COUNT-6: ld.global
// PLANES-NEXT: add.rn.f32
// PLANES-NOT: ld.global
// PLANES-COUNT-4: st.global
__global__ void planes(const float *u, float *f, int nx, int ny, int nz) {
  int i = threadIdx.x + blockIdx.x * blockDim.x;
  int j = threadIdx.y + blockIdx.y * blockDim.y;
  int k = threadIdx.z + blockIdx.z * blockDim.z;
  if (i >= nx || j >= ny || k == 0 || k >= nz - 1)
    return;
  const int slice = nx * ny;
  size_t at = i + nx * j + slice * k;
  f[at] = u[at - slice] + u[at] + u[at + slice];
}
