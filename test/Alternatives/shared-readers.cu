// A thread with neighbours in two dimensions has few reads of shared memory for each result. That is proposed early if
// threads of a plane read shared memory often, and where a warp is left of the block.
// RUN: %regrain explain --targets=compute_80 --alternatives=8 %s | FileCheck %s

// CHECK-LABEL: product(
// CHECK: kept: {{.*}}thread.x=4,thread.y=4:contiguous,for.block=32x32x1,for.arg4=4n,for.arg5=4n,for.pointers=16
// CHECK-LABEL: blur(
// CHECK-NOT: thread.x={{[0-9]}},thread.y={{[0-9]}}:contiguous
__global__ void product(float *c, const float *a, const float *b, int m, int n, int k) {
  __shared__ float p[32][32], q[32][32];
  int tx = threadIdx.x, ty = threadIdx.y, x = blockIdx.x * 32 + tx, y = blockIdx.y * 32 + ty;
  float sum = 0;
  for (int t = 0; t < k; t += 32) {
    p[ty][tx] = y < m && t + tx < k ? a[y * k + t + tx] : 0;
    q[ty][tx] = t + ty < k && x < n ? b[(t + ty) * n + x] : 0;
    __syncthreads();
    for (int i = 0; i < 32; ++i)
      sum += p[ty][i] * q[i][tx];
    __syncthreads();
  }
  if (y < m && x < n)
    c[y * n + x] = sum;
}

__global__ void blur(float *out, const float *in, int n) {
  __shared__ float t[16][17];
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  t[threadIdx.y][threadIdx.x] = in[y * n + x];
  __syncthreads();
  if (threadIdx.x > 0)
    out[y * n + x] = t[threadIdx.y][threadIdx.x] + t[threadIdx.y][threadIdx.x - 1];
}

void run(float *c, const float *a, const float *b, int n) {
  product<<<dim3(n / 32, n / 32), dim3(32, 32)>>>(c, a, b, n, n, n);
  blur<<<dim3(n / 16, n / 16), dim3(16, 16)>>>(c, a, n);
}
