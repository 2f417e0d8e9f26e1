// Loops that wait and hang in lockstep are refused with their line; those that do not hang are kept.
// RUN: %device-ir %s -o %t.ll
// RUN: regrain-amdgpu-test %t.ll --block=64 --grid=3 --resident=3 | FileCheck %s

#include <cuda_fp16.h>

// Each thread takes the lock by itself and releases it after the loop.
// CHECK-DAG: gfx90a _Z9afterLoopPiPKii: refused [lockstep-wait] a loop waits for another lane of the same wave, which can go on only after the loop, because the lanes of a wave run in lockstep ({{.*}}waiting.cu:[[#@LINE+3]])
// CHECK-DAG: gfx1100 _Z9afterLoopPiPKii: refused
__global__ void afterLoop(int *out, const int *in, int n) {
  while (atomicCAS(out, 0, 1) != 0)
    ;
  ((volatile int *)out)[1] = in[threadIdx.x];
  __threadfence();
  atomicExch(out, 0);
}

// A lock is a bit, or a number that decreases. What a failed iteration puts
// back does not count as taken, in any place.
// CHECK-DAG: gfx90a _Z7lockBitPiPKii: refused [lockstep-wait]
// CHECK-DAG: gfx1100 _Z7lockBitPiPKii: refused [lockstep-wait]
__global__ void lockBit(int *out, const int *in, int n) {
  while (atomicOr(out, 4) & 4)
    ;
  ((volatile int *)out)[1] = in[threadIdx.x];
  __threadfence();
  atomicAnd(out, ~4);
}
// CHECK-DAG: gfx90a _Z7permitsPiPKii: refused [lockstep-wait]
// CHECK-DAG: gfx1100 _Z7permitsPiPKii: refused [lockstep-wait]
__global__ void permits(int *out, const int *in, int n) {
  while (atomicSub(out, 1) <= 0)
    atomicAdd(out, 1);
  ((volatile int *)out)[1] = in[threadIdx.x];
  __threadfence();
  atomicAdd(out, 1);
}
// CHECK-DAG: gfx90a _Z9permittedPiPKii: refused [lockstep-wait]
// CHECK-DAG: gfx1100 _Z9permittedPiPKii: refused [lockstep-wait]
__global__ void permitted(int *out, const int *in, int n) {
  bool has;
  do {
    has = atomicSub(out, 1) > 0;
    if (!has)
      atomicAdd(out, 1);
  } while (!has);
  ((volatile int *)out)[1] = in[threadIdx.x];
  __threadfence();
  atomicAdd(out, 1);
}

// The word that is waited for differs in each iteration.
// CHECK-DAG: gfx90a _Z5roundPiPKii: refused [lockstep-wait]
// CHECK-DAG: gfx1100 _Z5roundPiPKii: refused [lockstep-wait]
__global__ void round(int *out, const int *in, int n) {
  if (threadIdx.x != 5)
    for (int i = 0; ((volatile int *)out)[1 + i % 4] != n; ++i)
      ;
  ((volatile int *)out)[1 + threadIdx.x % 4] = n;
}

// Tickets come to an end, even if others draw, too, and after the loop.
// CHECK-DAG: gfx90a _Z4drawPiPKii: agrees
// CHECK-DAG: gfx1100 _Z4drawPiPKii: agrees
__global__ void draw(int *out, const int *in, int n) {
  while (atomicAdd(out, 1) < 100)
    ;
  atomicAdd(out, 1);
}

// They do not if the loop takes them back.
// CHECK-DAG: gfx90a _Z4comePiPKii: refused [lockstep-wait]
// CHECK-DAG: gfx1100 _Z4comePiPKii: refused [lockstep-wait]
__global__ void come(int *out, const int *in, int n) {
  while (atomicAdd(out, 1) < 100)
    atomicSub(out, 1);
  atomicAdd(out, 100);
}

// The lock is released in the iteration in which it was taken.
// CHECK-DAG: gfx90a _Z9withinRowPiPKii: agrees
// CHECK-DAG: gfx1100 _Z9withinRowPiPKii: agrees
__global__ void withinRow(int *out, const int *in, int n) {
  bool done = false;
  while (!done)
    if (atomicCAS(out, 0, 1) == 0) {
      ((volatile int *)out)[1] = ((volatile int *)out)[1] + (in[threadIdx.x] & 3);
      __threadfence();
      atomicExch(out, 0);
      done = true;
    }
}

