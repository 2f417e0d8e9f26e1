// A lock that a lane takes in a loop and releases after it hangs in lockstep,
// even if other lanes release it in the iteration in which they took it.
// RUN: %device-ir %s -o %t.ll
// RUN: regrain-amdgpu-test %t.ll --block=64 --grid=3 --resident=3 | FileCheck %s

// CHECK-DAG: gfx90a _Z10carriedOutPiPKii: refused [lockstep-wait] {{.*}}critical-sections.cu:[[#@LINE+5]])
// CHECK-DAG: gfx1100 _Z10carriedOutPiPKii: refused [lockstep-wait]
__global__ void carriedOut(int *out, const int *in, int n) {
  bool held = false, done = false;
  while (!done)
    if (atomicCAS(out, 0, 1) == 0) {
      ((volatile int *)out)[1] = ((volatile int *)out)[1] + (in[threadIdx.x] & 3);
      __threadfence();
      if (threadIdx.x & 1)
        atomicExch(out, 0);
      else
        held = true;
      done = true;
    }
  if (held) {
    ((volatile int *)out)[2] = ((volatile int *)out)[2] + 1;
    __threadfence();
    atomicExch(out, 0);
  }
}

// One lane keeps it until all have left the loop, or would have.
// CHECK-DAG: gfx90a _Z7oneLanePiPKii: refused [lockstep-wait]
// CHECK-DAG: gfx1100 _Z7oneLanePiPKii: refused [lockstep-wait]
__global__ void oneLane(int *out, const int *in, int n) {
  bool done = false;
  while (!done)
    if (atomicCAS(out, 0, 1) == 0) {
      ((volatile int *)out)[1] = ((volatile int *)out)[1] + 1;
      __threadfence();
      if (threadIdx.x != 5)
        atomicExch(out, 0);
      done = true;
    }
  if (threadIdx.x == 5)
    atomicExch(out, 0);
}

// One lock protects two sections.
// CHECK-DAG: gfx90a _Z11twoSectionsPiPKii: agrees
// CHECK-DAG: gfx1100 _Z11twoSectionsPiPKii: agrees
__global__ void twoSections(int *out, const int *in, int n) {
  for (int section = 1; section <= 1; ++section)
    for (bool done = false; !done;)
      if (atomicCAS(out, 0, 1) == 0) {
        ((volatile int *)out)[1] = ((volatile int *)out)[1] + (in[threadIdx.x] & 3);
        __threadfence();
        atomicExch(out, 0);
        done = true;
      }
  for (bool done = false; !done;)
    if (atomicExch(out, 1) == 0) {
      ((volatile int *)out)[2] = ((volatile int *)out)[2] + (in[threadIdx.x] & 7);
      __threadfence();
      atomicExch(out, 0);
      done = true;
    }
}

// No lane waits any more when the lock is set after a barrier.
// CHECK-DAG: gfx90a _Z12setAfterwardPiPKii: agrees
// CHECK-DAG: gfx1100 _Z12setAfterwardPiPKii: agrees
__global__ void setAfterward(int *out, const int *in, int n) {
  int *lock = out + 1 + blockIdx.x;
  for (bool done = false; !done;)
    if (atomicCAS(lock, 0, 1) == 0) {
      ((volatile int *)out)[8 + blockIdx.x] = ((volatile int *)out)[8 + blockIdx.x] + 1;
      __threadfence();
      atomicExch(lock, 0);
      done = true;
    }
  __syncthreads();
  if (threadIdx.x == 0)
    *lock = n;
}
