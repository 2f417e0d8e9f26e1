// Texts of assembly that hand a carry on stay as they are, in their order, also without `volatile`.
// RUN: %regrain cc -O3 --targets=ptx --emit=ptx %s | FileCheck %s

static __device__ unsigned leave(unsigned a, unsigned b) {
  unsigned sum;
  asm("add.cc.u32 %0, %1, %2;" : "=r"(sum) : "r"(a), "r"(b));
  return sum;
}
static __device__ unsigned take() {
  unsigned carry;
  asm("addc.u32 %0, 0, 0;" : "=r"(carry));
  return carry;
}
static __device__ unsigned both(unsigned a, unsigned b) {
  unsigned carry;
  asm("{ .reg .u32 t; sub.cc.u32 t, %1, %2; subc.u32 %0, 0, 0; }" : "=r"(carry) : "r"(a), "r"(b));
  return carry;
}

// CHECK: add.cc.u32
// CHECK: addc.u32
// CHECK: add.cc.u32
// CHECK: addc.u32
__global__ void apart(unsigned *out) {
  out[4] = leave(out[0], out[1]);
  out[5] = take();
  out[6] = leave(out[2], out[3]);
  out[7] = take();
}

// A text that uses its carry itself is computed once.
// CHECK: .entry _Z8together
// CHECK: sub.cc.u32
// CHECK-NOT: sub.cc.u32
__global__ void together(unsigned *out, unsigned a, unsigned b) {
  out[0] = both(a, b);
  out[1] = both(a, b) + 1;
}

// A text with a carry touches no memory, also if it is volatile: the second load is the first one.
// CHECK: .entry _Z6acrossPjS_
// CHECK-COUNT-1: ld.global.u32
// CHECK-NOT: ld.global.u32
// CHECK: add.cc.u32
// CHECK-NEXT: // end inline asm
// CHECK: addc.u32
// CHECK: st.global.u32
__global__ void across(unsigned *out, unsigned *in) {
  unsigned low, high, first = in[0];
  asm volatile("add.cc.u32 %0, %1, %1;" : "=r"(low) : "r"(first));
  asm volatile("addc.u32 %0, %1, 0;" : "=r"(high) : "r"(in[0]));
  out[0] = low + high;
}

// One that says so does touch memory.
// CHECK: .entry _Z7clobberPjS_
// CHECK: ld.global.u32
// CHECK: add.cc.u32
// CHECK: ld.global.u32
// CHECK: addc.u32
__global__ void clobber(unsigned *out, unsigned *in) {
  unsigned low, high, first = in[0];
  asm volatile("add.cc.u32 %0, %1, %1;" : "=r"(low) : "r"(first) : "memory");
  asm volatile("addc.u32 %0, %1, 0;" : "=r"(high) : "r"(in[0]));
  out[0] = low + high;
}

// Texts of the same operands stay in the loop.
// CHECK: .entry _Z8repeatedPjjj
// CHECK: add.cc.u32
// CHECK: addc.u32
// CHECK: add.cc.u32
// CHECK: addc.u32
// CHECK: add.cc.u32
// CHECK: addc.u32
// CHECK-NOT: add.cc.u32
__global__ void repeated(unsigned *out, unsigned a, unsigned b) {
#pragma unroll
  for (int i = 0; i < 3; ++i) {
    out[2 * i] = leave(a, b);
    out[2 * i + 1] = take();
  }
}