// One thread of each block takes it, and releases it.
// CHECK-DAG: gfx90a _Z7electedPiPKii: agrees
// CHECK-DAG: gfx1100 _Z7electedPiPKii: agrees
__global__ void elected(int *out, const int *in, int n) {
  if (threadIdx.x == 0)
    while (atomicCAS(out, 0, 1) != 0)
      ;
  __syncthreads();
  if (threadIdx.x < 16)
    ((volatile int *)out)[1 + threadIdx.x] = ((volatile int *)out)[1 + threadIdx.x] + 1;
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0)
    atomicExch(out, 0);
}

// One lane of each warp does: these are two of a wave of 64.
// CHECK-DAG: gfx90a _Z7perWarpPiPKii: refused [lockstep-wait]
// CHECK-DAG: gfx1100 _Z7perWarpPiPKii: agrees
__global__ void perWarp(int *out, const int *in, int n) {
  if (threadIdx.x % 32 == 0)
    while (atomicCAS(out, 0, 1) != 0)
      ;
  __syncwarp();
  if (threadIdx.x % 32 == 5)
    ((volatile int *)out)[1] = ((volatile int *)out)[1] + 1;
  __threadfence();
  __syncwarp();
  if (threadIdx.x % 32 == 0)
    atomicExch(out, 0);
}

// All blocks meet: one thread of each counts and waits.
// CHECK-DAG: gfx90a _Z9allBlocksPiPKii: agrees
// CHECK-DAG: gfx1100 _Z9allBlocksPiPKii: agrees
__device__ int arrived;
__global__ void allBlocks(int *out, const int *in, int n) {
  for (int round = 1; round <= 3; ++round) {
    __syncthreads();
    if (threadIdx.x == 0) {
      atomicAdd(&arrived, 1);
      while (atomicAdd(&arrived, 0) < round * (int)gridDim.x)
        ;
    }
    __syncthreads();
  }
  out[1 + blockIdx.x * blockDim.x + threadIdx.x] = in[threadIdx.x];
}

// A block waits for the flag of its predecessor, and any thread sets its own.
// CHECK-DAG: gfx90a _Z5chainPiPKii: agrees
// CHECK-DAG: gfx1100 _Z5chainPiPKii: agrees
__global__ void chain(int *out, const int *in, int n) {
  if (threadIdx.x == 0 && blockIdx.x > 0)
    while (((volatile int *)out)[blockIdx.x - 1] == 0)
      ;
  __syncthreads();
  if (threadIdx.x == blockDim.x - 1)
    ((volatile int *)out)[blockIdx.x] = blockIdx.x + 1;
}

// The other side of a branch sets the flag.
// CHECK-DAG: gfx90a _Z6besidePiPKii: refused [lockstep-wait]
// CHECK-DAG: gfx1100 _Z6besidePiPKii: refused [lockstep-wait]
__global__ void beside(int *out, const int *in, int n) {
  __shared__ volatile int flag;
  flag = 0;
  __syncthreads();
  if (threadIdx.x < 16)
    while (flag == 0)
      ;
  else
    flag = 1;
  out[threadIdx.x] = 1;
}

// The next lane sets it, after the loop.
// CHECK-DAG: gfx90a _Z4nextPiPKii: refused [lockstep-wait]
// CHECK-DAG: gfx1100 _Z4nextPiPKii: refused [lockstep-wait]
__global__ void next(int *out, const int *in, int n) {
  volatile int *flags = out;
  if (threadIdx.x > 0)
    while (flags[threadIdx.x - 1] == 0)
      ;
  flags[threadIdx.x] = 1;
}

// Nothing here is a wait: the exchange continues from the value it has seen.
// CHECK-DAG: gfx90a _Z5retryPiPKii: agrees
// CHECK-DAG: gfx1100 _Z5retryPiPKii: agrees
__global__ void retry(int *out, const int *in, int n) {
  int seen = *(volatile int *)out, expected;
  do {
    expected = seen;
    seen = atomicCAS(out, expected, expected > in[threadIdx.x] ? expected : in[threadIdx.x]);
  } while (seen != expected);
}

// Some lanes leave on a path that the whole block takes, the others wait for them.
// CHECK-DAG: gfx90a _Z4sidePiPKii: refused [lockstep-wait]
// CHECK-DAG: gfx1100 _Z4sidePiPKii: refused [lockstep-wait]
__global__ void side(int *out, const int *in, int n) {
  if (n > 3) {
    if (in[threadIdx.x] > 40) {
      atomicExch(out, 1);
      return;
    }
    ((volatile int *)out)[1] = n;
  }
  while (((volatile int *)out)[0] == 0)
    ;
}

