// nvcc ignores __restrict__ at what is no pointer.
// RUN: %regrain cc --emit=llvm --targets=cpu %s -o - | FileCheck %s
// RUN: not %regrain cc -DPOINTEE -fsyntax-only %s 2>&1 | FileCheck %s --check-prefix=POINTEE
#include <cstdint>

typedef float *Pointer;

// CHECK-NOT: noalias
// CHECK: define {{.*}} @_Z6kernelPjPKjPf({{.*}}noalias{{.*}}noalias
__device__ uint32_t first(const __restrict__ uint32_t *a) { return *a; }
__device__ uint32_t second(__restrict const std::uint32_t &a) { return a; }
__device__ float third(float4 const __restrict__ *a) { return a->x; }

// Behind the pointer, the word keeps its meaning.
__global__ void kernel(uint32_t *const __restrict__ a, const uint32_t *__restrict__ b, Pointer p) {
  *a = first(b) + second(*b) + uint32_t(third(reinterpret_cast<float4 *>(p)));
}

// Nor does it have a meaning at values and arrays of them.
template <int N>
__device__ void fill(uint32_t __restrict__ rows[][4], uint32_t __restrict__ value) {
  uint32_t __restrict__ local = value + N;
  rows[0][N] = local;
}
__global__ void filled(uint32_t *out) {
  uint32_t rows[2][4];
  fill<1>(rows, out[0]);
  out[1] = rows[0][1];
}
#ifdef POINTEE
// POINTEE: restricted-names.cu:[[@LINE+1]]:{{.*}}error: pointer to function type
__device__ void sixth(void (*__restrict__ function)()) { function(); }
#endif
