// What is read through the pointer of an unrolled loop behind the loop is read from global memory, although the pointer is
// undefined on some way. If two arguments are possible, both are in global memory, but nothing is assumed.
// RUN: %regrain cc -O3 --targets=ptx --emit=ptx %s -o %t.ptx
// RUN: %python %S/Inputs/count.py ld.u32 %t.ptx | FileCheck %s --match-full-lines
// CHECK: behind: 0
// CHECK-NEXT: loaded: 1
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
// A pointer that is loaded may point to any memory.
__global__ void loaded(unsigned *const *p, unsigned *out) {
  out[threadIdx.x] = *p[threadIdx.x];
}
