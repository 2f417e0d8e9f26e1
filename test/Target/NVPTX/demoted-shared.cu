// shared=global takes no shared memory: the array is behind a parameter, at 512 bytes for each launched block.
// RUN: %regrain cc -O3 --targets=ptx --coarsen='*:shared=global' --emit=ptx %s | FileCheck %s
// RUN: %regrain cc -O3 --targets=ptx --coarsen='*:block.x=2,shared=global' --emit=ptx %s | FileCheck %s --check-prefix=BLOCKS

__global__ void reverse(const int *data, int *out, short add) {
  __shared__ int tile[100];
  tile[threadIdx.x] = data[blockIdx.x * 100 + threadIdx.x];
  __syncthreads();
  out[blockIdx.x * 100 + threadIdx.x] = tile[99 - threadIdx.x] + add;
}

// CHECK: .entry _Z7reversePKiPis__grain_sharedglobal(
// CHECK-NEXT: .param .u64
// CHECK-NEXT: .param .u64
// CHECK-NEXT: .param .u16
// CHECK-NEXT: .param .u64 {{.*}}_param_3
// CHECK-NOT: .shared
// CHECK: %nctaid.y
// CHECK: {{mul|mad|shl}}{{.*}}, {{512|9}}
// CHECK: st.global.u32
// CHECK: bar.sync
// CHECK: ld.global.u32
// BLOCKS: .param .u64 {{.*}}_param_3
// BLOCKS-NEXT: .param .u32
// BLOCKS-NOT: .shared
// BLOCKS: {{mul|mad|shl}}{{.*}}, {{1024|10}}
