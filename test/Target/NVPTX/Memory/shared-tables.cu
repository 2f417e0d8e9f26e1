// Each block has its own address of a shared array, so no variable holds it: neither one with the initial value of a local
// array, nor one that LLVM makes of a switch.
// RUN: %regrain cc -O3 --targets=ptx --emit=ptx %s | FileCheck %s
// RUN: %regrain cc -O0 --targets=ptx --emit=ptx %s | FileCheck %s

// CHECK-NOT: generic(
// CHECK-LABEL: .entry initialised(
// CHECK-NOT: generic(
// CHECK-LABEL: .entry selected(
// CHECK-NOT: generic(
extern "C" __global__ void initialised(float *out, int i) {
  __shared__ float a[32], b[32], c[32];
  a[threadIdx.x] = 1, b[threadIdx.x] = 2, c[threadIdx.x] = 3;
  __syncthreads();
  float *all[] = {a, b, c};
  out[threadIdx.x] = all[i][threadIdx.x ^ 1];
}

extern "C" __global__ void selected(float *out, int i) {
  __shared__ float a[32], b[32], c[32];
  a[threadIdx.x] = 1, b[threadIdx.x] = 2, c[threadIdx.x] = 3;
  __syncthreads();
  float *p = out;
  switch (i) {
  case 0:
    p = a + 1;
    break;
  case 1:
    p = b;
    break;
  case 2:
    p = c + 3;
    break;
  case 3:
    p = a;
    break;
  case 4:
    p = b + 7;
    break;
  }
  out[threadIdx.x] = p[1];
}
