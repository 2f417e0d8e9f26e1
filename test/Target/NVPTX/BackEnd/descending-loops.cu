// A loop whose counter decreases by a constant ends where the opposite of its condition holds, if it continues while the counter is
// less than something: ptxas would unroll it wrongly. Other loops stay as they are.
// RUN: %regrain cc -O3 --targets=ptx --emit=ptx %s -o - | FileCheck %s

// LLVM unrolls the loop, and continues while the counter is no less than zero, as a number without a sign.
// CHECK-LABEL: .entry fill(
// CHECK: add.s32 [[LEFT:%r[0-9]+]], [[LEFT]], -4;
// CHECK: setp.ge.u32 [[ENDS:%p[0-9]+]], [[LEFT]], -{{[0-9]+}};
// CHECK: @![[ENDS]] bra
// CHECK: ret;
extern "C" __global__ void fill(char *out, int n) {
  for (; n > 0; n--)
    *out++ = 4;
}

// CHECK-LABEL: .entry narrow(
// CHECK: setp.ge.u16 [[ENDS:%p[0-9]+]], %rs{{[0-9]+}}, 100;
// CHECK: @![[ENDS]] bra
// CHECK: ret;
extern "C" __global__ void narrow(int *out, unsigned short n) {
  do {
    out[n & 63] += n;
    n -= 3;
  } while (n < 100);
}

// The bound is in a register.
// CHECK-LABEL: .entry bound(
// CHECK: setp.{{ge|le}}.s64 [[ENDS:%p[0-9]+]],
// CHECK: @![[ENDS]] bra
// CHECK: ret;
extern "C" __global__ void bound(int *out, long n, long bound) {
#pragma unroll 1
  do {
    out[n & 63] += n;
    n -= 5;
    asm volatile("" : "+l"(bound));
  } while (n < bound);
}

// CHECK-LABEL: .entry onTheLeft(
// CHECK: setp.le.s64 [[ENDS:%p[0-9]+]], [[BOUND:%rd[0-9]+]], %rd{{[0-9]+}};
// CHECK: @![[ENDS]] bra
// CHECK: ret;
extern "C" __global__ void onTheLeft(long *out, long n, const volatile long *bound) {
#pragma unroll 1
  do {
    out[n & 63] += n;
    n -= 5;
  } while (*bound > n);
}

// A counter that increases, and one that decreases while it is greater.
// CHECK-LABEL: .entry up(
// CHECK: setp.lt.s32 [[GOES:%p[0-9]+]], %r{{[0-9]+}}, %r{{[0-9]+}};
// CHECK-NEXT: @[[GOES]] bra
// CHECK: ret;
extern "C" __global__ void up(int *out, int n) {
#pragma unroll 1
  for (int i = 0; i < n; i += 3)
    out[i & 31] += i;
}

// CHECK-LABEL: .entry greater(
// CHECK: setp.gt.s32 [[GOES:%p[0-9]+]],
// CHECK: @[[GOES]] bra
// CHECK: ret;
extern "C" __global__ void greater(int *out, int n, int bound) {
#pragma unroll 1
  for (int i = n; i > bound; i -= 3)
    out[i & 31] += i;
}

// The step is not known.
// CHECK-LABEL: .entry step(
// CHECK: setp.lt.s32 [[GOES:%p[0-9]+]],
// CHECK: @[[GOES]] bra
// CHECK: ret;
extern "C" __global__ void step(int *out, int n, int step, int bound) {
#pragma unroll 1
  do {
    out[n & 63] += n;
    n += step;
  } while (n < bound);
}
