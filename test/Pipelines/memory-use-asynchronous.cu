// Asynchronous copies read where their pointers come from, and write the memory of the block. Products of a warpgroup
// read that memory alone, whatever their descriptors say, so launches can be repeated on copies of what their arguments
// reach. Assembly that does more may access memory anywhere.
//
// RUN: %regrain cc -w --targets=compute_90a --alternatives=1 -c %s -o %t.o 2> /dev/null
// RUN: %regrain inspect --json %t.o > %t.json
// RUN: %python %S/Inputs/stores.py %t.json | FileCheck %s --match-full-lines
// Nothing grows beyond a kernel with products, whose four warps run them together.
// RUN: %regrain cc -w --targets=compute_90a --coarsen='multiplies:thread.x=2' -c %s -o %t.o 2>&1 | FileCheck --check-prefix=GRAIN %s
// GRAIN: kernel 'multiplies{{.*}}may synchronise threads in an unknown way

#include <cuda_pipeline_primitives.h>

// CHECK: copies: 0:other stays
__global__ void copies(int *out, const int *in, int n) {
  __shared__ int tile[64];
  __pipeline_memcpy_async(tile + threadIdx.x, in + n + threadIdx.x, 4);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  out[threadIdx.x] = tile[threadIdx.x];
}
// The address is read from memory.
// CHECK-NEXT: copiesRows: 0:other
__global__ void copiesRows(int *out, const int *const *rows) {
  __shared__ int tile[64];
  __pipeline_memcpy_async(tile + threadIdx.x, rows[blockIdx.x] + threadIdx.x, 4);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  out[threadIdx.x] = tile[threadIdx.x];
}
__device__ void copy(unsigned to, const int *from) {
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(to), "l"(from) : "memory");
}
// CHECK-NEXT: copiesByAssembly: 0:other stays
__global__ void copiesByAssembly(int *out, const int *in) {
  __shared__ int tile[64];
  copy((unsigned)__cvta_generic_to_shared(tile + threadIdx.x), in + threadIdx.x);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  out[threadIdx.x] = tile[threadIdx.x];
}
// CHECK-NEXT: copiesRowsByAssembly: 0:other
__global__ void copiesRowsByAssembly(int *out, const int *const *rows) {
  __shared__ int tile[64];
  copy((unsigned)__cvta_generic_to_shared(tile + threadIdx.x), rows[blockIdx.x]);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  out[threadIdx.x] = tile[threadIdx.x];
}
// The address is a number.
// CHECK-NEXT: copiesFromANumber: 0:other
__global__ void copiesFromANumber(int *out, unsigned long long from) {
  __shared__ int tile[64];
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"((unsigned)__cvta_generic_to_shared(tile)), "l"(from) : "memory");
  __pipeline_commit();
  __pipeline_wait_prior(0);
  out[threadIdx.x] = tile[threadIdx.x];
}

__device__ void multiply(float (&sums)[4], unsigned long long left, unsigned long long right) {
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
  asm volatile("wgmma.mma_async.sync.aligned.m64n8k32.f32.e4m3.e4m3 {%0, %1, %2, %3}, %4, %5, 1, 1, 1;"
               : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3]) : "l"(left), "l"(right));
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
  asm volatile("wgmma.wait_group.sync.aligned 0;" : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3]) :: "memory");
}
// CHECK-NEXT: multiplies: 0:float stays
__global__ void multiplies(float *out, unsigned long long left) {
  float sums[4] = {};
  multiply(sums, left, left + 64);
  out[threadIdx.x] = sums[0] + sums[3];
}
// A fence hands its register on, whose bits may be those of an integer.
// CHECK-NEXT: handsOn: 0:other stays
__global__ void handsOn(float *out, const float *in) {
  float value = in[threadIdx.x];
  asm volatile("wgmma.fence.sync.aligned;" : "+f"(value) :: "memory");
  out[threadIdx.x] = value;
}
// CHECK-NEXT: multipliesAndStores: 0:float elsewhere:other
__global__ void multipliesAndStores(float *out, unsigned long long left) {
  float sums[4] = {};
  multiply(sums, left, left + 64);
  asm volatile("wgmma.fence.sync.aligned; st.global.f32 [%0], %1;" ::"l"(left), "f"(sums[1]) : "memory");
  out[threadIdx.x] = sums[0] + sums[3];
}
