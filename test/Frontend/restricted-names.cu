// nvcc ignores __restrict__ at the name of a type that is no pointer.
// RUN: %regrain cc --emit=llvm --targets=cpu %s -o - | FileCheck %s
// RUN: not %regrain cc -DKEYWORD -fsyntax-only %s 2>&1 | FileCheck %s --check-prefix=KEYWORD
// RUN: not %regrain cc -DVALUE -fsyntax-only %s 2>&1 | FileCheck %s --check-prefix=VALUE
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
#ifdef KEYWORD
// KEYWORD: restricted-names.cu:[[@LINE+1]]:{{.*}}error: restrict requires a pointer or reference
__device__ unsigned fourth(const __restrict__ unsigned *a) { return *a; }
#endif
#ifdef VALUE
// VALUE: restricted-names.cu:[[@LINE+1]]:{{.*}}error: restrict requires a pointer or reference
__device__ unsigned fifth(const __restrict__ uint32_t a) { return a; }
#endif
