// Functions that call each other at several places are inlined up to a size. Inlined everywhere, the
// first one would have more than 10^9 copies.
// RUN: timeout 300 %regrain cc --targets=cpu --alternatives=2 -c -o %t.o %s 2>&1 | FileCheck %s --allow-empty
// RUN: timeout 300 %regrain explain %s | FileCheck %s --check-prefix=REASON
//
// CHECK-NOT: error
// REASON: walk(unsigned int*)
// REASON: which is too large for a copy at each call and uses thread coordinates, shared memory or synchronisation
template <int level> __device__ unsigned step(unsigned x) {
  if constexpr (level == 0)
    return x + threadIdx.x;
  else if (x % 3 == 0)
    return step<level - 1>(x / 3 + level);
  else if (x % 3 == 1)
    return step<level - 1>(x * 2 - level) ^ level;
  else
    return step<level - 1>(x + 7) * 3;
}
__global__ void walk(unsigned *values) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  values[i] = step<20>(values[i]);
}
