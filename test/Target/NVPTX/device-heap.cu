// RUN: %regrain cc -O3 --targets=ptx --emit=ptx %s | FileCheck %s
// An allocation tells whether the heap has room, even if its memory is unused.

// CHECK-LABEL: .entry _Z4grabmPi(
// CHECK: call.uni (retval0), {{[[:space:]]*}}malloc,
// CHECK: setp.eq.s64
__global__ void grab(size_t bytes, int *isNull) {
  void *p = malloc(bytes);
  *isNull = p == nullptr;
  free(p);
}
