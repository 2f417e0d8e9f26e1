// A word of 64 bits of which both halves are used is loaded as a pair.
// RUN: %regrain cc -O3 --targets=compute_90 --emit=ptx %s -o - | FileCheck %s

// CHECK-LABEL: .entry halves(
// CHECK: ld.global.nc.v2.u32
// CHECK-NOT: ld.global
// CHECK: ret;
extern "C" __global__ void halves(const unsigned long long *__restrict__ in, unsigned *out) {
  unsigned long long word = in[threadIdx.x];
  out[threadIdx.x] = (unsigned(word) + 5) * unsigned(word >> 32) + unsigned(word);
}

// The word itself is used, too.
// CHECK-LABEL: .entry whole(
// CHECK: ld.global.nc.u64
// CHECK-NOT: ld.global
// CHECK: ret;
extern "C" __global__ void whole(const unsigned long long *__restrict__ in, unsigned *out,
                                 unsigned long long *words) {
  unsigned long long word = in[threadIdx.x];
  out[threadIdx.x] = (unsigned(word) + 5) * unsigned(word >> 32);
  words[threadIdx.x] = word * 3;
}

// CHECK-LABEL: .entry other_parts(
// CHECK-NOT: .v2.
// CHECK: ret;
extern "C" __global__ void other_parts(const unsigned long long *__restrict__ in, unsigned *out) {
  unsigned long long word = in[threadIdx.x];
  out[threadIdx.x] = (unsigned(word) + 5) * unsigned(word >> 31);
}

// CHECK-LABEL: .entry is_volatile(
// CHECK: ld.volatile.global.u64
// CHECK-NOT: .v2.
// CHECK: ret;
extern "C" __global__ void is_volatile(const volatile unsigned long long *in, unsigned *out) {
  unsigned long long word = in[threadIdx.x];
  out[threadIdx.x] = (unsigned(word) + 5) * unsigned(word >> 32);
}

// What is not known to be aligned stays.
// CHECK-LABEL: .entry unaligned(
// CHECK-NOT: .v2.
// CHECK: ret;
struct __attribute__((packed, aligned(4))) Unaligned { unsigned long long word; };
extern "C" __global__ void unaligned(const Unaligned *__restrict__ in, unsigned *out) {
  unsigned long long word = in[threadIdx.x].word;
  out[threadIdx.x] = (unsigned(word) + 5) * unsigned(word >> 32);
}

// A structure that is copied has the same code with and without other grains.
// CHECK-LABEL: .entry structure(
// CHECK: ld.global.nc.v2.f32
// CHECK: ret;
// RUN: rm -rf %t && mkdir %t
// RUN: %regrain cc -O3 -w --targets=compute_90 --alternatives=1 -c %s -o %t/a.o
// RUN: %regrain inspect --extract %t/code %t/a.o > /dev/null
// RUN: cat %t/code/* | FileCheck %s --check-prefix=GRAINS
// GRAINS-LABEL: .entry structure(
// GRAINS: ld.global.nc.v2.{{[uf]}}32
// GRAINS: ret;
inline __device__ float distance2(float2 a, float2 b) {
  return (a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y);
}
extern "C" __global__ void structure(const float2 *__restrict__ in, float *out, int n) {
  float2 own = in[threadIdx.x];
  float least = 1e9f;
#pragma unroll 1
  for (int i = 0; i < n; ++i)
    least = fminf(least, distance2(own, in[i]));
  out[threadIdx.x] = least;
}
