// REQUIRES: ptxas
// ptxas assembles originals and grains for a debugger, and with lines alone.
// RUN: %regrain cc -g -G --targets=sm_90 --emit=cubin -o %t.full %s 2>&1 | count 0
// RUN: %regrain cc -g -G --targets=sm_90 --coarsen='*:block.x=2' --coarsen='*:thread.x=2' -c -o %t.o %s 2>&1 | count 0
// RUN: %regrain inspect %t.o | FileCheck %s --check-prefix=BUILT
// RUN: %regrain cc -lineinfo --targets=sm_90 --emit=cubin -o %t.lines %s 2>&1 | count 0
// RUN: %regrain cc -lineinfo --targets=sm_90 --coarsen='*:block.x=2' --coarsen='*:thread.x=2' -c -o %t.o %s 2>&1 | count 0
// RUN: %regrain inspect %t.o | FileCheck %s --check-prefix=BUILT
// RUN: llvm-readelf -S %t.full | FileCheck %s --check-prefix=FULL
// RUN: llvm-readelf -S %t.lines | FileCheck %s --check-prefix=LINES
//
// BUILT: sm_90 block.x=2 {{.*}}%@
// BUILT: sm_90 thread.x=2 {{.*}}%@
// FULL-DAG: .debug_info
// FULL-DAG: .debug_line
// LINES-NOT: .debug_info
// LINES: .debug_line
// LINES-NOT: .debug_info
template <typename T> __device__ T scaled(T value, int i) {
  T product = value * i;
  return product;
}
__global__ void scale(float *data) {
  __shared__ float tile[128];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  tile[threadIdx.x] = data[i];
  __syncthreads();
  float neighbour = tile[(threadIdx.x + 1) % blockDim.x];
  data[i] = scaled(neighbour, i);
}
