// The rest of the iterations of a loop that is unrolled by 4 is unrolled as well where the loop lies in another one.
// RUN: %regrain cc -O3 --targets=ptx --emit=ptx %s -o %t.ptx 2>&1 | count 0
// RUN: %python %S/../Inputs/count.py ld.global %t.ptx | FileCheck %s --match-full-lines
// RUN: %python %S/../Inputs/count.py st.global %t.ptx | FileCheck %s --check-prefix=STORES --match-full-lines
// RUN: %python %S/../Inputs/count.py .pragma %t.ptx | FileCheck %s --check-prefix=PRAGMAS --match-full-lines
// PRAGMAS: inner: 0
// PRAGMAS: outermost: 1
// PRAGMAS: told: 2

// Four steps, and up to three more, of which the second and the third have a condition.
// CHECK: inner: 7
__global__ void inner(const int *__restrict__ p, int *out, int n, int m) {
  int sum = 0;
  for (int j = 0; j < m; ++j)
    for (int i = 0; i < n; ++i)
      sum = sum * 5 ^ p[i + j * n];
  out[threadIdx.x] = sum;
}
// An outermost loop keeps the loop for the rest.
// CHECK: outermost: 5
__global__ void outermost(const int *__restrict__ p, int *out, int n) {
  int sum = 0;
  for (int i = 0; i < n; ++i)
    sum = sum * 5 ^ p[i];
  out[threadIdx.x] = sum;
}
// The program's own factor has the rest that LLVM gives it.
// CHECK: told: 5
__global__ void told(const int *__restrict__ p, int *out, int n, int m) {
  int sum = 0;
  for (int j = 0; j < m; ++j)
#pragma unroll 4
    for (int i = 0; i < n; ++i)
      sum = sum * 5 ^ p[i + j * n];
  out[threadIdx.x] = sum;
}
// CHECK: fenced: 1
// CHECK: polled: 6

// Beside a fence, too, if it does not load: what it loads might count as polled there.
// STORES: fenced: 7
// STORES: polled: 5
__global__ void fenced(unsigned char *bytes, const int *__restrict__ lengths, int m) {
  for (int j = 0; j < m; ++j) {
    __threadfence();
    for (int i = 0; i < lengths[j]; ++i)
      bytes[i + 64 * j] = i ^ j;
  }
}
__global__ void polled(unsigned char *bytes, const int *__restrict__ lengths, int m) {
  for (int j = 0; j < m; ++j) {
    __threadfence();
    for (int i = 0; i < lengths[j]; ++i)
      bytes[i + 64 * j] ^= j;
  }
}
