// What is read through the pointer of an unrolled loop behind the loop is read from global memory, although the pointer is
// undefined on some way. If two arguments are possible, both are in global memory, but nothing is assumed.
// RUN: %regrain cc -O3 --targets=ptx --emit=ptx %s -o %t.ptx
// RUN: %python %S/../Inputs/count.py ld.u32 %t.ptx | FileCheck %s --match-full-lines
// CHECK: behind: 0
// CHECK-NEXT: last: 0
// CHECK-NEXT: loaded: 1
// CHECK-NEXT: both: 0
//
// Where the pointer is the one with which the loop goes on, it is not copied on the way to what follows.
// RUN: %python %S/../Inputs/count.py mov.u64 %t.ptx | FileCheck %s --match-full-lines --check-prefix=COPIES
// COPIES: behind: 0
// COPIES-NEXT: last: 2
// COPIES-NEXT: loaded: 0
// COPIES-NEXT: both: 0
struct Triple {
  unsigned x, y, z;
};
__global__ void behind(const Triple *__restrict__ p, unsigned *__restrict__ out, unsigned length) {
  unsigned sum = length;
  const Triple *at = p + threadIdx.x;
  while (length > 12) {
    sum = (sum ^ at->x) * 3 + at->y;
    ++at;
    length -= 12;
  }
  out[threadIdx.x] = sum + at->z;
}
// No other pointer is the same on both ways: the loop goes on with its counter.
__global__ void last(const unsigned *__restrict__ p, unsigned *__restrict__ out, unsigned length) {
  unsigned sum = length;
  const unsigned *at = p;
  for (unsigned i = 0; i < length; ++i) {
    at = p + (i ^ threadIdx.x);
    sum += *at;
  }
  out[threadIdx.x] = sum + at[1];
}

// A pointer that is loaded may point to any memory.
__global__ void loaded(unsigned *const *p, unsigned *out) {
  out[threadIdx.x] = *p[threadIdx.x];
}

// Each of two pointers goes on as itself, which needs no copies.
__global__ void both(const unsigned *__restrict__ p, const unsigned *__restrict__ q, unsigned *__restrict__ out,
                     unsigned length) {
  unsigned sum = length;
  const unsigned *a = p + threadIdx.x, *b = q + threadIdx.x;
  while (length > 12) {
    sum = (sum ^ *a) * 3 + *b;
    a += 3;
    b += length & 7;
    length -= 12;
  }
  out[threadIdx.x] = sum + a[100] + b[200];
}
