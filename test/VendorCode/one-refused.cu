// A kernel of nvcc's that ptxas does not take leaves the others of its file alone.
// REQUIRES: ptxas, nvcc
// RUN: %regrain cc -O3 --targets=sm_90 --coarsen='*:compiler=nvcc' -c -o %t.o %s 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: %regrain inspect %t.o | FileCheck %s
// RUN: %regrain cc -O3 --targets=sm_90 --coarsen='*:compiler=nvcc' -DALL -c -o %t.o %s 2>&1 | FileCheck %s --check-prefix=ALL

__device__ int counter;
__global__ void first(int *out) { out[threadIdx.x] = atomicAdd(&counter, 1); }

// Only nvcc sees more shared memory than a block may have.
__device__ __forceinline__ float large(float x) {
#ifndef __clang__
  __shared__ float first[12288], second[12288];
  first[threadIdx.x] = second[threadIdx.x + 1] = x;
  __syncthreads();
  x = first[threadIdx.x + 1] + second[threadIdx.x];
#endif
  return x;
}
__global__ void refused(float *out) { out[threadIdx.x] = large(counter); }

__global__ void last(float *out) {
#if !defined(__clang__) && defined(ALL)
  out[1] = large(out[0]);
#endif
  out[threadIdx.x] = sinf(out[threadIdx.x]);
}

#ifdef ALL
__global__ void also(float *out) { out[threadIdx.x] = large(2 * counter); }
#endif

int main() {}

// REMARK-NOT: 'first(int*)' is built without
// REMARK: 'refused(float*)' is built without compiler=nvcc: ptxas does not take nvcc's code with Regrain's: {{.*}}too much shared data
// REMARK-NOT: 'last(float*)' is built without
// CHECK: first(int*)
// CHECK: sm_90 {{ *}}compiler=nvcc {{.*}}chosen
// CHECK: refused(float*)
// CHECK-NEXT: target
// CHECK-NEXT: sm_90 {{ *}}original
// CHECK: last(float*)
// CHECK: sm_90 {{ *}}compiler=nvcc {{.*}}chosen
// ALL-NOT: 'first(int*)' is built without
// ALL-DAG: 'refused(float*)' is built without compiler=nvcc
// ALL-DAG: 'last(float*)' is built without compiler=nvcc
// ALL-DAG: 'also(float*)' is built without compiler=nvcc
