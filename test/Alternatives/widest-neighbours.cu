// Where elements of different sizes are accessed, as many neighbours are proposed as fill one access of the largest, too.
// RUN: %regrain explain --targets=ptx --alternatives=24 %s | FileCheck %s
// CHECK: kept: {{.*}}, thread.x=16:contiguous,for.pointers=16, thread.x=4:contiguous,for.pointers=16,
__global__ void below(const float *values, bool *isBelow, float limit) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  isBelow[i] = values[i] < limit;
}
