// The IR that --emit=grain prints is complete: regrain-opt reads the functions and variables of the
// kernels back, with what is known about them, and runs a grain's recipe on it.
//
// RUN: %regrain cc --emit=grain %s -o %t.mlir
// RUN: regrain-opt %t.mlir --pass-pipeline='builtin.module(grain.kernel(grain-pipeline{spec=block.x=2,thread.x=2}))' --mlir-print-ir-after=grain-coarsen-blocks 2>%t.passes | FileCheck %s
// RUN: FileCheck %s --check-prefix=AFTER < %t.passes
// CHECK: llvm.mlir.global {{.*}}@counter
// CHECK: llvm.func {{.*}}@__nv_rsqrtf{{.*}}#grain.callee<math
// CHECK: grain.kernel @{{.*}}scale
// CHECK: grain.blocks {{.*}} factors [2, 1, 1]
// CHECK: grain.threads {{.*}} factors [2, 1, 1]
// AFTER: IR Dump After {{.*}}grain-coarsen-blocks
__device__ int counter;

__global__ void scale(float *values, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    values[i] = rsqrtf(values[i]);
  else
    counter = 1;
}
