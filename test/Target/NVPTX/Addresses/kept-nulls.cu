// A pointer that may be null stays generic if it may point into shared, constant or local memory, whose addresses have 32
// bits: a converted null could equal one of them.
// RUN: %regrain cc -O3 --targets=ptx --emit=ptx %s | FileCheck %s
__device__ float *kept[4];
__constant__ float table[8];
// CHECK-LABEL: .entry dynamic(
// CHECK: mov.u64 [[NULL:%rd[0-9]+]], 0;
// CHECK: cvta.shared.u64 [[POINTER:%rd[0-9]+]],
// CHECK: setp.eq.s64 %p{{[0-9]+}}, [[POINTER]], [[NULL]];
// CHECK: ld.shared.f32
extern "C" __global__ void dynamic(float *out, int n) {
  extern __shared__ float s[];
  s[threadIdx.x] = out[threadIdx.x]; __syncthreads();
  float *p = n > 3 ? s + n : nullptr;
  if (p) out[threadIdx.x] = *p;
}

// CHECK-LABEL: .entry stored(
// CHECK: mov.u64 [[NULL:%rd[0-9]+]], 0;
// CHECK: cvta.shared.u64 [[POINTER:%rd[0-9]+]],
// CHECK: selp.b64 [[CHOSEN:%rd[0-9]+]], [[POINTER]], [[NULL]],
// CHECK: st.global.u64 [kept+8], [[CHOSEN]];
// CHECK: ld.f32 %f{{[0-9]+}}, {{.}}[[CHOSEN]]];
extern "C" __global__ void stored(float *out, int n) {
  __shared__ float s[64];
  s[threadIdx.x] = out[threadIdx.x]; __syncthreads();
  float *p = n > 3 ? s + n : nullptr;
  kept[1] = p;
  if (n & 1) out[threadIdx.x] = *p;
}

// CHECK-LABEL: .entry looked_up(
// CHECK: setp.eq.s64
// CHECK: ld.const.f32
extern "C" __global__ void looked_up(float *out, int n) {
  const float *p = n > 3 ? table + n : nullptr;
  if (p) out[threadIdx.x] = *p;
}

// Global addresses have 64 bits, of which a null is none.
// CHECK-LABEL: .entry global_one(
// CHECK-NOT: inline asm
// CHECK: ld.global.f32
// CHECK: ret;
extern "C" __global__ void global_one(float *out, float *in, int n) {
  float *p = n > 3 ? in + n : nullptr;
  if (p) out[threadIdx.x] = *p;
}

// A number that is no address stands for no object, too.
// CHECK-LABEL: .entry numbered(
// CHECK: mov.u64 [[NONE:%rd[0-9]+]], 18446744073709551615;
// CHECK: cvta.shared.u64 [[POINTER:%rd[0-9]+]],
// CHECK: selp.b64 [[CHOSEN:%rd[0-9]+]], [[POINTER]], [[NONE]],
// CHECK: st.global.u64 [kept+16], [[CHOSEN]];
// CHECK: ld.f32 %f{{[0-9]+}}, {{.}}[[CHOSEN]]];
extern "C" __global__ void numbered(float *out, int n) {
  __shared__ float s[64];
  s[threadIdx.x] = out[threadIdx.x]; __syncthreads();
  float *p = n > 3 ? s + n : (float *)-1;
  kept[2] = p;
  if (n & 1) out[threadIdx.x] = *p;
}
