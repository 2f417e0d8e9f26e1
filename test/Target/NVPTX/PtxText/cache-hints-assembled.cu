// The vendor's assembler takes every form.
// REQUIRES: ptxas
// RUN: %regrain cc -O3 --targets=sm_75,sm_80,sm_90,sm_100 -c -o %t.o %s --coarsen='*:loads=streaming,stores=nontemporal' --coarsen='*:loads=evict-first,prefetch=64' --coarsen='*:loads=no-allocate,prefetch=128' --coarsen='*:loads=readonly,prefetch=64'
// RUN: %regrain inspect %t.o | FileCheck %s --implicit-check-not="refused loads"
// RUN: %regrain cc -O3 --targets=sm_80,sm_90,sm_100 -c -o %t.o %s --coarsen='*:block.x=2,loads=evict-first,prefetch=256,stores=nontemporal'
// RUN: %regrain inspect %t.o | FileCheck %s --check-prefix=LARGE --implicit-check-not="refused loads"

template <class T> __device__ void sum(T *out, const T *a, const T *b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = a[i] + b[i];
}
// CHECK-COUNT-16: sm_{{[0-9]+ .*}}loads=
// LARGE-COUNT-3: sm_{{[0-9]+ .*}}loads=evict-first
__global__ void floats(float *__restrict__ out, const float *__restrict__ a, const float *__restrict__ b) {
  sum(out, a, b);
}
