// Lanes that share a thread are proposed first where a thread has a loop over neighbouring elements, for GPUs.
// RUN: %regrain explain --targets=ptx --alternatives=8 -DMEET %s | FileCheck %s --check-prefix=MEET
// RUN: %regrain explain --targets=ptx --alternatives=8 -DMEET --reassociate %s | FileCheck %s --check-prefix=SUMS
// RUN: %regrain explain --targets=cpu --alternatives=8 -DMEET %s | FileCheck %s --check-prefix=NONE
// RUN: %regrain explain --targets=ptx --alternatives=8 -DFAR %s | FileCheck %s --check-prefix=NONE

// Sixteen lanes make the additions of two threads at once, and keep their order.
// MEET: shape=256x1x1,split=16,for.aliases=none
// MEET: shape=256x1x1,split=8,for.aliases=none
// MEET: shape=256x1x1,split=32,for.aliases=none
// MEET: shape=256x1x1,split=32
// SUMS: shape=256x1x1,split=32,sums=reassociated,for.aliases=none
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
