// Tiles of loops are proposed before factors, for GPUs and kernels with such loops: for aligned launches first, as far as
// the width of copies depends on them, and for pointers into different allocations if that is needed. Where an instruction
// copies rows, the first one is proposed with that as well.
// RUN: %regrain explain --targets=compute_80 --alternatives=12 %s | FileCheck %s
// RUN: %regrain explain --targets=compute_90 --alternatives=12 %s | FileCheck %s --check-prefix=ROWS
// RUN: %regrain cc --emit=grain --targets=cpu --alternatives=12 %s 2>/dev/null | grep '^// ' | FileCheck %s --check-prefix=CPU --implicit-check-not=staging

// CHECK-LABEL: product(
// CHECK: kept: {{.*}}block.x=8,block.y=8,shape=16x8x1,staging=loops,for.arg4=4n,for.arg5=4n,for.pointers=16,for.aliases=none, block.x=4,block.y=16,shape=32x4x1,staging=loops,for.arg4=4n
// CHECK-LABEL: nearest(
// CHECK: kept: {{.*}}block.x=4,shape=256x1x1,staging=loops,for.pointers=16
// CHECK-LABEL: rowSums(
// CHECK-NOT: staging
// CHECK-NOT: copies=bulk
// ROWS-LABEL: product(
// ROWS: kept: {{.*}}block.x=8,block.y=8,shape=16x8x1,staging=loops,copies=bulk,for.arg4=4n,for.arg5=4n,for.pointers=16,for.aliases=none
// CPU: product(
__global__ void product(float *c, const float *a, const float *b, int m, int n, int k) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= n || y >= m)
    return;
  float sum = 0;
  for (int i = 0; i < k; ++i)
    sum += a[y * k + i] * b[i * n + x];
  c[y * n + x] = sum;
}

__global__ void nearest(float *__restrict__ c, const float *__restrict__ at, const float *__restrict__ own, int count, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x >= n)
    return;
  float least = 1e30f, here = own[x];
  for (int i = 0; i < count; ++i)
    least = fminf(least, fabsf(at[i] - here));
  c[x] = least;
}

__global__ void rowSums(float *__restrict__ c, const float *__restrict__ a, int n, int k) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x >= n)
    return;
  float sum = 0;
  for (int i = 0; i < k; ++i)
    sum += a[x * k + i];
  c[x] = sum;
}
