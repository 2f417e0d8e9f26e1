// This tests which grains each construct of docs/constructs.md refuses, and
// why; grains that are not named are accepted.
//
// RUN: %regrain cc --targets=ptx --emit=grain --coarsen='*:block.x=2' --coarsen='*:thread.x=2' \
// RUN:   --coarsen='*:thread.x=2:contiguous' --coarsen='*:fuse.x=2' --coarsen='*:shape=32' %s \
// RUN:   -o %t 2> %t.remarks
// RUN: FileCheck %s --implicit-check-not=remark < %t.remarks
#include <cooperative_groups.h>

__device__ int mirror() { return blockDim.x - 1 - threadIdx.x; }

// CHECK-DAG: remark: kernel 'recursiveBarrier(int*)' is built without {{.*}}block.x=2, thread.x=2, thread.x=2:contiguous, fuse.x=2, shape=32{{.*}}: it calls 'rotate(int, int*)', which is recursive and uses thread coordinates
__device__ int rotate(int depth, int *shared) {
  if (depth == 0)
    return shared[mirror()];
  __syncthreads();
  return rotate(depth - 1, shared) + 1;
}
__global__ void recursiveBarrier(int *out) {
  __shared__ int shared[64];
  shared[threadIdx.x] = threadIdx.x;
  out[threadIdx.x] = rotate(3, shared);
}

// CHECK-DAG: remark: kernel 'pointerCall(int*, int (*)(int))' is built without {{.*}}block.x=2, thread.x=2, thread.x=2:contiguous, fuse.x=2, shape=32{{.*}}: it calls a virtual function or a function through a pointer
__global__ void pointerCall(int *out, int (*function)(int)) { out[threadIdx.x] = function(1); }

// CHECK-DAG: remark: kernel 'namedBarrier(int*)' is built without block.x=2, thread.x=2, thread.x=2:contiguous, fuse.x=2, shape=32x1x1: an operation may synchronise threads in an unknown way
__global__ void namedBarrier(int *out) {
  out[threadIdx.x] = 1;
  asm volatile("bar.sync 1, 64;" ::: "memory");
  out[mirror()] += 1;
}

// CHECK-DAG: remark: kernel 'warpNumber(unsigned int*)' is built without block.x=2, thread.x=2, thread.x=2:contiguous, fuse.x=2, shape=32x1x1: an operation may synchronise threads in an unknown way
__global__ void warpNumber(unsigned *out) {
  unsigned warp;
  asm("mov.u32 %0, %%warpid;" : "=r"(warp));
  out[threadIdx.x] = warp;
}

// CHECK-DAG: remark: kernel 'laneNumber(unsigned int*)' is built without shape=32x1x1: the lanes of a warp cooperate, so shape= cannot divide them among other warps
__global__ void laneNumber(unsigned *out) {
  unsigned lane;
  asm("mov.u32 %0, %%laneid;" : "=r"(lane));
  out[threadIdx.x] = lane;
}

// CHECK-DAG: remark: kernel 'tileOfEight(int*)' is built without thread.x=2:contiguous: a warp operation may leave out lanes, which joined threads cannot
// CHECK-DAG: remark: kernel 'tileOfEight(int*)' is built without shape=32x1x1: the lanes of a warp cooperate, so shape= cannot divide them among other warps
__global__ void tileOfEight(int *out) {
  auto tile = cooperative_groups::tiled_partition<8>(cooperative_groups::this_thread_block());
  out[threadIdx.x] = tile.shfl_down(int(threadIdx.x), 4);
}

// CHECK-DAG: remark: kernel 'volatileAccess(int volatile*)' is built without thread.x=2:contiguous: a warp operation needs the lanes of a warp to be neighbouring threads
// CHECK-DAG: remark: kernel 'volatileAccess(int volatile*)' is built without shape=32x1x1: the lanes of a warp cooperate, so shape= cannot divide them among other warps
__global__ void volatileAccess(volatile int *out) { out[threadIdx.x] = out[threadIdx.x] + 1; }

// CHECK-DAG: remark: kernel 'vote(int*)' is built without fuse.x=2: a barrier would combine the predicates of several blocks
// CHECK-DAG: remark: kernel 'vote(int*)' is built without shape=32x1x1: the threads of a block cooperate, so shape= cannot divide them among other blocks
__global__ void vote(int *out) { out[threadIdx.x] = __syncthreads_count(out[threadIdx.x]); }

// CHECK-DAG: remark: kernel 'switchAround(int*)' is built without fuse.x=2: a barrier is under a condition or in a loop that may differ between the fused blocks
// CHECK-DAG: remark: kernel 'switchAround(int*)' is built without shape=32x1x1: the threads of a block cooperate, so shape= cannot divide them among other blocks
__global__ void switchAround(int *out) {
  switch (blockIdx.x % 5) {
  case 0:
    __syncthreads();
    out[mirror()] += 1;
    break;
  case 1:
    out[threadIdx.x] = 3;
    break;
  case 2:
    out[threadIdx.x] = 4;
    __syncthreads();
    out[mirror()] += 7;
  }
}

// CHECK-DAG: remark: kernel 'ownEnd(int*)' is built without block.x=2, thread.x=2, thread.x=2:contiguous: a barrier is in a loop whose trip count may differ between the threads of a block
// CHECK-DAG: remark: kernel 'ownEnd(int*)' is built without fuse.x=2: a barrier is under a condition or in a loop that may differ between the fused blocks
// CHECK-DAG: remark: kernel 'ownEnd(int*)' is built without shape=32x1x1: the threads of a block cooperate, so shape= cannot divide them among other blocks
__global__ void ownEnd(int *out) {
  for (int i = 0; i < out[threadIdx.x + 64]; ++i) {
    out[threadIdx.x] += i;
    __syncthreads();
  }
}

// The last block adds up: no block waits, so that only barriers cause refusals.
// CHECK-DAG: remark: kernel 'lastBlock(int*, unsigned int*)' is built without shape=32x1x1: the threads of a block cooperate, so shape= cannot divide them among other blocks
__global__ void lastBlock(int *out, unsigned *finished) {
  __shared__ bool last;
  __threadfence();
  if (threadIdx.x == 0)
    last = atomicInc(finished, gridDim.x - 1) == gridDim.x - 1;
  __syncthreads();
  if (last) {
    out[threadIdx.x] += 1;
    __syncthreads();
    out[mirror()] += 2;
  }
}

// Each of these accepts all grains.
__device__ int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
__global__ void recursion(int *out) { out[threadIdx.x] = fibonacci(threadIdx.x); }
__global__ void pauseAndTrap(int *out) {
  __nanosleep(20);
  __threadfence_system();
  if (out[threadIdx.x] < 0)
    __trap();
}
__global__ void clocks(long long *out) {
  long long begin = clock64(), time;
  unsigned place;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(time));
  asm volatile("mov.u32 %0, %%smid;" : "=r"(place));
  out[threadIdx.x] = clock64() - begin + time + place;
}
__global__ void memory(int *out) {
  int *own = static_cast<int *>(alloca(threadIdx.x * sizeof(int) + 4)), *heap = new int[2];
  own[threadIdx.x] = heap[threadIdx.x & 1] = out[threadIdx.x];
  out[threadIdx.x] = own[0] + heap[0];
  delete[] heap;
}
