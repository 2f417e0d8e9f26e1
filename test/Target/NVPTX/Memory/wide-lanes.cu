// Lanes that take neighbouring iterations access them at once, also in loops that LLVM unrolls with what is left in front
// of them, so that an address begins with a number that another loop carries.
// RUN: %regrain cc --targets=compute_90 -O3 --emit=ptx --coarsen='*:shape=64,split=8x4,for.arg1=4n,for.pointers=16' %s | FileCheck %s
// CHECK-LABEL: .entry _Z5scalePfif__grain
// CHECK-COUNT-5: ld.global.v4.f32
// CHECK: ld.global.f32
// CHECK-NOT: ld.global

// Rows begin at multiples of two numbers only.
// RUN: %regrain cc --targets=compute_90 -O3 --emit=ptx --coarsen='*:shape=64,split=8x4,for.arg1=2n,for.pointers=16' %s | FileCheck %s --check-prefix=PAIRS
// PAIRS-LABEL: .entry _Z5scalePfif__grain
// PAIRS-NOT: v4.f32
// PAIRS: ld.global.v2.f32

__global__ void scale(float *data, int width, float factor) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  for (int j = 0; j <= row; ++j)
    data[row * width + j] *= factor;
}
