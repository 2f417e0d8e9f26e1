// An exchange of 16 bytes needs PTX 8.3, and 8.4 where the whole system sees it.
// REQUIRES: ptxas
// RUN: %regrain cc --targets=sm_90 -c %s -o %t.o
// RUN: %regrain cc --targets=compute_90 --emit=ptx %s -o - | FileCheck %s
// RUN: %regrain cc --targets=compute_90 --emit=ptx -DSYSTEM %s -o - \
// RUN:   | FileCheck %s --check-prefix=SYSTEM
// RUN: %regrain cc --targets=sm_90 -DSYSTEM -c %s -o %t.o
// CHECK: .version 8.3
// SYSTEM: .version 8.4
__global__ void exchange(float4 *shared) {
#ifdef SYSTEM
  shared[1] = atomicExch_system(shared, make_float4(1, 2, 3, 4));
#else
  shared[1] = atomicExch(shared, make_float4(1, 2, 3, 4));
#endif
}
