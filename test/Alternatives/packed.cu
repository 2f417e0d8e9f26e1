// Conversions of pairs are proposed beside neighbours, if a target has them and the kernel converts 8-bit numbers.
// RUN: %regrain explain --targets=compute_90 --alternatives=16 %s | FileCheck %s
// RUN: %regrain explain --targets=cpu --alternatives=16 %s | FileCheck %s --check-prefix=CPU --implicit-check-not=arithmetic=
#include <cuda_fp8.h>

// CHECK: quantise(
// CHECK: thread.x=16:contiguous,arithmetic=packed,for.pointers=16
// CPU: quantise(
__global__ void quantise(const float *__restrict__ in, __nv_fp8_e4m3 *__restrict__ out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = __nv_fp8_e4m3(in[i]);
}
