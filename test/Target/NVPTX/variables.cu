// The base module owns the variables; an alternative loads their addresses.
// RUN: %regrain cc --emit=ptx --coarsen='*:block.x=2' %s -o %t.ptx
// RUN: FileCheck %s --input-file=%t.ptx

__device__ int counter;
static __device__ int table[4];
__constant__ int weights[4];

// CHECK-DAG: .visible .global {{.*}} counter
// CHECK-DAG: .visible .const {{.*}} weights
// CHECK-DAG: .visible .global {{.*}} table
// CHECK: .visible .entry _Z5countPii(

// CHECK-DAG: .visible .const .align 8 .u64 __regrain_address_of_counter
// CHECK-DAG: .visible .const .align 8 .u64 __regrain_address_of_weights
// CHECK-DAG: .visible .const .align 8 .u64 __regrain_address_of_table
// CHECK: .visible .entry _Z5countPii__grain_block_x2(
// CHECK: ld.const.u64 {{.*}}[__regrain_address_of_
// CHECK: ld.global.nc.u32
__global__ void count(int *v, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    table[i & 3] = v[i] * weights[i & 3];
  atomicAdd(&counter, 1);
}
