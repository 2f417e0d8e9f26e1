// What only the end of a kernel uses is computed where its operands are, and not at the end, so that these are not held
// until then.
// RUN: %regrain cc -O3 --targets=compute_90 --emit=ptx %s -o - | FileCheck %s

#define LATER(out) if (threadIdx.x & 1) *(volatile double *)(out) = 1

// CHECK-LABEL: .entry polynomial(
// CHECK-COUNT-5: fma.rn.f64
// CHECK: bra
// CHECK-NOT: fma
// CHECK: ret;
extern "C" __global__ void polynomial(double *__restrict__ out, const double *__restrict__ in, double x) {
  double sum = in[threadIdx.x];
  for (int term = 1; term < 6; ++term)
    sum = sum * x + in[threadIdx.x + 32 * term];
  LATER(out + 1);
  out[threadIdx.x] = sum;
}

// The work of a guard stays behind the guard.
// CHECK-LABEL: .entry guarded(
// CHECK-NOT: fma
// CHECK: bra
// CHECK-COUNT-5: fma.rn.f64
// CHECK: ret;
extern "C" __global__ void guarded(double *__restrict__ out, const double *__restrict__ in, double x) {
  double sum = in[threadIdx.x];
  double terms[6];
  for (int term = 1; term < 6; ++term)
    terms[term] = in[threadIdx.x + 32 * term];
  if (*(volatile double *)(out + 1) > 0)
    return;
  for (int term = 1; term < 6; ++term)
    sum = sum * x + terms[term];
  out[threadIdx.x] = sum;
}

// The operands are needed at the end as well, so a sum would be held besides.
// CHECK-LABEL: .entry needed(
// CHECK-NOT: {{[[:space:]](add|fma)}}{{.*}}.f64
// CHECK: bra
// CHECK: add{{.*}}.f64
// CHECK: ret;
extern "C" __global__ void needed(double *__restrict__ out, const double *__restrict__ in) {
  double first = in[threadIdx.x], second = in[threadIdx.x + 32];
  double sum = first + second;
  LATER(out + 1);
  out[threadIdx.x] = sum;
  out[threadIdx.x + 32] = first;
  out[threadIdx.x + 64] = second;
}

// A product stays with the sum that it is fused with.
// CHECK-LABEL: .entry fused(
// CHECK-NOT: {{[[:space:]]}}mul{{.*}}.f64
// CHECK: bra
// CHECK: fma.rn.f64
// CHECK: ret;
extern "C" __global__ void fused(double *__restrict__ out, const double *__restrict__ in) {
  double product = in[threadIdx.x] * in[threadIdx.x + 32];
  LATER(out + 1);
  out[threadIdx.x] = product + *(volatile double *)(out + 2);
}

// What two guarded blocks compute alike is not held from in front of the first one.
// CHECK-LABEL: .entry alike(
// CHECK-NOT: {{[[:space:]]}}mul{{.*}}.f64
// CHECK: bra
// CHECK: mul.rn.f64
// CHECK: bra
// CHECK: mul.rn.f64
// CHECK: ret;
extern "C" __global__ void alike(double *__restrict__ out, const double *__restrict__ in, int a, int b) {
  double y = in[threadIdx.x + 32];
  if (a > 1)
    for (int i = 0; i < 8; ++i)
      out[threadIdx.x + 32 * i] = in[threadIdx.x + 64 * i + 64] / (y * y);
  __syncthreads();
  if (b > 1)
    for (int i = 0; i < 8; ++i)
      out[threadIdx.x + 32 * i + 256] = in[threadIdx.x + 64 * i + 96] / (y * y);
}

// Arithmetic on what one condition loads does not wait for it in front of what the next one loads.
// CHECK-LABEL: .entry corners(
// CHECK: ld.global.nc.f64
// CHECK-NOT: {{[[:space:]](mul|fma)}}{{.*}}.f64
// CHECK: ld.global.nc.f64
// CHECK: fma.rn.f64
// CHECK: ret;
extern "C" __global__ void corners(double *__restrict__ out, const double *__restrict__ in, int n, int m, double alpha) {
  int i = threadIdx.x;
  double left = 0, right = 0;
  if (i < n)
    left = in[i * 3];
  if (i > m)
    right = in[i * 5 + 1];
  out[i] = (1 - alpha) * left + alpha * right;
}
