// A variant is a module of its own: what a target does not take is refused there, with the reason, and harms nothing else. A kernel
// without grain IR can be one, and the source can offer it for some architectures alone.
// REQUIRES: ptxas
// RUN: %regrain cc -O3 --targets=sm_80,sm_90,cpu,ptx --nvcc=none --alternatives=4 -c -o %t.o %s
// RUN: %regrain inspect --candidates %t.o | FileCheck %s
// CHECK-LABEL: candidate variant=wide<1> (offered by the source): kept
// CHECK-NEXT: sm_80, {{[1-9][0-9]*}} bytes: kept
// CHECK-LABEL: candidate variant=wide<8> (offered by the source): kept
// CHECK-NEXT: sm_80, 0 bytes: refused (sm_80): its blocks declare 131072 bytes of shared memory, and no more than 49152 can be declared
// CHECK-NEXT: sm_90, 0 bytes: refused (sm_90): its blocks declare 131072 bytes of shared memory, and no more than 49152 can be declared
// CHECK-NEXT: cpu, {{[1-9][0-9]*}} bytes: kept
// CHECK-NEXT: ptx, 0 bytes: refused (ptx): its blocks declare 131072 bytes
// CHECK-LABEL: candidate variant=jumps<1> (offered by the source): kept
// CHECK-NEXT: sm_80, {{[1-9][0-9]*}} bytes: kept
// CHECK-NEXT: sm_90, {{[1-9][0-9]*}} bytes: kept
// CHECK-NEXT: cpu, 0 bytes: refused (cpu): it holds inline PTX assembly that the CPU target does not know
// CHECK-NEXT: ptx, {{[1-9][0-9]*}} bytes: kept
// CHECK-LABEL: candidate variant=k<2> (offered by the source): kept
// CHECK-NEXT: sm_90, {{[1-9][0-9]*}} bytes: kept
// CHECK-NEXT: candidate
// CHECK: candidate variant=wide<1>,{{.*}} (offered by the source): kept

// Asked for by itself where no target of the build offers it, it is an error.
// RUN: not %regrain cc -O3 --targets=sm_80 --nvcc=none --coarsen='*:variant=k<2>' -c -o %t.none %s 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: the source offers the kernel only as wide<1>, wide<8>, jumps<1>

// The rules of all architectures are the same.
// RUN: not %regrain cc --targets=sm_80,sm_90 --alternatives=1 -DDIFFER -c -o %t.differ %s 2>&1 | FileCheck %s --check-prefix=DIFFER
// DIFFER: variants.cu:{{[0-9]+}}: variant 'k<3>' has different rules or distances for different architectures
#include <regrain/variants.h>
template <int N> __global__ void k(float *a, int n) { a[blockIdx.x * blockDim.x + threadIdx.x] = n * N; }
template <int N> __global__ void wide(float *a, int n) {
  __shared__ float big[N * 4096];
  big[threadIdx.x] = n;
  __syncthreads();
  a[blockIdx.x * blockDim.x + threadIdx.x] = big[blockDim.x - 1 - threadIdx.x];
}
template <int N> __global__ void jumps(float *a, int n) {
  int x = n;
  asm volatile("{ .reg .pred p; setp.gt.s32 p, %1, 3; @p bra DONE_%=; vmad.u32.u32.u32 %0, %1, %1, %1; DONE_%=: }" : "+r"(x) : "r"(n));
  a[blockIdx.x * blockDim.x + threadIdx.x] = x;
}
constexpr regrain::launch same(regrain::launch given, float *, int) { return given; }
REGRAIN_VARIANT(k<1>, wide<1>, same);
REGRAIN_VARIANT(k<1>, wide<8>, same);
REGRAIN_VARIANT(k<1>, jumps<1>, same);
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 890
REGRAIN_VARIANT(k<1>, k<2>, same);
#endif
#ifdef DIFFER
constexpr regrain::launch other(regrain::launch given, float *, int) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 890
  given.grid.x *= 2;
#endif
  return given;
}
REGRAIN_VARIANT(k<1>, k<3>, other);
#endif
void run() { k<1><<<1, 32>>>(nullptr, 1); }
