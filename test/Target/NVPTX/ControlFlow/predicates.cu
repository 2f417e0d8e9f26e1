// A selection between conditions is logic on predicates, and one comparison says whether a number is finite.
// RUN: %regrain cc -O3 --targets=compute_70 --emit=ptx %s -o - | FileCheck %s

// CHECK-LABEL: .entry selected(
// CHECK-NOT: selp
// CHECK: and.pred
// CHECK: and.pred
// CHECK: or.pred
// CHECK: selp.b32
// CHECK-NOT: selp
// CHECK: ret;
extern "C" __global__ void selected(const int *__restrict__ in, int *out, int n, int most) {
  bool state = true;
#pragma unroll 1
  for (int i = 0; i < n; ++i) {
    int x = in[i * 32 + threadIdx.x];
    state = x > most ? state : x == 5;
  }
  out[threadIdx.x] = state ? 3 : 8;
}

// CHECK-LABEL: .entry is_finite(
// CHECK-NOT: and.b32
// CHECK: abs.f32
// CHECK-NEXT: setp.lt.f32 %p{{[0-9]+}}, %f{{[0-9]+}}, 0f7F800000;
// CHECK-NOT: and.b32
// CHECK: ret;
extern "C" __global__ void is_finite(const float *__restrict__ in, int *out) {
  out[threadIdx.x] = __builtin_isfinite(in[threadIdx.x]) ? 3 : 8;
}
// CHECK-LABEL: .entry is_not_finite(
// CHECK-NOT: and.b64
// CHECK: abs.f64
// CHECK: setp.{{geu|lt}}.f64 %p{{[0-9]+}}, %fd{{[0-9]+}}, 0d7FF0000000000000;
// CHECK: ret;
extern "C" __global__ void is_not_finite(const double *__restrict__ in, int *out) {
  out[threadIdx.x] = !__builtin_isfinite(in[threadIdx.x]) ? 3 : 8;
}
