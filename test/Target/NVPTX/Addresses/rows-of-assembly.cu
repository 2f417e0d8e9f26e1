// Rows that assembly accesses by generic pointers are one distance from each other: each pointer is cast once.
// RUN: %regrain cc -O3 --targets=compute_90 --emit=ptx %s -o - | FileCheck %s

// CHECK-LABEL: .entry _Z4rowsPfPKfii(
// CHECK: ld.global.f32 %f{{[0-9]+}}, [[[FIRST:%rd[0-9]+]]];
// CHECK: add.s64 [[SECOND:%rd[0-9]+]], [[FIRST]], [[DISTANCE:%rd[0-9]+]];
// CHECK: add.s64 [[THIRD:%rd[0-9]+]], [[SECOND]], [[DISTANCE]];
// CHECK: add.s64 %rd{{[0-9]+}}, [[THIRD]], [[DISTANCE]];
// CHECK: bra
// CHECK: ret;
__global__ void rows(float *out, const float *in, int stride, int count) {
  const float *first = in + threadIdx.x;
  float sum = 0;
#pragma unroll 1
  for (int k = 0; k < count; ++k) {
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      float value;
      asm volatile("ld.global.f32 %0, [%1];" : "=f"(value) : "l"(first + i * stride));
      sum = sum * 3 + value;
    }
    first += 8;
  }
  out[threadIdx.x] = sum;
}
