// Where a block of several warps runs through rows, and adds up in shared memory, neighbours in one thread are proposed early, for
// launches whose rows the block divides: accesses are joined, and warps exchange in registers. Many threads in one have too much code.
// RUN: %regrain explain --targets=sm_90 --alternatives=8 %s | FileCheck %s
// CHECK: thread.x=4:contiguous,exchange=levels,for.block=1024x1x1,for.arg2=1024n,for.pointers=16,for.aliases=none
// CHECK-NOT: thread.x=32

__global__ void kernel(float *out, const float *in, int width) {
  __shared__ float held[1024];
  const float *row = in + size_t(blockIdx.x) * width;
  float sum = 0;
  for (int i = threadIdx.x; i < width; i += blockDim.x)
    sum += row[i];
  held[threadIdx.x] = sum;
  __syncthreads();
  for (int s = blockDim.x / 2; s > 0; s >>= 1) {
    if (threadIdx.x < s)
      held[threadIdx.x] += held[threadIdx.x + s];
    __syncthreads();
  }
  for (int i = threadIdx.x; i < width; i += blockDim.x)
    out[size_t(blockIdx.x) * width + i] = row[i] / held[0];
}
