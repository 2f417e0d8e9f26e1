// Staging is proposed for GPUs and the block that is seen, if a load of the kernel can be staged in it.
// RUN: %regrain explain --targets=compute_80 --alternatives=32 %s | FileCheck %s
// RUN: %regrain cc --emit=grain --targets=cpu --alternatives=20 %s 2>/dev/null | grep '^// ' | FileCheck %s --check-prefix=CPU --implicit-check-not=staging

// CHECK-LABEL: stencil(
// CHECK: kept: {{.*}}staging=shared,for.block=128x1x1
// CHECK-LABEL: copy(
// CHECK-NOT: staging
// CPU: stencil(
__global__ void stencil(const float *__restrict__ a, float *__restrict__ b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n - 1)
    b[i] = a[i - 1] + a[i] * 2.0f + a[i + 1];
}

__global__ void copy(const float *__restrict__ a, float *__restrict__ b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    b[i] = a[i];
}

void run(const float *a, float *b, int n) {
  stencil<<<(n + 127) / 128, 128>>>(a, b, n);
  copy<<<(n + 127) / 128, 128>>>(a, b, n);
}
