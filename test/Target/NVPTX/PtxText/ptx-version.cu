// A function that the program names raises the version: activemask came with 6.2.
// RUN: %regrain cc --emit=ptx %s -o %t.ptx
// RUN: FileCheck %s < %t.ptx

// CHECK: .version 6.2
__global__ void active(unsigned *v) { v[threadIdx.x] = __activemask(); }
