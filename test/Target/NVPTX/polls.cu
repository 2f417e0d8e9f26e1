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
