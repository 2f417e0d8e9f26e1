// REQUIRES: ptxas
// A grain whose blocks declare more than 48 KiB of shared memory is refused; the others are kept.
// RUN: %regrain cc --targets=cpu,sm_90 --alternatives=4 -Rpass-missed=regrain -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: %regrain inspect %t.o | FileCheck %s --check-prefix=IMAGE
// RUN: %regrain cc --targets=ptx --coarsen='*:block.x=4' -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=PTX

// CHECK: kernel 'reverse(float*)' keeps its original instead of block.x=4: its blocks declare 65536 bytes of shared memory, and no more than 49152 can be declared
// CHECK-NOT: error
// PTX: instead of block.x=4: its blocks declare 65536 bytes
// IMAGE-DAG: sm_90 block.x=3
// IMAGE-DAG: cpu {{[a-z0-9-]+}} block.x=4
__global__ void reverse(float *v) {
  __shared__ float tile[4096];
  for (int i = threadIdx.x; i < 4096; i += blockDim.x)
    tile[i] = v[blockIdx.x * 4096 + i];
  __syncthreads();
  for (int i = threadIdx.x; i < 4096; i += blockDim.x)
    v[blockIdx.x * 4096 + i] = tile[4095 - i];
}
