// RUN: %regrain-nvcc --targets=cpu '--coarsen=*:fuse.x=2' '--coarsen=*:thread.x=2,fuse.x=2' %s -o %t.exe
// RUN: env REGRAIN_ALTERNATIVE='*:original' %t.exe > %t.original
// RUN: env REGRAIN_ALTERNATIVE='*:fuse.x=2' REGRAIN_VERBOSE=1 %t.exe > %t.fused 2> %t.log
// RUN: diff %t.original %t.fused
// RUN: env REGRAIN_ALTERNATIVE='*:thread.x=2,fuse.x=2' REGRAIN_VERBOSE=1 %t.exe > %t.both 2>> %t.log
// RUN: diff %t.original %t.both
// RUN: FileCheck %s < %t.original
// RUN: FileCheck %s --check-prefix=RAN < %t.log
// The value that a switch decides on is an index in grain IR. It is computed once, by the
// blocks that exist at the end of the grid, and crosses the edges after that condition.
// CHECK: sum 390{{$}}
// RAN: choose{{.*}}: fuse.x=2 (asked for
// RAN: choose{{.*}}: thread.x=2,fuse.x=2 (asked for
#include <cstdio>
#include <cuda_runtime.h>

__global__ void choose(unsigned *out, const unsigned *__restrict__ kinds) {
  __shared__ unsigned last[32], next[32];
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  last[threadIdx.x] = i;
  next[threadIdx.x] = 1;
  unsigned kind = kinds[i];
  __syncthreads();
  for (unsigned round = 0; round < 4; round += 2) {
    switch (kind % 3) {
    case 0: out[i] = last[31 - threadIdx.x]; break;
    case 1: next[threadIdx.x] += round + 7; break;
    }
    __syncthreads();
  }
  out[i] += next[31 - threadIdx.x];
}

int main() {
  constexpr unsigned count = 3 * 32;
  unsigned *out, *kinds;
  cudaMallocManaged(&out, count * sizeof *out);
  cudaMallocManaged(&kinds, count * sizeof *kinds);
  for (unsigned i = 0; i < count; ++i) {
    out[i] = 0;
    kinds[i] = i * 5;
  }
  choose<<<3, 32>>>(out, kinds);
  if (cudaDeviceSynchronize() != cudaSuccess)
    return 1;
  unsigned sum = 0;
  for (unsigned i = 0; i < count; ++i)
    sum = sum * 3 + out[i];
  printf("sum %u\n", sum % 10007);
}
