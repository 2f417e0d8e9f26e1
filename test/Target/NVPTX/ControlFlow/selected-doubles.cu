// A double that a condition changes by one instruction takes a branch over it, and no selections.
// RUN: %regrain cc -O3 --targets=compute_70 --emit=ptx %s -o - | FileCheck %s

// CHECK-LABEL: .entry changed(
// CHECK: setp.eq.s32 [[P:%p[0-9]+]], %r{{[0-9]+}}, 0;
// CHECK: @[[P]] bra [[END:\$L__BB[0-9_]+]];
// CHECK-NOT: bra
// CHECK: fma.rn.f64
// CHECK-NEXT: [[END]]:
// CHECK-NOT: selp.f64
// CHECK: ret;
extern "C" __global__ void changed(const double *in, double *out, int odd) {
  double x = in[threadIdx.x];
  if (odd)
    x = x * 3 + 0.5;
  out[threadIdx.x] = x;
}

// The other side of the condition.
// CHECK-LABEL: .entry kept(
// CHECK: setp.ne.s32 [[P:%p[0-9]+]], %r{{[0-9]+}}, 0;
// CHECK: @[[P]] bra
// CHECK: add.rn.f64
// CHECK-NOT: selp.f64
// CHECK: ret;
extern "C" __global__ void kept(const double *in, double *out, int odd) {
  double x = in[threadIdx.x];
  if (!odd)
    x = x + 0.5;
  out[threadIdx.x] = x;
}

// A float takes one selection.
// CHECK-LABEL: .entry floats(
// CHECK-NOT: bra
// CHECK: selp.f32
// CHECK: ret;
extern "C" __global__ void floats(const float *in, float *out, int odd) {
  float x = in[threadIdx.x];
  if (odd)
    x = x * 3 + 0.5f;
  out[threadIdx.x] = x;
}

// The number is needed anyway.
// CHECK-LABEL: .entry needed(
// CHECK-NOT: bra
// CHECK: selp.f64
// CHECK: ret;
extern "C" __global__ void needed(const double *in, double *out, int odd) {
  double x = in[threadIdx.x], y = x * 3 + 0.5;
  out[threadIdx.x + 32] = y;
  out[threadIdx.x] = odd ? y : x;
}

// Nothing is computed for the selection.
// CHECK-LABEL: .entry chosen(
// CHECK-NOT: bra
// CHECK: selp.f64
// CHECK: ret;
extern "C" __global__ void chosen(const double *in, double *out, int odd) {
  double x = in[threadIdx.x], y = in[threadIdx.x + 32];
  out[threadIdx.x] = odd ? x : y;
}
