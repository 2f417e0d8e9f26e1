// Accesses in the order of addresses are proposed before factors, for GPUs and kernels that have such accesses.
// RUN: %regrain explain --targets=compute_80 --alternatives=8 %s | FileCheck %s
// RUN: %regrain cc --emit=grain --targets=cpu --alternatives=8 %s 2>/dev/null | grep '^// ' | FileCheck %s --check-prefix=CPU --implicit-check-not=staging

// CHECK-LABEL: transpose(
// CHECK: kept: {{.*}}thread.y=4,shape=32x32x1,staging=transposed
// CHECK-LABEL: scatter(
// CHECK: kept: {{.*}}thread.x=4,shape=1024x1x1,staging=transposed
// CHECK-LABEL: copy(
// CHECK-NOT: staging
// CPU: transpose(
__global__ void transpose(float *out, const float *in, int nx, int ny) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < nx && y < ny)
    out[x * ny + y] = in[y * nx + x];
}

__global__ void scatter(float *out, const float *in, int rows, int length) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < rows * length)
    out[i % length * rows + i / length] = in[i];
}

__global__ void copy(float *out, const float *in, int nx, int ny) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < nx && y < ny)
    out[y * nx + x] = in[y * nx + x];
}
