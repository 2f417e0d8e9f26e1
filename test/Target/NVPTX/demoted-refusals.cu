// A source can use shared memory in these ways, in which global memory would behave differently.
// RUN: %regrain cc -O3 --targets=compute_90 --coarsen='*:shared=global' -c -o %t.o %s 2>&1 | FileCheck %s

// CHECK: kernel 'question{{.*}}the kernel tests to which kind of memory a pointer points
__global__ void question(int *out, int *other) {
  __shared__ int tile[64];
  tile[threadIdx.x] = threadIdx.x;
  int *pointer = other[0] ? other : tile;
  __syncthreads();
  out[threadIdx.x] = __isShared(pointer) ? pointer[63 - threadIdx.x] : 0;
}

// CHECK: kernel 'number{{.*}}the kernel converts a generic pointer to a pointer to shared memory
__global__ void number(unsigned *out) {
  __shared__ int tile[64];
  tile[threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = unsigned(__cvta_generic_to_shared(&tile[threadIdx.x])) + tile[63 - threadIdx.x];
}

// CHECK: kernel 'barrier{{.*}}an instruction of the kernel can access only shared memory
__global__ void barrier(int *out) {
  __shared__ long state;
  __shared__ int tile[64];
  if (threadIdx.x == 0)
    __nvvm_mbarrier_init(&state, 64);
  tile[threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = tile[63 - threadIdx.x];
}

// CHECK: kernel 'assembly{{.*}}inline assembly may be given an address of shared memory
__global__ void assembly(int *out) {
  __shared__ int tile[64];
  tile[threadIdx.x] = threadIdx.x;
  __syncthreads();
  asm volatile("prefetch.L1 [%0];" ::"l"(out));
  out[threadIdx.x] = tile[63 - threadIdx.x];
}

// CHECK: kernel 'called{{.*}}a function that is not inlined may be given an address of shared memory
__device__ int length(int *list) { return list[0] < 0 ? 0 : 1 + length(list + list[0]); }
__global__ void called(int *out) {
  __shared__ int tile[64];
  tile[threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = length(tile + 63 - threadIdx.x);
}
