// The code of the vendor's compiler is offered with the registers at which one more of its blocks is resident as well.
// REQUIRES: ptxas, nvcc
// RUN: %regrain cc -O3 --targets=sm_90 --alternatives=1 -c %s -o %t.o
// RUN: %regrain inspect %t.o | FileCheck %s

#include "../Target/AMDGPU/Inputs/sums.h"

__device__ int calls;

// Four blocks of 256 threads take at most 64 registers. The variable is the program's.
// CHECK-LABEL: free(float*, float const*, int)
// CHECK-DAG: sm_90 {{ *}}compiler=nvcc {{ *}}{{[0-9]+}} {{.*}}37%@256
// CHECK-DAG: sm_90 {{ *}}registers=64,compiler=nvcc {{ *}}64 {{.*}}50%@256
__global__ void free(float *out, const float *in, int n) {
  addUp<60>(out, in, n);
  ++calls;
}

// The blocks that launch bounds promise are not what a bound of registers says, and all threads are resident.
// CHECK-LABEL: bounded(float*, float const*, int)
// CHECK-NOT: registers={{[0-9]+}},compiler=nvcc
__global__ __launch_bounds__(256) void bounded(float *out, const float *in, int n) { addUp<60>(out, in, n); }
__global__ void small(float *out, const float *in, int n) { out[threadIdx.x] = in[n]; }