// The wait may be for what is written, by another name.
// CHECK-DAG: gfx90a _Z9otherNamePiPKii: refused [lockstep-wait]
// CHECK-DAG: gfx1100 _Z9otherNamePiPKii: refused [lockstep-wait]
__global__ void otherName(int *out, const int *in, int n) {
  while (((const volatile int *)in)[1 + threadIdx.x % 2] == 0)
    ;
  atomicExch(out + 1 + threadIdx.x % 2, 1);
}

// A write by the same name does not exclude one by another.
// CHECK-DAG: gfx90a _Z9bothNamesPiPKii: refused [lockstep-wait]
// CHECK-DAG: gfx1100 _Z9bothNamesPiPKii: refused [lockstep-wait]
__global__ void bothNames(int *out, const int *in, int n) {
  volatile int *seen = (volatile int *)in;
  if (threadIdx.x == 5)
    seen[1] = 7;
  if (threadIdx.x == 1)
    while (seen[0] == 0)
      ;
  if (threadIdx.x == 0)
    atomicExch(out, 42);
}

// A row may be shorter than the block, so that two threads have one number.
// CHECK-DAG: gfx90a _Z9shortRowsPiPKii: refused [lockstep-wait]
// CHECK-DAG: gfx1100 _Z9shortRowsPiPKii: refused [lockstep-wait]
__device__ int rowLock;
__global__ void shortRows(int *out, const int *in, int n) {
  if (threadIdx.y * n + threadIdx.x == n) {
    while (atomicCAS(&rowLock, 0, 1) != 0)
      ;
    out[1] = out[1] + n;
    __threadfence();
    atomicExch(&rowLock, 0);
  }
}

// This is the number of the thread in its block, and the first thread of rows of 16.
// CHECK-DAG: gfx90a _Z8fullRowsPiPKii: agrees
// CHECK-DAG: gfx1100 _Z8fullRowsPiPKii: agrees
__global__ void fullRows(int *out, const int *in, int n) {
  if (threadIdx.y * blockDim.x + threadIdx.x == 5) {
    while (atomicCAS(&rowLock, 0, 1) != 0)
      ;
    out[1] = n;
    __threadfence();
    atomicExch(&rowLock, 0);
  }
}

// CHECK-DAG: gfx90a _Z10firstOfAllPiPKii: agrees
// CHECK-DAG: gfx1100 _Z10firstOfAllPiPKii: agrees
__global__ void firstOfAll(int *out, const int *in, int n) {
  if (threadIdx.y * 16 + threadIdx.x == 0) {
    while (atomicCAS(&rowLock, 0, 1) != 0)
      ;
    out[2] = n;
    __threadfence();
    atomicExch(&rowLock, 0);
  }
}

// Rows have more threads than a block, but no two of them: a part of that number is not unique.
// CHECK-DAG: gfx90a _Z8wideRowsPiPKii: agrees
// CHECK-DAG: gfx1100 _Z8wideRowsPiPKii: agrees
__global__ void wideRows(int *out, const int *in, int n) {
  if (threadIdx.y * 4096 + threadIdx.x == 4097) {
    while (atomicCAS(&rowLock, 0, 1) != 0)
      ;
    out[3] = n;
    __threadfence();
    atomicExch(&rowLock, 0);
  }
}

// CHECK-DAG: gfx90a _Z10partOfRowsPiPKii: refused [lockstep-wait]
// CHECK-DAG: gfx1100 _Z10partOfRowsPiPKii: refused [lockstep-wait]
__global__ void partOfRows(int *out, const int *in, int n) {
  if (((threadIdx.y * 1500 + threadIdx.x) & 2047) == 5) {
    while (atomicCAS(&rowLock, 0, 1) != 0)
      ;
    out[3] = n;
    __threadfence();
    atomicExch(&rowLock, 0);
  }
}

// CHECK-DAG: gfx90a _Z12partOfNumberPiPKii: agrees
// CHECK-DAG: gfx1100 _Z12partOfNumberPiPKii: agrees
__global__ void partOfNumber(int *out, const int *in, int n) {
  if (((threadIdx.y * blockDim.x + threadIdx.x) & 63) == 5) {
    while (atomicCAS(&rowLock, 0, 1) != 0)
      ;
    out[3] = n;
    __threadfence();
    atomicExch(&rowLock, 0);
  }
}

