// A sum becomes four, which begin with -0 and are added at the end. LLVM computes with pairs of halves by itself.
// RUN: %regrain cc --targets=gfx90a --reassociate --coarsen='dot:sums=reassociated' --coarsen='product:thread.x=4:contiguous,for.pointers=16' --emit=amdgcn %s | FileCheck %s
#include <cuda_fp16.h>

// CHECK-LABEL: define {{.*}}@_Z3dot{{.*}}__grain_sumsreassociated(
// CHECK-COUNT-3: phi float [ -0.000000e+00,
// CHECK: [[A:%[0-9]+]] = fadd float [[AB:%[0-9]+]],
// CHECK: fadd float [[A]],
__global__ void dot(const float *__restrict__ a, const float *__restrict__ b, float *out, int n) {
  float sum = 0;
  for (int i = 0; i < n; ++i)
    sum += a[threadIdx.x * n + i] * b[i];
  out[threadIdx.x] = sum;
}

// CHECK-LABEL: define {{.*}}@_Z7product{{.*}}__grain_thread_x4
// CHECK: fmul {{.*}}<2 x half>
__global__ void product(const __half *__restrict__ x, const __half *__restrict__ y, float *__restrict__ out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = __half2float(x[i] * y[i]);
}
int main() { return 0; }
