// Lanes that share a thread are proposed first where a thread has a loop over neighbouring elements, for GPUs.
// RUN: %regrain explain --targets=ptx --alternatives=10 -DMEET %s | FileCheck %s --check-prefix=MEET
// RUN: %regrain explain --targets=ptx --alternatives=16 -DMEET --reassociate %s | FileCheck %s --check-prefix=SUMS
// RUN: %regrain explain --targets=ptx --alternatives=10 -DWORDS %s | FileCheck %s --check-prefix=WORDS
// RUN: %regrain explain --targets=ptx --alternatives=10 -DWARPS --reassociate %s | FileCheck %s --check-prefix=WARPS
// RUN: %regrain cc --emit=grain --targets=ptx --alternatives=10 -DWARPS %s 2>/dev/null | grep '^// ' | FileCheck %s --check-prefix=NONE
// RUN: %regrain cc --emit=grain --targets=cpu --alternatives=10 -DMEET %s 2>/dev/null | grep '^// ' | FileCheck %s --check-prefix=NONE
// RUN: %regrain cc --emit=grain --targets=ptx --alternatives=10 -DFAR %s 2>/dev/null | grep '^// ' | FileCheck %s --check-prefix=NONE

// All lanes of a group make each addition of a sum that keeps its order, so groups are small. With
// neighbouring iterations in a lane, accesses are as wide as they can be, if they are aligned.
// MEET: grains kept: shape=256x1x1,split=8x4,for.arg3=4n,for.pointers=16,for.aliases=none, shape=256x1x1,split=4x4,for.arg3=4n,for.pointers=16,for.aliases=none, shape=256x1x1,split=4x4,for.aliases=none,
// MEET-SAME: shape=256x1x1,split=16,for.aliases=none
// SUMS: grains kept: shape=1024x1x1,split=1024,rows=24,sums=reassociated,for.aliases=none
// SUMS-SAME: shape=256x1x1,split=32x4,rows=24,sums=reassociated,for.arg3=4n,for.pointers=16,for.aliases=none
// SUMS-SAME: shape=128x1x1,split=32x4,rows=24,stores=nontemporal,sums=reassociated,for.arg3=4n,for.pointers=16,for.aliases=none
// A lane keeps elements that the second loop reads again. A block shares a row if several loops read it, and need no order of sums.
// SUMS: shape=256x1x1,split=256x4,sums=reassociated,for.arg3=4n,for.pointers=16,for.aliases=none
// SUMS: shape=256x1x1,split=32x4,rows=16,sums=reassociated,for.arg3=4n,for.pointers=16,for.aliases=none
// SUMS: shape=256x1x1,split=256,sums=reassociated,for.aliases=none
// SUMS: shape=1024x1x1,split=1024,sums=reassociated,for.aliases=none
// WORDS: shape=256x1x1,split=32x8,for.arg3=8n,for.pointers=16
// WORDS-SAME: shape=256x1x1,split=32,
// Where a warp has a row, several warps share it, and keep elements that the second loop reads again.
// WARPS: grains kept: shape=1024x1x1,split=32warps,rows=24,sums=reassociated
// WARPS-SAME: shape=1024x1x1,split=32warps,sums=reassociated
// WARPS-SAME: shape=256x1x1,split=8warps,sums=reassociated
// NONE-NOT: split=

#ifdef MEET
__global__ void kernel(float *out, const float *in, int rows, int width) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows)
    return;
  float sum = 0;
  for (int j = 0; j < width; ++j)
    sum += in[row * width + j];
  for (int j = 0; j < width; ++j)
    out[row * width + j] = in[row * width + j] / sum;
}
#endif

#ifdef WARPS
__global__ void kernel(float *__restrict__ out, const float *__restrict__ in, int rows, int width) {
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (row >= rows)
    return;
  float sum = 0;
  for (int j = lane; j < width; j += 32)
    sum += in[row * width + j];
  for (int o = 16; o > 0; o /= 2)
    sum += __shfl_xor_sync(~0u, sum, o);
  for (int j = lane; j < width; j += 32)
    out[row * width + j] = in[row * width + j] / sum;
}
#endif

#ifdef FAR
// Neighbouring threads access neighbouring elements already.
__global__ void kernel(float *__restrict__ out, const float *__restrict__ in, int rows, int width) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows)
    return;
  for (int j = 0; j < width; ++j)
    out[j * rows + row] = in[j * rows + row] * 2;
}
#endif

#ifdef WORDS
// Eight of the smaller elements are the widest access. Nothing is added.
__global__ void kernel(short *__restrict__ out, const short *__restrict__ in, const int *__restrict__ first, int width) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  for (int j = 0; j < width; ++j)
    out[row * width + j] = in[first[row] * width + j] * 3;
}
#endif
