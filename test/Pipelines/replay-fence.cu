// A fence of C++ is of system scope; the NVPTX back end has none for it.
//
// RUN: %regrain cc --targets=cpu -c %s -o %t.o
// RUN: %regrain inspect %t.o | FileCheck %s

// CHECK: fences(int*)
// CHECK: not tuned: it has a fence or an atomic operation of system scope, which the host takes part in ({{.*}}replay-fence.cu:[[#@LINE+3]])
__global__ void fences(int *x) {
  x[0] = 1;
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  x[1] = 1;
}

// CHECK: plain(int*)
// CHECK-NOT: not tuned
__global__ void plain(int *x) { x[1] = x[0]; }
