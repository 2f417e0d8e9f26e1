// RUN: %regrain cc --emit=ptx -O3 --coarsen='*:block.x=2,for.block=64,for.grid=16,for.arg2=2048' %s -o %t.ptx
// RUN: FileCheck %s < %t.ptx
// RUN: %regrain cc --emit=ptx -O3 --coarsen='*:thread.x=2,fuse.x=4,for.block=64x2' %s -o %t.scaled.ptx
// RUN: FileCheck %s --check-prefix=SCALED < %t.scaled.ptx
// RUN: %regrain cc --emit=ptx -O3 --coarsen='*:shape=32x4' %s -o %t.shape.ptx
// RUN: FileCheck %s --check-prefix=SHAPE < %t.shape.ptx

// The launch must have the known block; the program's launch bounds are
// narrowed to it. Ranges of the coordinates decide the guards: only the pointer
// is read of the parameters, and there is no branch.

// CHECK: .visible .entry _Z4zeroPfii__grain
// CHECK: .reqntid 64, 1, 1
// CHECK-NOT: param_{{[1-9]}}]
// CHECK-NOT: bra
// CHECK: ret;
// CHECK: .visible .entry _Z7boundedPfii__grain
// CHECK-NOT: .reqntid
// CHECK: .maxntid 64, 1, 1
// CHECK-NEXT: .minnctapersm 2
// CHECK-NOT: param_{{[1-9]}}]
// CHECK-NOT: bra
// CHECK: ret;

// SCALED: .visible .entry _Z4zeroPfii__grain
// SCALED: .reqntid 128, 2, 1
// SCALED: .visible .entry _Z7boundedPfii__grain
// SCALED: .maxntid 256, 1, 1

// SHAPE: .visible .entry _Z4zeroPfii__grain
// SHAPE: .reqntid 32, 4, 1

__global__ void zero(float *x, int unused, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] = 0;
}

__global__ void __launch_bounds__(256, 2) bounded(float *x, int unused, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] = 0;
}
