// A division by shared values, under a condition that differs between threads,
// is computed once for all threads, with a divisor that cannot trap.
// RUN: %device-ir %s -o %t.ll
// RUN: regrain-cpu-test %t.ll --emit=optimized --kernel=address | FileCheck %s --check-prefix=HOISTED
// RUN: %same-on-all-paths %t.ll --kernel=address --kernel=negative --kernel=none --kernel=apart --block=16,2 --n=16 --buffer=512
// RUN: FileCheck %s --check-prefix=VALUES < %t.out

// HOISTED: select i1 {{.*}}, i32 1, i32
// HOISTED: {{udiv|urem}}
// HOISTED: vector.body:
// HOISTED-NOT: {{udiv|urem}}
// HOISTED: br i1
// VALUES-LABEL: address:
// VALUES-NEXT: 0 0 0 4 5 6 7 8 0 0 0 12 13 14 15 16
// VALUES-NEXT: 0 0 0 4 5 6 7 8 0 0 0 12 13 14 15 16
// VALUES-NEXT: 0 0 0 0
extern "C" __global__ void address(int *out, const int *in, int n) {
  unsigned row = threadIdx.y / (n / 16u), rest = threadIdx.y % (n / 16u);
  if (in[threadIdx.x] % 8 > 2)
    out[row * 16 + threadIdx.x] = in[rest * 64 + threadIdx.x] + 1;
}

// The dividend overflows where no thread divides.
// VALUES-LABEL: negative:
// VALUES-NEXT: 0 0 0 0 20 21 22 23 24 25 26 27 28 29 30 31
extern "C" __global__ void negative(int *out, const int *in, int n) {
  int divisor = n - 17;
  if (in[threadIdx.x] > 3)
    out[threadIdx.x + threadIdx.y * 16] = in[(-n) / divisor + threadIdx.x];
  if (in[threadIdx.x] < 0)
    out[threadIdx.x + (INT_MIN + n - 16) / divisor] = 1;
}

// No thread divides: the divisor is 0.
// VALUES-LABEL: none:
// VALUES-NEXT: 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5
extern "C" __global__ void none(int *out, const int *in, int n) {
  unsigned divisor = n - 16u;
  out[threadIdx.x + threadIdx.y * 16] = 5;
  if (in[threadIdx.x] < 0)
    out[threadIdx.x + n / divisor] = in[threadIdx.x + n % divisor];
}

// The divisor differs from thread to thread.
// VALUES-LABEL: apart:
// VALUES-NEXT: 0 65 34 0 20 17 0 16 16 0 16 16 0 17 18 0
extern "C" __global__ void apart(int *out, const int *in, int n) {
  unsigned x = threadIdx.x;
  if (in[x] % 3)
    out[x + threadIdx.y * 16] = in[2 * x / 2] + in[n * 4 / x];
}
