// Hints that the chip or the kernel does not have are refused, with a reason.
// RUN: %regrain cc --targets=compute_60 --coarsen='copy:loads=evict-first' -c -o %t.o %s
// RUN: %regrain inspect %t.o | FileCheck %s --check-prefix=POLICY
// RUN: %regrain cc --targets=ptx --coarsen='copy:prefetch=64' -c -o %t.o %s
// RUN: %regrain inspect %t.o | FileCheck %s --check-prefix=PREFETCH
// RUN: %regrain cc --targets=compute_75 --coarsen='copy:prefetch=256' -c -o %t.o %s
// RUN: %regrain inspect %t.o | FileCheck %s --check-prefix=LARGE
// RUN: %regrain cc --targets=compute_80 --coarsen='fill:prefetch=128' -c -o %t.o %s
// RUN: %regrain inspect %t.o | FileCheck %s --check-prefix=NOTHING
// RUN: %regrain cc --targets=compute_80 --coarsen='copy:loads=readonly' --coarsen='fill:loads=streaming' -c -o %t.o %s
// RUN: %regrain inspect %t.o | FileCheck %s --check-prefix=LOADS
// The CPU ignores hints for which the kernel has loads.
// RUN: %regrain cc --targets=cpu --coarsen='copy:loads=streaming,prefetch=256' -c -o %t.o %s
// RUN: %regrain inspect %t.o | FileCheck %s --check-prefix=CPU --implicit-check-not="refused loads"

__global__ void copy(float *out, const float *in) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i];
}

__global__ void fill(float *out) { out[blockIdx.x * blockDim.x + threadIdx.x] = 1; }

// POLICY: refused loads=evict-first ({{.*}}): loads=evict-first needs compute capability 7.0, and this code is for sm_60
// PREFETCH: refused prefetch=64 ({{.*}}): prefetch=64 needs compute capability 7.5, and this code is for sm_70
// LARGE: refused prefetch=256 ({{.*}}): prefetch=256 needs compute capability 8.0, and this code is for sm_75
// NOTHING: refused prefetch=128 ({{.*}}): no load from global memory is left that could have the hint
// LOADS-DAG: refused loads=readonly ({{.*}}): no load is known to read what the launch does not write; {{.*}}because the kernel writes memory that may be the same
// LOADS-DAG: refused loads=streaming ({{.*}}): the kernel loads nothing from global memory
// CPU: cpu {{.*}}loads=streaming,prefetch=256 {{.*}}chosen
