// A `__noinline__` function stays a call where its copies would be a large part of a kernel, unless
// a function that calls it, or the function itself, has local memory: then ptxas may make wrong
// code of it.
// RUN: %regrain cc --emit=ptx --targets=compute_90 %s -o - | FileCheck %s --check-prefix=STAYS
// RUN: %regrain cc --emit=ptx --targets=compute_90 -DTHROUGH %s -o - | FileCheck %s --check-prefix=STAYS
// RUN: %regrain cc --emit=ptx --targets=compute_90 -DINLINE %s -o - | FileCheck %s --check-prefix=INLINED
// RUN: %regrain cc --emit=ptx --targets=compute_90 -DSMALL %s -o - | FileCheck %s --check-prefix=INLINED
// RUN: %regrain cc --emit=ptx --targets=compute_90 -DMANY -DSMALL %s -o - | FileCheck %s --check-prefix=INLINED
// RUN: %regrain cc --emit=ptx --targets=compute_90 -DIN_KERNEL %s -o - | FileCheck %s --check-prefix=INLINED
// RUN: %regrain cc --emit=ptx --targets=compute_90 -DIN_FUNCTION %s -o - | FileCheck %s --check-prefix=INLINED
//
// The original of a build with alternatives calls it as well; the grains need it inlined.
// RUN: rm -rf %t && mkdir -p %t
// RUN: %regrain cc -w --targets=compute_90 --alternatives=1 -c %s -o %t/a.o
// RUN: %regrain inspect --code=ptx --extract %t/code %t/a.o > /dev/null
// RUN: cat %t/code/* | FileCheck %s --check-prefix=BOTH

#ifdef INLINE
#define NOINLINE
#else
#define NOINLINE __noinline__
#endif

__shared__ volatile unsigned state[8][64];

#define STEP x = (x & 0x7fffu) ^ state[warp][x % 63]; x ^= x << 7; state[warp][lane + 32] = x;
#define STEPS STEP STEP STEP STEP STEP

/// Reads where the thread is, so the grains need it inlined.
__device__ NOINLINE void draw() {
  unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32, x = state[warp][lane];
#ifdef IN_FUNCTION
  unsigned own[16];
#pragma unroll 1
  for (int i = 0; i < 16; ++i)
    own[x >> i & 15] = x ^ i;
  x = own[lane & 15];
#endif
#ifdef SMALL
  STEP
#else
  STEPS STEPS STEPS STEPS
#endif
  state[warp][lane] = x;
}

#ifdef THROUGH
/// A function that is inlined, and so copies the calls.
__device__ unsigned next(unsigned x) {
  if (x & 1)
    draw();
  return state[threadIdx.x / 32][x % 64];
}
#define CALLS x = next(x); x = next(x); x = next(x); x = next(x);
#else
#define CALL if (x & 1) draw(); x ^= state[threadIdx.x / 32][x % 64];
#define CALLS CALL CALL CALL CALL
#endif

// STAYS: .func _Z4drawv()
// STAYS: .entry kernel(
// STAYS-COUNT-8: call.uni
// STAYS-NOT: call.uni
// STAYS: }

// INLINED-NOT: .func
// INLINED: .entry kernel(
// INLINED-NOT: call
// INLINED: }

// BOTH: .func _Z4drawv()
// BOTH: .entry kernel(
// BOTH: call.uni
// BOTH: .entry kernel__grain_control(
// BOTH-NOT: call
extern "C" __global__ void kernel(unsigned *out, unsigned n) {
  unsigned x = out[threadIdx.x];
#ifdef IN_KERNEL
  unsigned own[16];
#pragma unroll 1
  for (int i = 0; i < 16; ++i)
    own[x >> i & 15] = x ^ i;
  x = own[n & 15];
#endif
  CALLS CALLS
#ifdef MANY
  CALLS CALLS CALLS CALLS CALLS CALLS CALLS CALLS CALLS CALLS CALLS CALLS CALLS CALLS CALLS
#endif
  out[threadIdx.x] = x;
}
