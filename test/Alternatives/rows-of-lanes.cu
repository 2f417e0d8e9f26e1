// Where threads exchange in registers, rows of neighbours may be parts of warps: several blocks are fused, or rows of one
// block are side by side in a warp.
// RUN: %regrain explain --targets=ptx --alternatives=16 -DGROUP %s | FileCheck %s --check-prefix=GROUP
// RUN: %regrain explain --targets=ptx --alternatives=24 -DROWS %s | FileCheck %s --check-prefix=ROWS

// RUN: %regrain explain --targets=ptx --alternatives=24 -DSUMS --reassociate %s | FileCheck %s --check-prefix=SUMS
// RUN: %regrain explain --targets=ptx --alternatives=24 -DSUMS %s | FileCheck %s --check-prefix=ORDER

#ifdef GROUP
// GROUP: kept: {{.*}}thread.x=8:contiguous,fuse.x=8,exchange=warp,for.block=128x1x1,for.pointers=16
__global__ void group(short *out, const short *in) {
  __shared__ int held[128];
  int t = threadIdx.x, i = blockIdx.x * 128 + t;
  held[t] = in[i];
  __syncthreads();
  for (int s = 64; s > 0; s >>= 1) {
    if (t < s)
      held[t] = max(held[t], held[t + s]);
    __syncthreads();
  }
  out[i] = in[i] - held[0];
}
#endif

#ifdef SUMS
// Trees of sums begin among neighbours if the build permits another order.
// SUMS: kept: {{.*}}thread.x=8:contiguous,fuse.x=4,exchange=warp,sums=reassociated,for.block=256x1x1,for.pointers=16
// ORDER-NOT: sums=
__global__ void sums(float *__restrict__ out, const float *__restrict__ in) {
  __shared__ float held[256];
  int t = threadIdx.x;
  held[t] = in[blockIdx.x * 256 + t];
  __syncthreads();
  for (int s = 128; s > 0; s >>= 1) {
    if (t < s)
      held[t] += held[t + s];
    __syncthreads();
  }
  if (t == 0)
    out[blockIdx.x] = held[0];
}
#endif

#ifdef ROWS
// ROWS: kept: {{.*}}thread.x=4:contiguous,exchange=warp,for.block=128x4x1,for.pointers=8
__global__ void __launch_bounds__(512) rows(short *out, const short *in) {
  __shared__ int held[4][128];
  int t = threadIdx.x, q = threadIdx.y, i = (blockIdx.x * 4 + q) * 128 + t;
  held[q][t] = in[i];
  __syncthreads();
  for (int s = 64; s > 0; s >>= 1) {
    if (t < s)
      held[q][t] = max(held[q][t], held[q][t + s]);
    __syncthreads();
  }
  out[i] = in[i] - held[q][0];
}
void launch(short *out, const short *in) { rows<<<8, dim3(128, 4)>>>(out, in); }
#endif
