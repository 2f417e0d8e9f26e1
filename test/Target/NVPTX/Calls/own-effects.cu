// Assembly that computes, and volatile variables of a function, concern one thread alone.
// RUN: %regrain cc -O3 --targets=ptx --emit=ptx %s -o %t.ptx
// RUN: FileCheck %s < %t.ptx
// RUN: %python %S/../Inputs/count.py ld.global %t.ptx | FileCheck %s --check-prefix=LOADS --match-full-lines

template <class T> __device__ void swap(T &a, T &b) {
  T kept = a;
  a = b;
  b = kept;
}

// Four iterations at a time, and one in the loop for the rest; but not with assembly that others could see.
// LOADS: computes: 5
// LOADS-NEXT: effects: 1
// LOADS-NEXT: lanes: 1
__global__ void computes(const float *__restrict__ in, unsigned short *out, int n) {
  for (int i = threadIdx.x; i < n; i += 512) {
    unsigned short pair;
    asm("{cvt.rn.f16.f32 %0, %1;}\n" : "=h"(pair) : "f"(in[i]));
    out[i] = pair;
  }
}
__global__ void effects(const float *__restrict__ in, unsigned short *out, int n) {
  for (int i = threadIdx.x; i < n; i += 512) {
    unsigned short pair;
    asm volatile("{cvt.rn.f16.f32 %0, %1;}\n" : "=h"(pair) : "f"(in[i]));
    out[i] = pair;
  }
}
__global__ void lanes(const float *__restrict__ in, unsigned *out, int n) {
  for (int i = threadIdx.x; i < n; i += 512) {
    unsigned lane;
    asm("mov.u32 %0, %%laneid;" : "=r"(lane));
    out[i] = lane + unsigned(in[i]);
  }
}

// CHECK-LABEL: .entry _Z5swapsPViii(
// CHECK-NOT: %SP
// CHECK: ld.volatile.global.u32 [[A:%r[0-9]+]]
// CHECK: ld.volatile.global.u32 [[B:%r[0-9]+]]
// CHECK: st.volatile.global.u32 [{{.*}}], [[B]];
// CHECK: st.volatile.global.u32 [{{.*}}], [[A]];
// CHECK: ret;
__global__ void swaps(volatile int *a, int i, int j) { swap(a[i], a[j]); }

// A number with a fraction is not fused, and a variable whose address is known elsewhere stays.
// CHECK-LABEL: .entry _Z8fractionPfff(
// CHECK: ld.volatile
// CHECK: ret;
__global__ void fraction(float *out, float a, float b) {
  volatile float product = a * b;
  out[0] = product + a;
}
// CHECK-LABEL: .entry _Z5givenPPVii(
// CHECK: ld.volatile
// CHECK: ret;
__global__ void given(volatile int **out, int n) {
  volatile int mine = n;
  *out = &mine;
  mine = mine + 1;
}
// CHECK-LABEL: .entry _Z7indexedPii(
// CHECK-NOT: volatile
// CHECK: ret;
__global__ void indexed(int *out, int n) {
  volatile int squares[4];
  for (int i = 0; i < 4; ++i)
    squares[i] = n * i;
  *out = squares[n & 3];
}
// A loop without an end stays, while one that counts a variable to its end goes.
// CHECK-LABEL: .entry _Z7endlessPi(
// CHECK: [[LOOP:\$L__BB[0-9_]+]]:
// CHECK: bra.uni [[LOOP]];
__global__ void endless(int *out) {
  volatile int isRunning = 1;
  while (isRunning) {
  }
  *out = 1;
}
// CHECK-LABEL: .entry _Z7delayedPi(
// CHECK-NOT: bra
// CHECK: ret;
__global__ void delayed(int *out) {
  for (volatile int i = 0; i < 1000; i = i + 1) {
  }
  *out = 1;
}