// CHECK-DAG: gfx90a _Z11shortOfRowsPiPKii: refused [lockstep-wait]
// CHECK-DAG: gfx1100 _Z11shortOfRowsPiPKii: refused [lockstep-wait]
__global__ void shortOfRows(int *out, const int *in, int n) {
  if ((unsigned short)(threadIdx.y * 65537 + threadIdx.x) == 5) {
    while (atomicCAS(&rowLock, 0, 1) != 0)
      ;
    out[3] = n;
    __threadfence();
    atomicExch(&rowLock, 0);
  }
}

// CHECK-DAG: gfx90a _Z11wrappedRowsPiPKii: refused [lockstep-wait]
// CHECK-DAG: gfx1100 _Z11wrappedRowsPiPKii: refused [lockstep-wait]
__global__ void wrappedRows(int *out, const int *in, int n) {
  if (threadIdx.y * 0x80000000u + threadIdx.x == 5) {
    while (atomicCAS(&rowLock, 0, 1) != 0)
      ;
    out[3] = n;
    __threadfence();
    atomicExch(&rowLock, 0);
  }
}

// A retry ends, whatever its functions keep in variables and whatever follows it.
// CHECK-DAG: gfx90a _Z6halvesPiPKii: agrees
// CHECK-DAG: gfx1100 _Z6halvesPiPKii: agrees
__global__ void halves(int *out, const int *in, int n) {
  __half2 *pairs = (__half2 *)out;
  atomicAdd(pairs + 8 + (threadIdx.x & 1), __floats2half2_rn(0, 0));
  atomicAdd(pairs + 10, __floats2half2_rn(0, 0));
}

// The elected thread differs from lane to lane, and so does a flag.
// CHECK-DAG: gfx90a _Z10twoLeadersPiPKii: refused [lockstep-wait]
// CHECK-DAG: gfx1100 _Z10twoLeadersPiPKii: refused [lockstep-wait]
__global__ void twoLeaders(int *out, const int *in, int n) {
  int leader;
  if (in[threadIdx.x] & 1) {
    atomicAdd(out + 2, 1);
    leader = 3;
  } else {
    atomicAdd(out + 3, 1);
    leader = 4;
  }
  if (threadIdx.x == leader) {
    while (atomicCAS(&rowLock, 0, 1) != 0)
      ;
    out[1] = n;
    __threadfence();
    atomicExch(&rowLock, 0);
  }
}

// CHECK-DAG: gfx90a _Z8twoFlagsPiPKii: refused [lockstep-wait]
// CHECK-DAG: gfx1100 _Z8twoFlagsPiPKii: refused [lockstep-wait]
__global__ void twoFlags(int *out, const int *in, int n) {
  volatile int *flags = out;
  int which;
  if (threadIdx.x & 1) {
    atomicAdd(out + 2, 1);
    which = 1;
  } else {
    atomicAdd(out + 3, 1);
    which = 0;
  }
  while (flags[which] == 0)
    ;
  if (which == 0)
    flags[1] = 1;
}

// By this counter, lanes have left a loop in different iterations.
// CHECK-DAG: gfx90a _Z15leadersByRoundsPiPKii: refused [lockstep-wait]
// CHECK-DAG: gfx1100 _Z15leadersByRoundsPiPKii: refused [lockstep-wait]
__global__ void leadersByRounds(int *out, const int *in, int n) {
  int leader = 0;
  while (in[threadIdx.x + leader] & 1)
    ++leader;
  if (threadIdx.x == leader) {
    while (atomicCAS(&rowLock, 0, 1) != 0)
      ;
    out[1] = n;
    __threadfence();
    atomicExch(&rowLock, 0);
  }
}

// __restrict__ says that it is not.
// CHECK-DAG: gfx90a _Z10restrictedPiPKii: agrees
// CHECK-DAG: gfx1100 _Z10restrictedPiPKii: agrees
__global__ void restricted(int *__restrict__ out, const int *__restrict__ in, int n) {
  while (((const volatile int *)in)[1 + threadIdx.x % 2] == 0)
    ;
  atomicExch(out + 1 + threadIdx.x % 2, 1);
}

// A lock has its own name; the plain writes are to something else.
// CHECK-DAG: gfx90a _Z7ownNamePiPKii: agrees
// CHECK-DAG: gfx1100 _Z7ownNamePiPKii: agrees
__device__ int ownLock;
__global__ void ownName(int *out, const int *in, int n) {
  if (threadIdx.x == 0)
    while (atomicCAS(&ownLock, 0, 1) != 0)
      ;
  __syncthreads();
  out[1 + blockIdx.x * blockDim.x + threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  if (threadIdx.x == 0)
    atomicExch(&ownLock, 0);
}
