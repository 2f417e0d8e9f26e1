// What the program divides behind a condition is divided behind a branch, and not always. LLVM would select the result.
// RUN: %regrain cc -O3 --targets=compute_90 --emit=ptx %s -o - | FileCheck %s
// RUN: %regrain cc -O3 --targets=compute_90 -use_fast_math --emit=ptx %s -o - | FileCheck %s --check-prefix=FAST
// RUN: %regrain cc -O3 --targets=compute_90 --coarsen='*:branches=predicated' --emit=ptx %s -o - \
// RUN:   | FileCheck %s --check-prefix=PREDICATED

// The conversion that only the division needs is behind the branch, too. An approximate division is as short as a
// branch. Who asks for code without branches gets it.
// CHECK-LABEL: .entry guarded(
// CHECK-NOT: {{cvt\.rn|div\.rn}}
// CHECK: @%p{{[0-9]+}} bra [[JOIN:\$.*]];
// CHECK-NEXT: cvt.rn.f32
// CHECK-NEXT: div.rn.f32
// CHECK-NEXT: [[JOIN]]:
// CHECK-NOT: selp
// CHECK: ret;
// FAST-LABEL: .entry guarded(
// FAST-NOT: bra
// FAST: div.approx.ftz.f32
// FAST: selp
// FAST: ret;
// PREDICATED-LABEL: .entry guarded__grain_
// PREDICATED-NOT: {{[[:space:]]}}bra
// PREDICATED: div.rn.f32
// PREDICATED: selp
// PREDICATED: ret;
extern "C" __global__ void guarded(float *__restrict__ out, const float *__restrict__ in, const int *__restrict__ by) {
  float x = in[threadIdx.x];
  int k = by[threadIdx.x];
  if (k > 1)
    x /= (float)k;
  out[threadIdx.x] = x;
}

// CHECK-LABEL: .entry other(
// CHECK: @%p{{[0-9]+}} bra [[JOIN:\$.*]];
// CHECK-NEXT: div.rn.f64
// CHECK-NEXT: [[JOIN]]:
// CHECK: ret;
extern "C" __global__ void other(double *__restrict__ out, const double *__restrict__ in) {
  double x = in[threadIdx.x], y = in[threadIdx.x + 32];
  if (y > 1)
    ;
  else
    x /= y;
  out[threadIdx.x] = x;
}

// Each condition has a branch of its own, also if both quotients are known before the first selection.
// CHECK-LABEL: .entry two(
// CHECK: bra
// CHECK: div.rn.f32
// CHECK: bra
// CHECK: div.rn.f32
// CHECK: ret;
extern "C" __global__ void two(float *__restrict__ out, const float *__restrict__ in, int a, int b) {
  float x = in[threadIdx.x], y = in[threadIdx.x + 32];
  if (a > 1)
    x /= (float)a;
  if (b > 1)
    y /= (float)b;
  out[threadIdx.x] = x;
  out[threadIdx.x + 32] = y;
}

// Others need the quotient as well.
// CHECK-LABEL: .entry needed(
// CHECK-NOT: bra
// CHECK: div.rn.f32
// CHECK: selp
// CHECK: ret;
extern "C" __global__ void needed(float *__restrict__ out, const float *__restrict__ in, int k) {
  float x = in[threadIdx.x], y = x / in[threadIdx.x + 32];
  out[threadIdx.x] = k > 1 ? y : x;
  out[threadIdx.x + 32] = y;
}

// The divisor is still fused with a product that others need.
// CHECK-LABEL: .entry fused(
// CHECK-NOT: {{[[:space:]]}}add{{.*}}.f32
// CHECK: fma.rn.f32
// CHECK-NOT: {{[[:space:]]}}add{{.*}}.f32
// CHECK: div.rn.f32
// CHECK: ret;
extern "C" __global__ void fused(float *__restrict__ out, const float *__restrict__ in, int k) {
  float x = in[threadIdx.x], product = x * in[threadIdx.x + 32];
  float y = in[threadIdx.x + 64] / (product + in[threadIdx.x + 96]);
  out[threadIdx.x] = k > 1 ? y : x;
  out[threadIdx.x + 32] = product - 1;
}

// A multiplication costs less than a branch.
// CHECK-LABEL: .entry cheap(
// CHECK-NOT: bra
// CHECK: mul.rn.f32
// CHECK: selp
// CHECK: ret;
extern "C" __global__ void cheap(float *__restrict__ out, const float *__restrict__ in, int k) {
  float x = in[threadIdx.x];
  if (k > 1)
    x *= 3;
  out[threadIdx.x] = x;
}
