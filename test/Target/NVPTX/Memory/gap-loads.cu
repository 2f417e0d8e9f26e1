// What is read of a structure of 16 bytes is read in one access, though LLVM drops the member that is not used; so is
// what is read of a variable. Memory that may not exist is not read.
// RUN: %regrain cc -O3 --targets=ptx --emit=ptx %s | FileCheck %s

// CHECK-LABEL: .entry sums(
// CHECK: ld.global.v4.{{[fu]}}32
// CHECK-NOT: ld.global.{{v2|[fu]32}}
// CHECK: ret;
extern "C" __global__ void sums(const float4 *p, float *out, int n) {
  float x = 0, y = 0, z = 0;
#pragma unroll 1
  for (int j = 0; j < n; ++j) {
    float4 q = p[j];
    x += q.x, y += q.y, z += q.z;
  }
  out[threadIdx.x] = x + y * z;
}

// CHECK-LABEL: .entry outer(
// CHECK: ld.global.v4
// CHECK-NOT: ld.global.{{v2|[fu]32}}
// CHECK: ret;
extern "C" __global__ void outer(const int4 *p, int *out) {
  out[threadIdx.x] = p[threadIdx.x].x + p[threadIdx.x].w;
}

// CHECK-LABEL: .entry shared(
// CHECK: ld.shared.v4
// CHECK-NOT: ld.shared.{{v2|[fu]32}}
// CHECK: ret;
extern "C" __global__ void shared(float *out) {
  __shared__ __align__(16) float four[4];
  if (threadIdx.x < 4)
    four[threadIdx.x] = out[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = four[0] + four[1] * four[3];
}

// Halves that are enough are not widened.
// CHECK-LABEL: .entry halves(
// CHECK: ld.global.v2.f32
// CHECK-NOT: ld.global
// CHECK: ret;
extern "C" __global__ void halves(const float4 *p, float *out) {
  out[threadIdx.x] = p[threadIdx.x].x + p[threadIdx.x].y;
}

// Three numbers of an array may be its last ones.
// CHECK-LABEL: .entry three(
// CHECK-NOT: ld.global.v4
// CHECK: ret;
extern "C" __global__ void three(const float *p, float *out) {
  p = (const float *)__builtin_assume_aligned(p, 16) + 4 * threadIdx.x;
  out[threadIdx.x] = p[0] + p[1] * p[2];
}

// A structure of 16 bytes that no type aligns.
// CHECK-LABEL: .entry anywhere(
// CHECK-NOT: ld.global.v4
// CHECK: ret;
struct Four {
  float x, y, z, w;
};
extern "C" __global__ void anywhere(const Four *p, float *out) {
  out[threadIdx.x] = p[threadIdx.x].x + p[threadIdx.x].y * p[threadIdx.x].z;
}

// A store between the loads may be to the same memory.
// CHECK-LABEL: .entry between(
// CHECK-NOT: ld.global.v4
// CHECK: ret;
extern "C" __global__ void between(float4 *p, float *out) {
  float x = p[threadIdx.x].x;
  *out = x;
  out[threadIdx.x] = p[threadIdx.x].z;
}

// Bytes and half words, four at a time.
// CHECK-LABEL: .entry colours(
// CHECK: ld.global.u32
// CHECK-NOT: ld.global
// CHECK: ret;
extern "C" __global__ void colours(const uchar4 *p, int *out) {
  uchar4 q = p[threadIdx.x];
  out[threadIdx.x] = q.x + q.y * q.z;
}

// CHECK-LABEL: .entry shorts(
// CHECK: ld.global.v4.u16
// CHECK-NOT: ld.global
// CHECK: ret;
extern "C" __global__ void shorts(const ushort4 *p, int *out) {
  ushort4 q = p[threadIdx.x];
  out[threadIdx.x] = q.x * q.z + q.w;
}
