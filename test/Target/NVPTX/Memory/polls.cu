// Loads by which threads wait are volatile, so that ptxas lets other lanes of the warp run.
// RUN: %regrain cc --emit=ptx --targets=compute_90 %s -o %t.ptx
// RUN: FileCheck %s < %t.ptx

// CHECK-LABEL: .entry besideFence(
// CHECK: membar.gl
// CHECK-NEXT: ld.volatile.global.u32
extern "C" __global__ void besideFence(unsigned *flag, unsigned *out) {
  while (*flag == 0)
    __threadfence();
  out[threadIdx.x] = 1;
}

// CHECK-LABEL: .entry inTurn(
// CHECK: membar.cta
// CHECK-NEXT: ld.volatile.shared.u32
extern "C" __global__ void inTurn(unsigned *out) {
  __shared__ unsigned turn;
  if (threadIdx.x == 0)
    turn = 0;
  __syncthreads();
  for (bool done = false; !done;) {
    if (turn == threadIdx.x) {
      out[threadIdx.x] = out[threadIdx.x + 1];
      atomicAdd(&turn, 1);
      done = true;
    }
    __threadfence_block();
  }
}

// CHECK-LABEL: .entry byAssembly(
// CHECK: ld.volatile.global.u32
extern "C" __global__ void byAssembly(unsigned *flag, unsigned *out) {
  while (*flag == 0)
    asm volatile("fence.acq_rel.gpu;" ::: "memory");
  out[threadIdx.x] = 1;
}

// Without a fence, at another place in each iteration, or in an inner loop, no thread waits by it.
// CHECK-LABEL: .entry sums(
// CHECK-NOT: volatile
// CHECK: ret;
extern "C" __global__ void sums(const unsigned *in, unsigned *out, int n) {
  for (int i = 0; i < n; ++i) {
    out[i] += in[i];
    __threadfence();
    for (int j = 0; j < n; ++j)
      out[i] ^= in[j] + *in;
  }
}

// What bounds a counter is read again, but no thread waits by it, unless the counter stands still.
// CHECK-LABEL: .entry bounds(
// CHECK-NOT: volatile
// CHECK: ret;
extern "C" __global__ void bounds(const int *count, int *out) {
  for (int i = threadIdx.x; i < *count; i += blockDim.x) {
    atomicExch(out + i, i);
    __threadfence();
  }
}
// CHECK-LABEL: .entry standsStill(
// CHECK: ld.volatile.global.u32
// CHECK: ret;
extern "C" __global__ void standsStill(const int *count, int *out, int step) {
  for (int i = threadIdx.x; i < *count; i += step) {
    atomicExch(out + i, i);
    __threadfence();
  }
}
// CHECK-LABEL: .entry isReached(
// CHECK: ld.volatile.global.u32
// CHECK: ret;
extern "C" __global__ void isReached(const int *count, int *out) {
  for (int i = threadIdx.x; i != *count; i += blockDim.x) {
    atomicExch(out + i, i);
    __threadfence();
  }
}

// Each number is at least 0, so that a lane waits here until another one writes.
// CHECK-LABEL: .entry isAtLeast(
// CHECK: ld.volatile.global.u32
// CHECK: ret;
extern "C" __global__ void isAtLeast(unsigned *flag, unsigned *out) {
  unsigned rounds = 0;
  if (threadIdx.x & 1)
    for (; !(rounds < *flag); ++rounds)
      __threadfence();
  else
    *flag = ~0u;
  out[threadIdx.x] = rounds;
}
// CHECK-LABEL: .entry isAtMost(
// CHECK: ld.volatile.global.u32
// CHECK: ret;
extern "C" __global__ void isAtMost(const unsigned *last, unsigned *out) {
  for (unsigned i = threadIdx.x; i <= *last; i += blockDim.x) {
    atomicExch(out + i % 64, i);
    __threadfence();
  }
}
// A counter that goes down comes to its bound, too.
// CHECK-LABEL: .entry goesDown(
// CHECK-NOT: volatile
// CHECK: ret;
extern "C" __global__ void goesDown(const int *first, int *out, int n) {
  for (int i = n; i > *first; --i) {
    atomicExch(out + i, i);
    __threadfence();
  }
}

// No thread waits in a loop that only a counter ends.
// CHECK-LABEL: .entry scan(
// CHECK: membar.cta
// CHECK-NOT: volatile
// CHECK: ret;
extern "C" __global__ void scan(const int *in, int *out, int n) {
  __shared__ int sums[64];
  for (int i = threadIdx.x; i < n; i += 32) {
    sums[threadIdx.x + 16] = in[i];
    __threadfence_block();
    sums[threadIdx.x + 16] += sums[threadIdx.x];
    __threadfence_block();
    out[i] = sums[threadIdx.x + 15];
  }
}
// It may wait if what is loaded ends it as well, or moves the bound.
// CHECK-LABEL: .entry tries(
// CHECK: ld.volatile.global.u32
// CHECK: ret;
extern "C" __global__ void tries(unsigned *flag, unsigned *out, int n) {
  int i = 0;
  for (; i < n && *flag == 0; ++i)
    __threadfence();
  out[threadIdx.x] = i;
}
// CHECK-LABEL: .entry bound_moves(
// CHECK: ld.volatile.global.u32
// CHECK: ret;
extern "C" __global__ void bound_moves(const int *more, int *out, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    atomicExch(out + i, i);
    __threadfence();
    n += *more;
  }
}
