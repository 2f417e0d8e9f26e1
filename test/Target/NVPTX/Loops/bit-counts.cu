// A loop that clears the lowest bit until none is left, and counts, is one instruction.
// RUN: %regrain cc -O3 --targets=compute_70 --emit=ptx %s -o - | FileCheck %s
// RUN: %regrain cc -O3 --targets=compute_70 --coarsen='*:block.x=2' --emit=ptx %s -o - | FileCheck %s

// CHECK-LABEL: .entry _Z6countsPij(
// CHECK: popc.b32
// CHECK-NOT: bra
// CHECK: ret;
__global__ void counts(int *out, unsigned bits) {
  int count;
  for (count = 0; bits; ++count)
    bits &= bits - 1;
  out[threadIdx.x] = count;
}

// The sum begins elsewhere, and is wider or narrower than the bits.
// CHECK-LABEL: .entry _Z4addsPixys(
// CHECK: popc.b64
// CHECK: popc.b64
// CHECK: ret;
__global__ void adds(int *out, long long begin, unsigned long long bits, short few) {
  for (unsigned long long left = bits; left; left &= left - 1)
    ++begin;
  for (unsigned long long left = bits * bits; left != 0; left &= left - 1)
    ++few;
  out[threadIdx.x] = begin + few;
}

// The loop around it sees no loop, so that its condition is at its end.
// CHECK-LABEL: .entry _Z5walksPiPKhi(
// CHECK: popc.b32
// CHECK: ret;
__global__ void walks(int *out, const unsigned char *in, int at) {
  int steps = 0;
  for (;; ++steps) {
    int count = 0;
    for (unsigned bits = in[at]; bits; bits &= bits - 1)
      ++count;
    if (count != 2)
      break;
    at += in[at];
  }
  out[threadIdx.x] = steps;
}

// Of a zero, this loop counts one bit.
// CHECK-LABEL: .entry _Z12counts_firstPij(
// CHECK-NOT: popc
// CHECK: bra
// CHECK-NOT: popc
// CHECK: ret;
__global__ void counts_first(int *out, unsigned bits) {
  int count = 0;
  do {
    bits &= bits - 1;
    ++count;
  } while (bits);
  out[threadIdx.x] = count;
}

// This loop stops early.
// CHECK-LABEL: .entry _Z5stopsPij(
// CHECK-NOT: popc
// CHECK: bra
// CHECK-NOT: popc
// CHECK: ret;
__global__ void stops(int *out, unsigned bits) {
  int count;
  for (count = 0; bits > 5; ++count)
    bits &= bits - 1;
  out[threadIdx.x] = count;
}

// This loop counts the length, not the bits.
// CHECK-LABEL: .entry _Z6lengthPij(
// CHECK-NOT: popc
// CHECK: ret;
__global__ void length(int *out, unsigned bits) {
  int count;
  for (count = 0; bits; ++count)
    bits &= bits - 2;
  out[threadIdx.x] = count;
}

// This loop uses each bit.
// CHECK-LABEL: .entry _Z4usesPij(
// CHECK-NOT: popc
// CHECK: bra
// CHECK-NOT: popc
// CHECK: ret;
__global__ void uses(int *out, unsigned bits) {
  int count;
  for (count = 0; bits; ++count) {
    out[bits] = count;
    bits &= bits - 1;
  }
  out[threadIdx.x] = count;
}
