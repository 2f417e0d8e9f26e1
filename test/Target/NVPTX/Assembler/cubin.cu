// REQUIRES: ptxas
// RUN: %regrain cc --targets=sm_90 -c %s -o %t.o
// RUN: %regrain inspect %t.o | FileCheck %s
// RUN: %regrain cc --targets=sm_90 --emit=cubin %s -o %t.cubin
// RUN: llvm-readelf -h %t.cubin | FileCheck %s --check-prefix=ELF

// Shared memory is as declared; the occupancy is for the launch bounds.
// CHECK: fill(float*){{.*}}launch bounds 128
// CHECK: sm_90{{ +}}original{{ +}}{{[1-9][0-9]*}}{{ +}}0/0{{ +}}0{{ +}}512{{ +}}{{[1-9][0-9]*}}{{ +}}100%@128
// ELF: NVIDIA CUDA architecture
__global__ void __launch_bounds__(128) fill(float *v) {
  __shared__ float tile[128];
  tile[threadIdx.x] = v[threadIdx.x];
  __syncthreads();
  v[threadIdx.x] = tile[127 - threadIdx.x];
}
