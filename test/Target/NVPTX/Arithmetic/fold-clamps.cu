// A clamp of a float that is computed as a double is computed as a float, if constants have the same value there.
// REQUIRES: cuda-toolkit
// RUN: %regrain cc -O3 --targets=compute_70 --emit=ptx %s -o - | FileCheck %s

// CHECK-LABEL: .entry _Z6clampsPf(
// CHECK-NOT: f64
// CHECK: ret;
__global__ void clamps(float *x) {
  x[0] = fmax(-448.0, fmin(x[0], 448.0));
  x[1] = fmin(448.0, fmax(x[1], -448.0));
  x[2] = fmin(x[2], 0.5);
}

// 0.1 is another number as a float, a double is no float, and 0 has two signs.
// CHECK-LABEL: .entry _Z5staysPfPd(
// CHECK-COUNT-2: min.f64
// CHECK: max.f64
// CHECK: ret;
__global__ void stays(float *x, double *wide) {
  x[0] = fmin(x[0], 0.1);
  __syncthreads();
  x[1] = fmin(wide[1], 448.0);
  __syncthreads();
  x[2] = fmax(x[2], 0.0);
}
