// The names of the strings of assert and __func__ are legal in debug information as well.
// REQUIRES: ptxas
// RUN: %regrain cc -G --targets=sm_90 -c -o %t.o %s 2>&1 | FileCheck %s --allow-empty
// CHECK-NOT: error
// RUN: %regrain cc -G --targets=compute_90 --emit=ptx %s | FileCheck %s --check-prefix=NAMES
// NAMES-NOT: .b64 __{{[A-Z]*}}__.
#include <cassert>
#include <cstdio>
__global__ void check(int *data) {
  assert(data[threadIdx.x] > 0);
  printf("%s\n", __func__);
}
