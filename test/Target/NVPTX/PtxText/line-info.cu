// RUN: %regrain cc --emit=ptx -lineinfo %s -o %t.ptx
// RUN: FileCheck %s < %t.ptx

// There are lines without DWARF, which would make ptxas build for a debugger.
// CHECK-NOT: , debug
// CHECK: .loc 1 [[#@LINE + 1]]
__global__ void store(int *v) { v[threadIdx.x] = 1; }
