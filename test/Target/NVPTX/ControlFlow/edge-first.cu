// RUN: %regrain cc --targets=ptx --coarsen='*:block.x=4' --emit=ptx %s | FileCheck %s
// RUN: %regrain cc --targets=ptx --coarsen='*:block.x=4,for.grid=10' --emit=ptx %s | FileCheck %s
// RUN: %regrain cc --targets=ptx --coarsen='*:fuse.x=4' --emit=ptx %s | FileCheck %s --check-prefix=NONE
// RUN: %regrain cc --targets=ptx --coarsen='*:block.x=4,for.grid=12' --emit=ptx %s | FileCheck %s --check-prefix=NONE
// RUN: %regrain cc --targets=ptx --coarsen='*:block.x=4:remainder' --emit=ptx %s | FileCheck %s --check-prefix=NONE

// The block at the edge, which takes longest, is started first. There is no
// such edge for fused blocks, for a grid that the factor divides, and for a
// launch whose remainder is separate.

// CHECK-LABEL: .entry scale__grain
// CHECK-DAG: mov.u32 [[INDEX:%r[0-9]+]], %ctaid.x;
// CHECK-DAG: setp.{{eq|ne}}.s32 {{.*}}, [[INDEX]], 0;
// CHECK: selp
// NONE-LABEL: .entry scale__grain
// NONE-NOT: %nctaid
// NONE-NOT: selp
extern "C" __global__ void scale(float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] *= 2;
}
