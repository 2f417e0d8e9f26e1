// Threads that wait for each other for ever end the launch, with a message.
// RUN: %device-ir %s -o %t.ll
// RUN: not regrain-cpu-test %t.ll --run --kernel=deadlock --block=64 | FileCheck %s
// RUN: not regrain-cpu-test %t.ll --run --kernel=deadlock --block=64 --path=continuations | FileCheck %s
// RUN: not regrain-cpu-test %t.ll --run --kernel=deep --block=2 | FileCheck %s --check-prefix=DEEP

// CHECK: trap: the threads of a block wait for each other
extern "C" __global__ void deadlock(int *out, const int *in, int n) {
  if (threadIdx.x == 0)
    __shfl_sync(0xffffffffu, n, 1);
  else
    __syncthreads();
}

__device__ int descend(int depth) {
  __syncthreads();
  return depth == 0 ? 0 : 1 + descend(depth - 1);
}
// DEEP: trap: the stack of a device thread is exhausted
extern "C" __global__ void deep(int *out, const int *in, int n) { *out = descend(100000); }
