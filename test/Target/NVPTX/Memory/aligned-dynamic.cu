// Dynamic shared memory is aligned for the widest access, as in nvcc's code, so that neighbouring elements of one thread are one
// access: in the original, and in grains.
// RUN: %regrain cc -O3 --targets=ptx --coarsen='*:block.x=2' --emit=ptx %s | FileCheck %s

// CHECK: .extern .shared .align 16 .b8 held[]
// CHECK-LABEL: .entry sums(
// CHECK: ld.shared.v4
// CHECK: ret;
extern "C" __global__ void sums(const float *a, float *c) {
  extern __shared__ float held[];
  int row = threadIdx.y << 5;
  held[row + threadIdx.x] = a[row + threadIdx.x];
  __syncthreads();
  float sum = 0;
#pragma unroll 1
  for (int k = 0; k < 32; k += 4)
    sum += held[row + k] * held[row + k + 1] + held[row + k + 2] * held[row + k + 3];
  c[row + threadIdx.x] = sum;
}

// An index of which nothing is known leaves single words.
// CHECK-LABEL: .entry unknown(
// CHECK-NOT: shared.v
// CHECK: ret;
extern "C" __global__ void unknown(const float *a, float *c, int n) {
  extern __shared__ float held[];
  held[threadIdx.x] = a[threadIdx.x];
  __syncthreads();
  int first = threadIdx.x * 3 + n;
  c[threadIdx.x] = held[first] + held[first + 1] + held[first + 2] + held[first + 3];
}
