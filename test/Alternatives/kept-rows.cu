// Rows in registers are proposed for the launches that are seen, with the arguments that matter, and for pointers in different
// allocations only where that is needed.
// RUN: %regrain explain --targets=compute_80 --alternatives=400 %s | FileCheck %s

// CHECK-LABEL: promised(
// CHECK: kept:{{.*}} rows=registers,for.block=128x1x1,for.arg3=1024,{{ .*}}thread.x=4:contiguous,rows=registers,for.block=128x1x1,for.arg3=1024,for.pointers=16,
__global__ void promised(float *__restrict__ out, const float *__restrict__ in, int other, int n) {
  float sum = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    sum += in[blockIdx.x * n + i];
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    out[blockIdx.x * n + i] = in[blockIdx.x * n + i] / sum + other;
}

// CHECK-LABEL: observed(
// CHECK-NOT: rows=registers,for.block=128x1x1,for.arg2=1024,{{ }}
// CHECK: kept:{{.*}} rows=registers,for.block=128x1x1,for.arg2=1024,for.aliases=none,
__global__ void observed(float *out, float *in, int n) {
  float sum = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    sum += in[i] *= 2;
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    out[i] = in[i] / sum;
}

// The row has a length that 128 does not divide.
// CHECK-LABEL: uneven(
// CHECK-NOT: rows=
__global__ void uneven(float *__restrict__ out, const float *__restrict__ in, int n) {
  float sum = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    sum += in[i];
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    out[i] = in[i] / sum;
}

void run(float *a, float *b) {
  promised<<<64, 128>>>(a, b, 7, 1024);
  observed<<<64, 128>>>(a, b, 1024);
  uneven<<<64, 128>>>(a, b, 1000);
}
