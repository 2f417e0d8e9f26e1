// Volatile stores and the volatile loads of their memory are a step each; without both, or behind a
// barrier, there is none.
// RUN: %device-ir %s -o %t.ll
// RUN: regrain-cpu-test %t.ll --emit=lowered --kernel=exchanged --kernel=throughGlobal | FileCheck-19 %s --check-prefix=STEPS
// RUN: regrain-cpu-test %t.ll --emit=lowered --kernel=stored --kernel=loaded --kernel=apart --kernel=own --kernel=behindBarriers | FileCheck-19 %s --check-prefix=NONE

#define KERNEL extern "C" __global__ void

// Two loads, a store and a load of what it stored.
// STEPS: define {{.*}} @exchanged.region.2
// STEPS-NOT: @exchanged.region.3
// STEPS: define {{.*}} @throughGlobal.region.1
// STEPS-NOT: @throughGlobal.region.2
KERNEL exchanged(int *out) {
  __shared__ volatile int values[64];
  if (threadIdx.x < 32) {
    values[threadIdx.x] = values[threadIdx.x + 1] + values[threadIdx.x + 2];
    out[threadIdx.x] = values[threadIdx.x ^ 1];
  }
}
KERNEL throughGlobal(volatile int *out) {
  if (threadIdx.x < 32)
    out[threadIdx.x] = out[threadIdx.x + 1] + out[threadIdx.x + 2];
}

// NONE: define {{.*}} @stored.run
// NONE-NOT: call{{.*}}@regrain_release
KERNEL stored(volatile int *out) {
  if (threadIdx.x < 32)
    for (int i = 0; i < 4; ++i)
      out[threadIdx.x + i] = i;
}
KERNEL loaded(volatile int *in, int *out) {
  if (threadIdx.x < 32)
    out[threadIdx.x] = in[threadIdx.x] + in[threadIdx.x + 1];
}
KERNEL apart(volatile int *in, volatile int *out) {
  if (threadIdx.x < 32)
    out[threadIdx.x] = in[threadIdx.x];
}
KERNEL own(int *out, int n) {
  volatile int values[4] = {1, 2, 3, 4};
  if (threadIdx.x < 32)
    values[n & 3] = out[threadIdx.x] = values[1 - (n & 1)];
}
KERNEL behindBarriers(int *out) {
  __shared__ volatile int values[64];
  values[threadIdx.x] = threadIdx.x;
  __syncthreads();
  int sum = values[63 - threadIdx.x];
  __syncthreads();
  values[threadIdx.x] = sum;
  __syncthreads();
  out[threadIdx.x] = values[63 - threadIdx.x];
}
