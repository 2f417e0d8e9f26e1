// RUN: %regrain cc --targets=ptx --coarsen='*:block.x=4' --emit=ptx %s | FileCheck %s
// RUN: %regrain cc --targets=ptx --coarsen='*:fuse.x=4' --emit=ptx %s | FileCheck %s --check-prefix=FUSED

// The block at the edge, which takes longest, is started first. Fused blocks
// have no such edge.

// CHECK-LABEL: .entry scale__grain
// CHECK-DAG: mov.u32 [[INDEX:%r[0-9]+]], %ctaid.x;
// CHECK-DAG: mov.u32 [[SIZE:%r[0-9]+]], %nctaid.x;
// CHECK-DAG: setp.{{eq|ne}}.s32 {{.*}}, [[INDEX]], 0;
// CHECK: selp
// FUSED-LABEL: .entry scale__grain
// FUSED-NOT: %nctaid
extern "C" __global__ void scale(float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] *= 2;
}
