// Only NVIDIA's code generator obeys the form of addresses in loops: it is not a grain for AMD and the CPU.
//
// REQUIRES: rocm-device-libs
// RUN: %regrain cc --emit=grain --targets=cpu,gfx90a --alternatives=24 %s 2>/dev/null | grep '^// ' | FileCheck %s --check-prefix=AMD
// RUN: %regrain cc --emit=grain --targets=ptx,gfx90a --alternatives=24 %s 2>/dev/null | grep '^// ' | FileCheck %s --check-prefix=BOTH

// AMD: find
// AMD-NOT: addresses=
// BOTH: addresses=indexed
__global__ void find(float *distance, const float *points, int count, int dimensions) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int d = 0; d < dimensions; ++d)
    sum += points[d * count + i];
  distance[i] = sum;
}
