// REQUIRES: ptxas
// A grain that spills more for each thread of the program than the original is
// dropped; for a requested one, a remark says so.
// RUN: %regrain cc --targets=sm_90 --alternatives=6 -c %s -o %t.o 2>&1 | count 0
// RUN: %regrain inspect --candidates %t.o | FileCheck %s
// RUN: %regrain cc --targets=sm_90 --coarsen='*:block.x=2' -c %s -o %t.asked.o 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: %regrain cc --targets=sm_90 --alternatives=6 -Rpass-missed=regrain -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=MISSED
// RUN: %regrain inspect %t.asked.o | FileCheck %s --check-prefix=ASKED

// CHECK-NOT: sm_90 {{ *}}block.x=2
// CHECK: candidate block.x=2: pruned (resources): more spills: {{[0-9]+}} bytes per launched thread, the original has {{[0-9]+}}
// CHECK-NEXT: sm_90, {{[1-9][0-9]*}} bytes: pruned (resources): more spills
// REMARK: spills.cu:{{[0-9]+}}:1: remark: kernel 'mix(float*, float const*, int)' at block.x=2 for sm_90: more spills
// MISSED: remark: kernel 'mix(float*, float const*, int)': block.x=2 for sm_90 is pruned: more spills: {{.*}} [-Rpass-missed=regrain]
// ASKED: sm_90 {{ *}}block.x=2 {{.*}} chosen
__global__ void __launch_bounds__(1024, 2) mix(float *out, const float *in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v[20];
#pragma unroll
  for (int k = 0; k < 20; ++k)
    v[k] = in[i + k * n];
#pragma unroll
  for (int k = 0; k < 20; ++k)
#pragma unroll
    for (int j = 0; j < 4; ++j)
      v[k] = v[(k * 7 + j) % 20] * v[(k + 5) % 20] + v[k];
#pragma unroll
  for (int k = 0; k < 20; ++k)
    out[i + k * n] = v[k];
}
