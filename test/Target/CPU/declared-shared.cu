// A kernel may declare 48 KiB of shared memory on the CPU, as on every GPU of NVIDIA's; a grain of it may have more.
// RUN: not %regrain cc --targets=cpu -c %s -o %t.o 2>&1 | FileCheck %s --implicit-check-not=error:
// RUN: not %regrain cc --targets=cpu -G -fsanitize=address -DMOST -c %s -o %t.o 2>&1 | FileCheck %s --implicit-check-not=error:
// RUN: %regrain cc --targets=cpu -DMOST -DKEPT --coarsen='*:fuse.x=2' -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=NONE --allow-empty
// RUN: %regrain inspect %t.o | FileCheck %s --check-prefix=BUILT
// NONE-NOT: error
// BUILT: most(float*)
// BUILT: original {{.*}} 49152
// BUILT: fuse.x=2 {{.*}} 98304

#ifndef KEPT
// CHECK: {{.*}}declared-shared.cu:[[@LINE+1]]:1: error: cpu: no code for kernel 'large(float*)': its blocks declare 49156 bytes of shared memory, and no more than 49152 can be declared
__global__ void large(float *p) {
  __shared__ float tile[12289];
  tile[threadIdx.x] = p[threadIdx.x];
  __syncthreads();
  p[threadIdx.x] = tile[threadIdx.x + 1];
}

__device__ __noinline__ float *scratch() {
  __shared__ float tile[8192];
  return tile;
}

// CHECK: {{.*}}declared-shared.cu:[[@LINE+1]]:1: error: cpu: no code for kernel 'called(float*)': its blocks declare 65536 bytes
__global__ void called(float *p) {
  __shared__ float tile[8192];
  tile[threadIdx.x] = scratch()[threadIdx.x] = p[threadIdx.x];
  __syncthreads();
  p[threadIdx.x] = tile[threadIdx.x + 1] + scratch()[threadIdx.x + 1];
}
// CHECK: error: 2 kernels have no code
#endif

#ifdef MOST
__global__ void most(float *p) {
  __shared__ float tile[12288];
  tile[threadIdx.x] = p[threadIdx.x];
  __syncthreads();
  p[threadIdx.x] = tile[threadIdx.x + 1];
}
#endif

// GPUs have no memory for what is only stored.
__global__ void unread(float *p) {
  __shared__ float tile[100000];
  tile[threadIdx.x] = p[threadIdx.x];
}

__global__ void dynamic(float *p) {
  extern __shared__ float tile[];
  __shared__ float own[12288];
  own[threadIdx.x] = tile[threadIdx.x] = p[threadIdx.x];
  __syncthreads();
  p[threadIdx.x] = tile[threadIdx.x + 1] + own[threadIdx.x + 1];
}
