// A fence of C++ is of system scope; the NVPTX back end has none for it. While a launch is repeated, the host takes no
// part in it.
//
// RUN: %regrain cc --targets=cpu -c %s -o %t.o
// RUN: %regrain inspect %t.o | FileCheck %s

// CHECK: fences(int*)
// CHECK-NOT: not tuned
__global__ void fences(int *x) {
  x[0] = 1;
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  x[1] = 1;
}
