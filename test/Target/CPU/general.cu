// Only the general path supports these; the others leave them to it.
// RUN: %device-ir %s -o %t.ll
// RUN: %same-on-all-paths %t.ll --kernel=recursive --kernel=pointers --kernel=spin --kernel=handOver --kernel=locked --kernel=named --block=64
// RUN: FileCheck %s < %t.out
// Nobody destroys a kernel's continuation, so that part is not generated.
// RUN: regrain-cpu-test %t.ll --emit=lowered --kernel=spin | FileCheck %s --check-prefix=PARTS
// PARTS: @spin.thread.resume(
// PARTS-NOT: {{spin.thread.(destroy|cleanup)}}

// A function that calls itself contains a barrier.
__device__ int descend(int *values, int depth) {
  if (depth == 0)
    return 0;
  values[threadIdx.x] = threadIdx.x * depth;
  __syncthreads();
  int other = values[blockDim.x - 1 - threadIdx.x];
  __syncthreads();
  return other + descend(values, depth - 1);
}
// CHECK-LABEL: recursive:
// CHECK-NEXT: 378 372 366
extern "C" __global__ void recursive(int *out, const int *in, int n) {
  __shared__ int values[64];
  out[threadIdx.x] = descend(values, 3);
}

// Barriers are in functions behind pointers that differ from call to call.
__device__ int plus(int x) { __syncthreads(); return x + 1; }
__device__ int times(int x) { __syncthreads(); return x * threadIdx.x; }
__device__ int (*table[2])(int) = {plus, times};
// CHECK-LABEL: pointers:
// CHECK-NEXT: 3 7 13
extern "C" __global__ void pointers(int *out, const int *in, int n) {
  out[threadIdx.x] = table[in[1]](threadIdx.x + 3) + table[in[0]](2);
}

// A thread waits for a later one.
// CHECK-LABEL: spin:
// CHECK-NEXT: 7 1 2
extern "C" __global__ void spin(int *out, const int *in, int n) {
  __shared__ volatile int flag;
  if (threadIdx.x == 0)
    flag = 0;
  __syncthreads();
  if (threadIdx.x == 0) {
    while (flag == 0) {
    }
    out[0] = flag;
  }
  if (threadIdx.x == 33)
    flag = 7;
  if (threadIdx.x > 0)
    out[threadIdx.x] = threadIdx.x;
}

// Each thread waits for its successor, by an atomic that changes nothing.
// CHECK-LABEL: handOver:
// CHECK-NEXT: 63 62 61
extern "C" __global__ void handOver(int *out, const int *in, int n) {
  __shared__ int turn;
  if (threadIdx.x == 0)
    turn = blockDim.x - 1;
  __syncthreads();
  while (atomicAdd(&turn, 0) != threadIdx.x) {
  }
  out[threadIdx.x] = blockDim.x - 1 - threadIdx.x;
  atomicSub(&turn, 1);
}

// A lock is held across a section without barriers.
// CHECK-LABEL: locked:
// CHECK-NEXT: 2016 0
extern "C" __global__ void locked(int *out, const int *in, int n) {
  __shared__ int lock;
  if (threadIdx.x == 0)
    lock = 0;
  __syncthreads();
  bool done = false;
  while (!done)
    if (atomicCAS(&lock, 0, 1) == 0) {
      out[0] += in[threadIdx.x];
      __threadfence();
      atomicExch(&lock, 0);
      done = true;
    }
}

// Named barriers let one warp hand over to the other without waiting itself.
// CHECK-LABEL: named:
// CHECK-NEXT: 0 1 2
// CHECK-NEXT: 16 17
// CHECK-NEXT: 31 30 29
extern "C" __global__ void named(int *out, const int *in, int n) {
  __shared__ int values[32];
  if (threadIdx.x < 32) {
    values[threadIdx.x] = in[threadIdx.x];
    asm volatile("bar.arrive 1, 64;");
    out[threadIdx.x] = threadIdx.x;
  } else {
    asm volatile("bar.sync 1, 64;");
    out[threadIdx.x] = values[63 - threadIdx.x];
  }
}
