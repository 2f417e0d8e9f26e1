// RUN: %regrain cc --targets=cpu --alternatives=4 --specialise -c %s -o %t.o
// RUN: %regrain inspect %t.o | FileCheck %s
// RUN: %regrain cc --targets=cpu --alternatives=4 -c %s -o %t.plain.o
// RUN: %regrain inspect %t.plain.o | FileCheck %s --check-prefix=PLAIN

// The launches of the file propose grains only on request; the budget is the same.

// CHECK: scale(
// CHECK-DAG: for.block=64x1x1{{ |$}}
// CHECK-DAG: for.block=64x1x1,for.grid=16x1x1,for.arg2=1000{{ |$}}
// CHECK-DAG: {{ [a-z.]+=[^ ]*}},for.block=64x1x1{{ |$}}
// CHECK-DAG: {{ [a-z.]+=[^ ]*}},for.block=64x1x1,for.grid=16x1x1,for.arg2=1000{{ |$}}

// PLAIN-NOT: for.

__global__ void scale(float *x, float f, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] *= f;
}

int main() {
  const int n = 1000;
  float *x;
  cudaMallocManaged(&x, n * sizeof(float));
  scale<<<(n + 63) / 64, 64>>>(x, 2, n);
  return cudaDeviceSynchronize();
}
