// Blocks that are joined in two dimensions are a larger tile if rows of them fill one array alike and columns the other
// one. That is proposed first if threads read shared memory often.
// RUN: %regrain explain --targets=compute_80 --alternatives=2 %s | FileCheck %s

// Neighbours are joined as well, so that a block has 256 threads, or 512.
// CHECK-LABEL: product(
// CHECK: kept: block.x=4,block.y=4,thread.x=2,thread.y=2:contiguous,for.arg4=2n,for.arg5=2n,for.pointers=8, block.x=4,block.y=8,thread.x=2:contiguous,for.arg4=2n,for.arg5=2n,for.pointers=8{{$}}
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

// CHECK-LABEL: small(
// CHECK: kept: block.x=8,block.y=8, block.x=4,block.y=8{{$}}
__global__ void small(float *c, const float *a, const float *b, int n, int k) {
  __shared__ float p[16][16], q[16][16];
  int tx = threadIdx.x, ty = threadIdx.y, x = blockIdx.x * 16 + tx, y = blockIdx.y * 16 + ty;
  float sum = 0;
  for (int t = 0; t < k; t += 16) {
    p[ty][tx] = a[y * k + t + tx];
    q[ty][tx] = b[(t + ty) * n + x];
    __syncthreads();
    for (int i = 0; i < 16; ++i)
      sum += p[ty][i] * q[i][tx];
    __syncthreads();
  }
  c[y * n + x] = sum;
}

// What one of the arrays holds depends on the row and on the column.
// CHECK-LABEL: mixed(
// CHECK-NOT: block.x={{.*}}block.y
__global__ void mixed(float *c, const float *a, const float *b, int n, int k) {
  __shared__ float p[16][16], q[16][16];
  int tx = threadIdx.x, ty = threadIdx.y, x = blockIdx.x * 16 + tx, y = blockIdx.y * 16 + ty;
  float sum = 0;
  for (int t = 0; t < k; t += 16) {
    p[ty][tx] = a[y * k + t + tx];
    q[ty][tx] = b[y * n + x] * t;
    __syncthreads();
    for (int i = 0; i < 16; ++i)
      sum += p[ty][i] * q[i][tx];
    __syncthreads();
  }
  c[y * n + x] = sum;
}

void run(float *c, const float *a, const float *b, int n) {
  product<<<dim3(n / 32, n / 32), dim3(32, 32)>>>(c, a, b, n, n, n);
  small<<<dim3(n / 16, n / 16), dim3(16, 16)>>>(c, a, b, n, n);
  mixed<<<dim3(n / 16, n / 16), dim3(16, 16)>>>(c, a, b, n, n);
}
