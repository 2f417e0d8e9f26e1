// Divisions of a loop's counter keep the width that the program gave them. Strength reduction would widen them with
// what they are added to, and keep a variable for each of them.
// RUN: %regrain cc -O3 --targets=compute_90 --emit=ptx %s -o - | FileCheck %s

// CHECK-LABEL: .entry remainders(
// CHECK-NOT: mul.hi.u64
// CHECK: mul.hi.u32
// CHECK-NOT: mul.hi.u64
// CHECK: ret;
extern "C" __global__ void remainders(long *out, long count) {
  long sum = 0;
  for (int i = 0; i < count; ++i)
    sum += i % 3;
  *out = sum;
}

// CHECK-LABEL: .entry unknownDivisor(
// CHECK-NOT: {{(div|rem)\.[us]64}}
// CHECK: {{(div|rem)\.[us]32}}
// CHECK-NOT: {{(div|rem)\.[us]64}}
// CHECK: ret;
extern "C" __global__ void unknownDivisor(long *out, long count, int by) {
  long sum = 0;
  for (int i = 0; i < count; ++i)
    sum += i % by;
  *out = sum;
}

// A remainder and a quotient of the same number are still one division.
// CHECK-LABEL: .entry places(
// CHECK: mul.hi.u32
// CHECK-NOT: mul.hi
// CHECK: ret;
extern "C" __global__ void places(float *out, const float *in, int count) {
#pragma unroll 1
  for (int i = 0; i < count; ++i)
    out[i / 7 * 8 + i % 7] = in[i];
}

// What the program divides in 64 bits stays so.
// CHECK-LABEL: .entry wide(
// CHECK: mul.hi.u64
// CHECK: ret;
extern "C" __global__ void wide(long *out, unsigned long count) {
  unsigned long sum = 0;
  for (unsigned long i = 0; i < count; ++i)
    sum += i % 3;
  *out = sum;
}
