// Loads under conditions step through memory by a pointer, and their conditions are asked in 32 bits.
// RUN: %regrain cc -O3 --targets=compute_90 --emit=ptx %s -o - | FileCheck-19 %s

// Two pointers step by four elements; each access has a constant offset.
// CHECK-LABEL: .entry _Z6filterPfPKfS1_iii(
// CHECK: ld.global.f32 {{.*}}, [[[WEIGHTS:%rd[0-9]+]]+-8];
// CHECK: ld.global.f32 {{.*}}, [[[WEIGHTS]]+4];
// CHECK: add.s64 {{.*}}, 16;
// CHECK-NEXT: add.s64 {{.*}}, 16;
// CHECK-NOT: mul.wide
// CHECK: ld.global.f32 {{.*}}, [[[IMAGE:%rd[0-9]+]]+-8];
// CHECK-NOT: mul.wide
// CHECK: setp.lt.s32
// CHECK-NOT: mul.wide
// CHECK: ld.global.f32 {{.*}}, [[[IMAGE]]+4];
// CHECK: }
__global__ void filter(float *out, const float *in, const float *weights, int row, int columns, int size) {
  int x = threadIdx.x;
  float sum = 0;
  for (int k = -size; k <= size; ++k) {
    int at = x + k;
    float value = at >= 0 && at < columns ? in[row * columns + at] : 0;
    sum += value * weights[size * columns + k];
  }
  out[x] = sum;
}

// The counter may wrap around, so its extension stays.
// CHECK-LABEL: .entry _Z5wrapsPfPKfjj(
// CHECK: mul.wide.u32
// CHECK-NEXT: add.s64
// CHECK-NEXT: ld.global.f32
// CHECK: }
__global__ void wraps(float *out, const float *in, unsigned first, unsigned last) {
  float sum = 0;
  for (unsigned k = first; k != last; k += 3)
    if (k % 8 < 5)
      sum += in[k * 5u + 7u];
  out[threadIdx.x] = sum;
}

// Five indices would take too many registers of 64 bits.
// CHECK-LABEL: .entry _Z4fivePfPKfiiiiiii(
// CHECK: mul.wide.s32
// CHECK: ld.global.f32
// CHECK: mul.wide.s32
// CHECK: }
__global__ void five(float *out, const float *in, int a, int b, int c, int d, int e, int n, int m) {
  float sum = 0;
#pragma unroll 1
  for (int k = 0; k < n; ++k)
    if (k % m < 5)
      sum += in[a * m + k] + in[b * m + k] * in[c * m + k] + in[d * m + k] * in[e * m + k];
  out[threadIdx.x] = sum;
}
