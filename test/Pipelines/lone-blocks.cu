// The tuner may time a part of a launch's blocks where each block does the same, whichever others the launch has.
//
// RUN: %regrain cc -w --targets=ptx --alternatives=1 -c %s -o %t.o 2> /dev/null
// RUN: %regrain inspect --json %t.o > %t.json
// RUN: %python -c "import json,sys; [print(k['name'].split('(')[0], 'alone' if k['blocks_work_alone'] else 'linked') for i in json.load(open(sys.argv[1]))['images'] for k in i['kernels']]" %t.json | FileCheck %s --match-full-lines

#include <cooperative_groups.h>

__device__ unsigned drawn;

// CHECK: plain alone
__global__ void plain(float *out, const float *in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = in[i];
  for (int j = 0; j < n; ++j)
    x = sqrtf(x) + in[j];
  out[i] = x;
}

// The threads of a block work together, in shared memory and in warps.
// CHECK-NEXT: together alone
__global__ void together(int *out, const int *in) {
  __shared__ int bins[32];
  if (threadIdx.x < 32)
    bins[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd(&bins[in[blockIdx.x * blockDim.x + threadIdx.x] & 31], 1);
  __syncthreads();
  if (threadIdx.x < 32)
    out[blockIdx.x * 32 + threadIdx.x] = bins[threadIdx.x] + __shfl_down_sync(~0u, bins[threadIdx.x], 1);
}

// A volatile array in shared memory is the block's own.
// CHECK-NEXT: olderWarps alone
__global__ void olderWarps(int *out) {
  __shared__ volatile int sums[64];
  sums[threadIdx.x] = threadIdx.x;
  sums[threadIdx.x] += sums[threadIdx.x ^ 1];
  out[blockIdx.x * 64 + threadIdx.x] = sums[threadIdx.x];
}

// The size of the grid decides how much a block does.
// CHECK-NEXT: strides linked
__global__ void strides(float *x, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    x[i] *= 2;
}

// CHECK-NEXT: tickets linked
__global__ void tickets(int *out) {
  __shared__ unsigned mine;
  if (threadIdx.x == 0)
    mine = atomicAdd(&drawn, 1u);
  __syncthreads();
  out[mine * blockDim.x + threadIdx.x] = threadIdx.x;
}

// No block reads the sum, but atomic operations of blocks wait for each other.
// CHECK-NEXT: sums linked
__global__ void sums(float *sum, const float *in) { atomicAdd(sum, in[threadIdx.x]); }

// CHECK-NEXT: fences linked
__global__ void fences(int *data, int *flag) {
  data[blockIdx.x] = 1;
  __threadfence();
  flag[blockIdx.x] = 1;
}

// CHECK-NEXT: flags linked
__global__ void flags(int *data, volatile int *flag) {
  if (flag[blockIdx.x ^ 1])
    data[blockIdx.x] = 1;
}

// CHECK-NEXT: clocks linked
__global__ void clocks(int *out) {
  long long begin = clock64();
  while (clock64() - begin < 1000)
    ;
  out[blockIdx.x] = 1;
}

// CHECK-NEXT: assembly linked
__global__ void assembly(unsigned *out) {
  unsigned blocks;
  asm volatile("mov.u32 %0, %%nctaid.x;" : "=r"(blocks));
  out[blockIdx.x] = blocks;
}

// CHECK-NEXT: processors linked
__global__ void processors(unsigned *out) {
  unsigned processor;
  asm("mov.u32 %0, %%smid;" : "=r"(processor));
  out[blockIdx.x] = processor;
}

// CHECK-NEXT: wholeGrid linked
__global__ void wholeGrid(int *out) {
  out[blockIdx.x] = 1;
  cooperative_groups::this_grid().sync();
  out[blockIdx.x] += out[blockIdx.x ^ 1];
}
