// Of two loads that one instruction of a loop waits for, the one whose threads read far apart comes last.
// RUN: %regrain cc -O3 --targets=ptx --emit=ptx %s -o - | FileCheck %s

// CHECK-LABEL: .entry rows(
// CHECK: .pragma
// CHECK: ld.global.f32 [[X:%f[0-9]+]]
// CHECK: ld.global.f32 [[A:%f[0-9]+]]
// CHECK: fma.rn.f32 {{.*}}, [[A]], [[X]],
// CHECK: st.global.f32
extern "C" __global__ void rows(const float *a, const float *x, float *out, int n) {
#pragma unroll 1
  for (int j = 0; j < n; ++j)
    out[threadIdx.x] += a[threadIdx.x * n + j] * x[j];
}

// Rows of known length.
// CHECK-LABEL: .entry known_rows(
// CHECK: .pragma
// CHECK: ld.global.f32 [[X:%f[0-9]+]]
// CHECK: ld.global.f32 [[A:%f[0-9]+]]
// CHECK: sub{{(.rn)?}}.f32 {{.*}}, [[A]], [[X]]
// CHECK: st.global.f32
extern "C" __global__ void known_rows(const float *a, const float *x, float *out, int n) {
#pragma unroll 1
  for (int j = 0; j < n; ++j)
    out[threadIdx.x] += a[threadIdx.x * 8 + j] - x[j + threadIdx.x];
}

// Loads that no store of the loop may change stay.
// CHECK-LABEL: .entry unchanged_rows(
// CHECK: ld.global.nc.f32 [[A:%f[0-9]+]]
// CHECK: ld.global.nc.f32 [[X:%f[0-9]+]]
// CHECK: fma.rn.f32 {{.*}}, [[A]], [[X]],
extern "C" __global__ void unchanged_rows(const float *__restrict__ a, const float *__restrict__ x,
                                          float *out, int n) {
  float sum = 0;
#pragma unroll 1
  for (int j = 0; j < n; ++j)
    sum += a[threadIdx.x * n + j] * x[j];
  out[threadIdx.x] = sum;
}

// The other order stays.
// CHECK-LABEL: .entry in_order(
// CHECK: .pragma
// CHECK: ld.global.f32 [[X:%f[0-9]+]]
// CHECK: ld.global.f32 [[A:%f[0-9]+]]
// CHECK: fma.rn.f32 {{.*}}, [[X]], [[A]],
extern "C" __global__ void in_order(const float *a, const float *x, float *out, int n) {
#pragma unroll 1
  for (int j = 0; j < n; ++j)
    out[threadIdx.x] += x[j] * a[threadIdx.x * n + j];
}

// So does that of columns, which threads read together, and of rows that a warp shares.
// CHECK-LABEL: .entry columns(
// CHECK: .pragma
// CHECK: ld.global.f32 [[A:%f[0-9]+]]
// CHECK: ld.global.f32 [[X:%f[0-9]+]]
// CHECK: fma.rn.f32 {{.*}}, [[A]], [[X]],
extern "C" __global__ void columns(const float *a, const float *x, float *out, int n) {
#pragma unroll 1
  for (int j = 0; j < n; ++j)
    out[threadIdx.x] += a[j * n + threadIdx.x] * x[j];
}
// CHECK-LABEL: .entry shared_rows(
// CHECK: .pragma
// CHECK: ld.global.f32 [[A:%f[0-9]+]]
// CHECK: ld.global.f32 [[X:%f[0-9]+]]
// CHECK: fma.rn.f32 {{.*}}, [[A]], [[X]],
extern "C" __global__ void shared_rows(const float *a, const float *x, float *out, int n) {
#pragma unroll 1
  for (int j = 0; j < n; ++j)
    out[threadIdx.x] += a[threadIdx.y * n + j] * x[j];
}

// Nothing is known of places that are loaded. A warp reads elements that are 24 bytes apart from
// few lines.
// CHECK-LABEL: .entry gathered(
// CHECK: .pragma
// CHECK: ld.global.f32 [[A:%f[0-9]+]]
// CHECK: ld.global.f32 [[X:%f[0-9]+]]
// CHECK: fma.rn.f32 {{.*}}, [[A]], [[X]],
extern "C" __global__ void gathered(const float *a, const float *x, const int *__restrict__ from,
                                    float *out, int n) {
  const float *row = a + from[threadIdx.x];
#pragma unroll 1
  for (int j = 0; j < n; ++j)
    out[threadIdx.x] += row[j] * x[j];
}
// CHECK-LABEL: .entry short_rows(
// CHECK: .pragma
// CHECK: ld.global.f32 [[A:%f[0-9]+]]
// CHECK: ld.global.f32 [[X:%f[0-9]+]]
// CHECK: fma.rn.f32 {{.*}}, [[A]], [[X]],
extern "C" __global__ void short_rows(const float *a, const float *x, float *out, int n) {
#pragma unroll 1
  for (int j = 0; j < n; ++j)
    out[threadIdx.x] += a[threadIdx.x * 6 + j] * x[j];
}

// No load is moved over a store, nor behind its own first use. Outside of loops, loads stay.
// CHECK-LABEL: .entry stores_between(
// CHECK: ld.global.f32 [[A:%f[0-9]+]]
// CHECK: st.global
// CHECK: ld.global.f32 [[X:%f[0-9]+]]
// CHECK: fma.rn.f32 {{.*}}, [[A]], [[X]],
extern "C" __global__ void stores_between(const float *a, const float *x, float *out, int n) {
  float sum = 0;
#pragma unroll 1
  for (int j = 0; j < n; ++j) {
    float element = a[threadIdx.x * n + j];
    out[j + 1] = 1;
    sum += element * x[j];
  }
  out[threadIdx.x] = sum;
}
// CHECK-LABEL: .entry used_before(
// CHECK: .pragma
// CHECK: ld.global.f32 [[A:%f[0-9]+]]
// CHECK: sqrt
// CHECK: ld.global.f32 [[X:%f[0-9]+]]
// CHECK: fma.rn.f32 {{.*}}, [[A]], [[X]],
extern "C" __global__ void used_before(const float *a, const float *x, float *out, int n) {
#pragma unroll 1
  for (int j = 0; j < n; ++j) {
    float element = a[threadIdx.x * n + j], root = sqrtf(element);
    out[threadIdx.x] = root + element * x[j];
  }
}
// CHECK-LABEL: .entry no_loop(
// CHECK: ld.global.nc.f32 [[A:%f[0-9]+]]
// CHECK: ld.global.nc.f32 [[X:%f[0-9]+]]
// CHECK: mul{{(.rn)?}}.f32 {{.*}}, [[A]], [[X]]
extern "C" __global__ void no_loop(const float *__restrict__ a, const float *__restrict__ x,
                                   float *out, int n) {
  out[threadIdx.x] = a[threadIdx.x * n] * x[0];
}
