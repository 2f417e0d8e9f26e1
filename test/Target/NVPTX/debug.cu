// -lineinfo keeps the lines of originals and alternatives. -G also describes the variables of the
// original, and leaves its code as it is.
// RUN: %regrain cc -lineinfo --targets=ptx --emit=ptx --coarsen='*:block.x=2' %s | FileCheck %s --check-prefix=LINES
// RUN: %regrain cc -G --targets=ptx --emit=ptx %s | FileCheck %s --check-prefix=FULL
// RUN: %regrain cc -G --targets=ptx --emit=ptx %s | tr '\n' ' ' | FileCheck %s --check-prefix=NAME
// RUN: %regrain cc -G --targets=ptx --emit=ptx --coarsen='*:block.x=2' %s | FileCheck %s --check-prefix=GRAIN
//
// LINES: .target sm_70{{$}}
// LINES: .entry _Z6squarePf(
// LINES: .loc [[#]] [[LINE:28]]
// LINES: .entry _Z6squarePf__grain_block_x2(
// LINES: .loc [[#]] [[LINE]]
// LINES-NOT: .debug_info
//
// What reads a coordinate has the line that names it, so a debugger stops there.
// FULL: .target sm_70, debug
// FULL: .entry _Z6squarePf(
// FULL: .loc [[FILE:[0-9]+]] 27 0
// FULL-NOT: .loc {{[0-9]+}} 53
// FULL: .loc [[FILE]] 28 11
// FULL: .loc [[FILE]] 29
// FULL: .section .debug_info
// NAME: .b8 118 .b8 97 .b8 108 .b8 117 .b8 101 .b8 0
//
// GRAIN: .entry _Z6squarePf__grain_block_x2(
// GRAIN: .loc [[#]] 28
__global__ void square(float *data) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float value = data[i];
  data[i] = value * value;
}
