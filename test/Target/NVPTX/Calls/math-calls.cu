// Equal calls of the math library are one call, and calls that are the same in each iteration of a loop leave it, also
// where the definitions have branches. What each iteration does anew stays.
// REQUIRES: cuda-toolkit
// RUN: %regrain cc -O3 --targets=compute_90 --emit=ptx %s | FileCheck %s
// RUN: %regrain cc -O3 --targets=compute_90 --coarsen='*:thread.x=1' --emit=ptx %s | FileCheck %s
// RUN: %regrain cc -O3 --targets=compute_90 -use_fast_math --emit=ptx %s | FileCheck %s --check-prefix=FAST

// A sine that is not near zero calls a function of the library; two calls would be two.
// CHECK-LABEL: .entry equal(
// CHECK: __internal_trig_reduction_slowpathd,
// CHECK-NOT: __internal_trig_reduction_slowpathd,
// CHECK: ret;
extern "C" __global__ void equal(double *out, const double *in) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = sin(in[i] / 2) * sin(in[i] / 2);
}

__device__ double halfSine(double x) { return sin(0.5 * x); }

// Both calls are in functions.
// CHECK-LABEL: .entry inlined(
// CHECK: __internal_trig_reduction_slowpathd,
// CHECK-NOT: __internal_trig_reduction_slowpathd,
// CHECK: ret;
extern "C" __global__ void inlined(double *out, const double *in) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = halfSine(in[i]) + 3 * halfSine(in[i]);
}

// The loop has no call.
// CHECK-LABEL: .entry invariant(
// CHECK: __internal_trig_reduction_slowpathd,
// CHECK-NOT: __internal_trig_reduction_slowpathd,
// CHECK: ld.global.f64
// CHECK-NOT: __internal_trig_reduction_slowpathd,
// CHECK: ret;
extern "C" __global__ void invariant(double *out, const double *in, int n, double x) {
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += in[i] * sin(x);
  out[threadIdx.x] = sum;
}

// CHECK-LABEL: .entry different(
// CHECK: __internal_trig_reduction_slowpathd,
// CHECK: __internal_trig_reduction_slowpathd,
// CHECK: ret;
extern "C" __global__ void different(double *out, const double *in) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = sin(in[i]) * sin(in[i + 1]);
}

// A condition that no iteration need meet guards the call, which stays where it is.
// CHECK-LABEL: .entry guarded(
// CHECK: ld.global.f64
// CHECK: __internal_trig_reduction_slowpathd,
// CHECK: ret;
// FAST-LABEL: .entry guarded(
extern "C" __global__ void guarded(double *out, const double *in, int n, double x) {
  double sum = 0;
  for (int i = 0; i < n; ++i)
    if (in[i] > 0)
      sum += in[i] * sin(x);
  out[threadIdx.x] = sum;
}

// What a function stores through a pointer stays.
// CHECK-LABEL: .entry several(
// CHECK: __internal_trig_reduction_slowpathd,
// CHECK: fma.rn.f64
// CHECK: ret;
extern "C" __global__ void several(double *out, const double *in) {
  double sine, cosine, whole;
  sincos(in[threadIdx.x], &sine, &cosine);
  out[threadIdx.x] = sine * cosine + modf(in[threadIdx.x], &whole) + whole;
}

__device__ double ratio(double x, double y) {
  if (x != 0 || y != 0)
    return (1 - 3 * x) * (1 + x * x / (x * x + y * y));
  return 1 - 5 * x;
}

// Equal calls of a function of the program are one call as well, whatever branches it has.
// CHECK-LABEL: .entry squared(
// CHECK: div.rn.f64
// CHECK-NOT: div.rn.f64
// CHECK: ret;
extern "C" __global__ void squared(double *out, const double *in) {
  double x = in[threadIdx.x], y = in[threadIdx.x + 32];
  out[threadIdx.x] = ratio(x, y) * ratio(x, y);
}

__device__ double readRatio(const double *in) { return in[0] != 0 ? 1 / in[0] : 2; }

// Between two reads, another thread may write.
// CHECK-LABEL: .entry reads(
// CHECK: rcp.rn.f64
// CHECK: rcp.rn.f64
// CHECK: ret;
extern "C" __global__ void reads(double *out, const double *in) {
  double first = readRatio(in);
  __threadfence();
  out[threadIdx.x] = first * readRatio(in);
}
