// ptxas takes 40 registers for each kernel. With a limit of 32, a third more threads are resident: the first kernel is as fast
// then, and the second one's loop takes longer. What bounds its registers itself stays as it is.
// REQUIRES: ptxas
// RUN: %regrain cc -O3 --targets=sm_90 -c -o %t.o %s && %regrain inspect %t.o | FileCheck %s
// RUN: %regrain cc -O3 --targets=sm_90 -maxrregcount=40 -c -o %t.o %s && %regrain inspect %t.o | FileCheck %s --check-prefix=BOUND

// CHECK: fits
// CHECK: original {{ *32 }}
// CHECK: waits
// CHECK: original {{ *40 }}
// CHECK: bounds
// CHECK: original {{ *40 }}
// BOUND: fits
// BOUND: original {{ *40 }}
template <int number> __device__ void sums(const float *x, const float *y, float *out, int n, int width) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sums[number];
  for (int k = 0; k < number; ++k)
    sums[k] = k;
#pragma unroll 1
  for (int j = 0; j < n; ++j) {
    float a = x[j * width + i], b = y[j];
    for (int k = 0; k < number; ++k)
      sums[k] = sums[k] * a + b * k;
  }
  for (int k = 0; k < number; ++k)
    out[k * width + i] = sums[k];
}
extern "C" __global__ void fits(const float *x, const float *y, float *out, int n, int width) { sums<20>(x, y, out, n, width); }
extern "C" __global__ void waits(const float *x, const float *y, float *out, int n, int width) { sums<24>(x, y, out, n, width); }
extern "C" __global__ void __launch_bounds__(256, 6) bounds(const float *x, const float *y, float *out, int n, int width) {
  sums<20>(x, y, out, n, width);
}
