// REQUIRES: ptxas
// assembler=O1 is the level of ptxas for one alternative, in place of the command line's; PTX text has none.
// RUN: %regrain cc -O3 -Xptxas -O2 --targets=sm_90,ptx --coarsen='*:assembler=O1' -c %s -o %t.o
// RUN: %regrain inspect --json %t.o | FileCheck %s
// RUN: %regrain inspect %t.o | FileCheck %s --check-prefix=REFUSED
// RUN: not %regrain cc --targets=sm_90 --coarsen='*:assembler=O3' -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: assembler

// REFUSED: sm_90 {{.*}}assembler=O1{{.*}}chosen
// REFUSED: refused assembler=O1 (ptx): assembler= needs ptxas: PTX text is assembled by the driver, which chooses the level
// CHECK: assembler=O1
__global__ void sum(float *out, const float *in, int n) {
  float result = 0;
  for (int i = 0; i < n; ++i)
    result = result * in[i] + in[i * 2 + threadIdx.x];
  out[threadIdx.x] = result;
}
