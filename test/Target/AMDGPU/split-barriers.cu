// Warps of one wave are at barriers of two branches, which is refused if a wave contains two warps.
//
// REQUIRES: rocm-device-libs
// RUN: not %regrain cc --targets=gfx90a,gfx1100 -c %s -o %t.o 2>&1 | FileCheck %s
// CHECK-NOT: error:

// CHECK: {{.*}}split-barriers.cu:[[@LINE+1]]:1: error: gfx90a: no code for kernel 'parted(int*)': threads of one wave may wait at different barriers at the same time, and on this GPU a wave arrives at a barrier as a whole ({{.*}}split-barriers.cu:[[@LINE+4]])
__global__ void parted(int *p) {
  __shared__ int tile[64];
  if (threadIdx.x < 32) {
    __syncthreads();
    p[threadIdx.x] = tile[threadIdx.x + 32];
  } else {
    tile[threadIdx.x] = p[threadIdx.x];
    __syncthreads();
  }
}
// What a thread reads at its own address may differ from what others read, even if CUDA's guide forbids it.
// CHECK: {{.*}}split-barriers.cu:[[@LINE+1]]:1: error: gfx90a: no code for kernel 'read(int*, int const*)': threads of one wave may wait at different barriers at the same time, and on this GPU a wave arrives at a barrier as a whole
__global__ void read(int *p, const int *flag) {
  __shared__ int tile[64];
  if (flag[threadIdx.x]) {
    tile[threadIdx.x] = p[threadIdx.x];
    __syncthreads();
    p[threadIdx.x] = tile[63 - threadIdx.x];
  } else {
    tile[threadIdx.x] = 2 * p[threadIdx.x];
    __syncthreads();
    p[threadIdx.x] = tile[(threadIdx.x + 1) % 64];
  }
}

// So may the result of an atomic, and a value selected on different paths.
// CHECK: {{.*}}split-barriers.cu:[[@LINE+1]]:1: error: gfx90a: no code for kernel 'drawn(int*, int*)': threads of one wave may wait at different barriers at the same time, and on this GPU a wave arrives at a barrier as a whole
__global__ void drawn(int *p, int *counter) {
  __shared__ int tile[64];
  int role = 0;
  if (threadIdx.x < 32 && p[0] != 3)
    role = atomicAdd(counter, 0);
  if (role) {
    tile[threadIdx.x] = p[threadIdx.x];
    __syncthreads();
    p[threadIdx.x] = tile[63 - threadIdx.x];
  } else {
    tile[threadIdx.x] = 2 * p[threadIdx.x];
    __syncthreads();
    p[threadIdx.x] = tile[(threadIdx.x + 1) % 64];
  }
}
// CHECK-NOT: error: {{.*}}.cu:

// The condition is the same for all threads: it is read at one address, passed, or counted by the block.
__global__ void oneSide(int *p, const int *flag) {
  __shared__ int tile[64];
  if (flag[blockIdx.x]) {
    tile[threadIdx.x] = p[threadIdx.x];
    __syncthreads();
    p[threadIdx.x] = tile[63 - threadIdx.x];
  } else {
    tile[threadIdx.x] = 2 * p[threadIdx.x];
    __syncthreads();
    p[threadIdx.x] = tile[(threadIdx.x + 1) % 64];
  }
}

struct Options {
  int flag, weights[8];
};
__global__ void passed(int *p, Options options) {
  __shared__ int tile[64];
  if (options.flag) {
    tile[threadIdx.x] = p[threadIdx.x] * options.weights[p[0] & 7];
    __syncthreads();
    p[threadIdx.x] = tile[63 - threadIdx.x];
  } else {
    tile[threadIdx.x] = 2 * p[threadIdx.x];
    __syncthreads();
    p[threadIdx.x] = tile[(threadIdx.x + 1) % 64];
  }
}

__global__ void counted(int *p) {
  __shared__ int tile[64];
  if (__syncthreads_or(p[threadIdx.x] < 0)) {
    tile[threadIdx.x] = p[threadIdx.x];
    __syncthreads();
    p[threadIdx.x] = tile[63 - threadIdx.x];
  } else {
    tile[threadIdx.x] = 2 * p[threadIdx.x];
    __syncthreads();
    p[threadIdx.x] = tile[(threadIdx.x + 1) % 64];
  }
}

// Threads that have ended do not count.
__global__ void ended(int *p, int n) {
  __shared__ int tile[64];
  if (threadIdx.x >= n)
    return;
  tile[threadIdx.x] = p[threadIdx.x];
  __syncthreads();
  p[threadIdx.x] = tile[n - 1 - threadIdx.x];
}
// CHECK: error: 3 kernels have no code for a target that was named
