// nvcc takes lists in braces as arguments of launches.
// RUN: %regrain cc --targets=cpu %s -o %t && %t | FileCheck %s --check-prefix=RAN
// RUN: not %regrain cc -DANGLE -fsyntax-only %s 2>&1 | FileCheck %s --check-prefix=ANGLE
// RUN: %regrain cc -DSIZE -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=SIZE
// RUN: not %regrain cc -DWRONG -fsyntax-only %s 2>&1 | FileCheck %s --check-prefix=WRONG
#include "Inputs/braced-launches.h"
#include <cstdio>

__global__ void add(int *sum, int value) { atomicAdd(sum, value); }
template <int N> __global__ void addN(int *sum) { atomicAdd(sum, N); }
template <int X> struct Extents {
  operator dim3() const { return dim3(X); }
};

// The program's own names do not stand for CUDA's types.
namespace own {
struct dim3 {
  int x;
  operator ::dim3() const { return ::dim3(x * 2); }
};
void launch(int *sum) { add<<<{1}, {4}>>>(sum, 1); }
} // namespace own

#define ADD(sum, ...) add<<<{1}, {32}>>>(sum, __VA_ARGS__)

int main() {
  int *sum;
  cudaMallocManaged(&sum, sizeof(int));
  *sum = 0;
  int n = 2;
  cudaStream_t stream = 0;
  add<<<{1}, {4}>>>(sum, 1);                               // 4
  add<<<{1, 2, 3}, dim3{2, 1, 1}, 0, 0>>>(sum, 10);        // 120
  add<<< { n }, {n, n,} >>>(sum, 100); add<<<{}, {}, {}, {}>>>(sum, 1000); // 800, 1000
  addN<3><<<{/* one */ 1u}, 1, {sizeof(int) * 2}, {stream}>>>(sum);        // 3
  add<<<[&] { return dim3{2}; }(), dim3(1)>>>(sum, 10000); // 20000
  add<<<Extents<2>{}, 1>>>(sum, 100000);                   // 200000
  ADD(sum, 1000000);                                       // 32000000
  addInHeader(sum);                                        // 100000000
  own::launch(sum);                                        // 4
  cudaDeviceSynchronize();
  // RAN: sum 132221931, add<<<{1}, {4}>>>
  printf("sum %d, add<<<{1}, {4}>>>\n", *sum);
#ifdef ANGLE
  // Which parameter is behind this comma is not known.
  // ANGLE: braced-launches.cu:[[@LINE+1]]:{{.*}}error: expected expression
  add<<<Extents<2>{}, {1}>>>(sum, 1);
#endif
#ifdef SIZE
  // SIZE: braced-launches.cu:[[@LINE+1]]:{{.*}}warning: {{.*}}cannot be narrowed from type 'int'
  add<<<1, 1, {n}>>>(sum, 1);
#endif
#ifdef WRONG
  add<<<{1}, {1}>>>(sum, 1);
  // Lines stay where they are.
  // WRONG: braced-launches.cu:[[@LINE+1]]:{{.*}}error: use of undeclared identifier 'unknown'
  add<<<{1}, {1}>>>(sum, unknown);
#endif
}
