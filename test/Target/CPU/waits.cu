// This tests what suspends a thread, what stays a loop, and which blocks may wait for others.
// RUN: %device-ir %s -o %t.ll
// RUN: regrain-cpu-test %t.ll --emit=lowered --kernel=counted --kernel=histogram --kernel=retried --kernel=drawn --kernel=drawnTwice --kernel=counting --kernel=edges --kernel=swept --kernel=delayed | FileCheck %s --check-prefix=STAYS
// RUN: regrain-cpu-test %t.ll --emit=lowered --kernel=polled --kernel=locked --kernel=bounded --kernel=varying --kernel=fenced --kernel=called --kernel=told --kernel=retriedLock --kernel=reset --kernel=takenBack --kernel=putBack --kernel=takenBackBehind --kernel=farAway --kernel=farLimit --kernel=overTheEnd --kernel=ownStore --kernel=spoilt --kernel=irreducible | FileCheck %s --check-prefix=WAITS
// RUN: regrain-cpu-test %t.ll --emit=lowered --kernel=together --kernel=inBlock | FileCheck %s --check-prefix=BLOCK

// A constant ends with whether the kernel may wait for other blocks.
#define KERNEL extern "C" __global__ void

// The end does not depend on what is read.
// STAYS: @counted = {{.*}} ptr @counted.run, i32 0 }
KERNEL counted(int *out, int *in, int n) {
  for (int i = 0; i < n; ++i)
    atomicAdd(out + i, *(volatile int *)(in + i));
}
// STAYS: @histogram = {{.*}} ptr @histogram.run, i32 0 }
KERNEL histogram(int *out, int *in, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    if (atomicAdd(out + in[i] % 16, 1) == 5)
      atomicMax(out + 16, i);
}
// A compare-and-exchange retries with the value that it read.
// STAYS: @retried = {{.*}} ptr @retried.run, i32 0 }
KERNEL retried(int *out, int *in, int n) {
  int old = out[n], assumed;
  do {
    assumed = old;
    old = atomicCAS(out + n, assumed, assumed * 3 + in[threadIdx.x]);
  } while (assumed != old);
}
// Tickets are drawn up to a limit.
// STAYS: @drawn = {{.*}} ptr @drawn.run, i32 0 }
KERNEL drawn(int *out, int *in, int n) {
  int i;
  while ((i = atomicAdd(in, 1)) < n)
    out[i] = i;
}
// Every draw of the loop goes the same way, and other memory may change in any way.
// STAYS: @drawnTwice = {{.*}} ptr @drawnTwice.run, i32 0 }
KERNEL drawnTwice(int *out, int *in, int n) {
  while (atomicAdd(in, 1) < n)
    atomicAdd(out, 2);
}
// STAYS: @counting = {{.*}} ptr @counting.run, i32 0 }
KERNEL counting(int *__restrict__ out, int *__restrict__ in, int n) {
  while (atomicAdd(in, 1) < n)
    atomicMax(out, n);
}
// A limit is read again beside an atomic, but not to wait for others.
// STAYS: @edges = {{.*}} ptr @edges.run, i32 0 }
KERNEL edges(int *out, int *in, int n) {
  for (int e = in[threadIdx.x]; e < in[threadIdx.x + 1]; ++e)
    atomicMin(out + in[e], n);
}
// The loop reads its end, which no other thread can have written.
// STAYS: @swept = {{.*}} ptr @swept.run, i32 0 }
KERNEL swept(int *out, int *in, int n) {
  int at = threadIdx.x;
  while (in[at] != at)
    at = in[at];
  out[threadIdx.x] = at;
}
// STAYS: @delayed = {{.*}} ptr @delayed.run, i32 0 }
// STAYS-NOT: .thread.resume(
KERNEL delayed(int *out, int *in, int n) {
  long long start = clock64();
  while (clock64() - start < n)
    atomicAdd(out, 1);
}

// WAITS: @polled = {{.*}} ptr @polled.run, i32 1 }
// WAITS: @locked = {{.*}} ptr @locked.run, i32 1 }
// WAITS: @bounded = {{.*}} ptr @bounded.run, i32 1 }
// WAITS: @varying = {{.*}} ptr @varying.run, i32 1 }
// WAITS: @fenced = {{.*}} ptr @fenced.run, i32 1 }
// WAITS: @called = {{.*}} ptr @called.run, i32 1 }
// WAITS: @told = {{.*}} ptr @told.run, i32 1 }
// WAITS: @retriedLock = {{.*}} ptr @retriedLock.run, i32 1 }
// WAITS: @reset = {{.*}} ptr @reset.run, i32 1 }
// WAITS: @takenBack = {{.*}} ptr @takenBack.run, i32 1 }
// WAITS: @putBack = {{.*}} ptr @putBack.run, i32 1 }
// WAITS: @takenBackBehind = {{.*}} ptr @takenBackBehind.run, i32 1 }
// WAITS: @farAway = {{.*}} ptr @farAway.run, i32 1 }
// WAITS: @farLimit = {{.*}} ptr @farLimit.run, i32 1 }
// WAITS: @overTheEnd = {{.*}} ptr @overTheEnd.run, i32 1 }
// WAITS: @ownStore = {{.*}} ptr @ownStore.run, i32 1 }
// WAITS: @spoilt = {{.*}} ptr @spoilt.run, i32 1 }
// WAITS: @irreducible = {{.*}} ptr @irreducible.run, i32 1 }

// WAITS: define {{.*}} @polled.thread.resume(
KERNEL polled(int *out, int *in, int n) {
  while (atomicMax(out, 0) == 0) {
  }
}
// WAITS: define {{.*}} @locked.thread.resume(
KERNEL locked(int *out, int *in, int n) {
  while (atomicAdd(out + in[0], 1) != 0) {
  }
  atomicExch(out + in[0], 0);
}
// WAITS: define {{.*}} @bounded.thread.resume(
KERNEL bounded(int *out, int *in, int n) {
  for (int i = 0; i < 100000; ++i)
    if (atomicOr(out, 0))
      break;
}
// WAITS: define {{.*}} @varying.thread.resume(
KERNEL varying(int *out, int *in, int n) {
  for (int i = 0; *(volatile int *)(out + i % n) == 0; ++i) {
  }
}
// WAITS: define {{.*}} @fenced.thread.resume(
KERNEL fenced(int *out, int *in, int n) {
  while (*out == 0)
    __threadfence();
}
__device__ __noinline__ int look(int *at, int depth) {
  return depth ? look(at, depth - 1) : *(volatile int *)at;
}
// WAITS: define {{.*}} @called.thread.resume(
KERNEL called(int *out, int *in, int n) {
  while (!look(out, n)) {
  }
}
// The read decides how a variable is set, and the variable decides the end.
// WAITS: define {{.*}} @told.thread.resume(
KERNEL told(int *out, int *in, int n) {
  int state = 3, turns = 0;
  while (state) {
    if (atomicExch(out, 0))
      state = 0;
    ++turns;
  }
  in[threadIdx.x] = turns;
}
// A retry iterates without an attempt while the word is 0.
// WAITS: define {{.*}} @retriedLock.thread.resume(
KERNEL retriedLock(int *out, int *in, int n) {
  while (true) {
    int seen = *(volatile int *)out;
    if (seen > 0 && atomicCAS(out, seen, seen - 1) == seen)
      break;
  }
}
// Tickets are drawn from another place in each iteration.
// WAITS: define {{.*}} @reset.thread.resume(
KERNEL reset(int *out, int *in, int n) {
  while (atomicAdd(out + in[*(volatile int *)in], 1) < n) {
  }
}
// The loop returns tickets, by a name that may be another one of the same memory.
// WAITS: define {{.*}} @takenBack.thread.resume(
KERNEL takenBack(int *out, int *in, int n) {
  while (atomicAdd(out, 1) < n)
    atomicSub(in, 1);
}
// WAITS: define {{.*}} @putBack.thread.resume(
KERNEL putBack(int *out, int *in, int n) {
  while (atomicAdd(out, 1) < n)
    *(volatile int *)in = 0;
}
__device__ __noinline__ void take(int *at, int depth) {
  if (depth)
    take(at, depth - 1);
  else
    atomicSub(at, 1);
}
// WAITS: define {{.*}} @takenBackBehind.thread.resume(
KERNEL takenBackBehind(int *out, int *in, int n) {
  while (atomicAdd(out, 1) < n)
    take(in, n);
}
// A counter of 64 bits may be too far from the limit.
// WAITS: define {{.*}} @farAway.thread.resume(
KERNEL farAway(unsigned long long *out, int *in, int n) {
  while ((long long)atomicAdd(out, 1ull) < 0) {
  }
}
// No thread is meant to reach the limit alone.
// WAITS: define {{.*}} @farLimit.thread.resume(
KERNEL farLimit(int *out, int *in, int n) {
  while (atomicAdd(out, 1) < 1 << 30) {
  }
}
// Steps may pass over the limit.
// WAITS: define {{.*}} @overTheEnd.thread.resume(
KERNEL overTheEnd(int *out, int *in, int n) {
  while (atomicAdd(out, 0x40000000) < n) {
  }
}
// The thread sets the counter itself, unless another has told it to stop.
// WAITS: define {{.*}} @ownStore.thread.resume(
KERNEL ownStore(int *out, int *in, int n) {
  while (atomicAdd(out, 1) < 5)
    if (*(volatile int *)in == 0)
      out[0] = 0;
}
// A retry changes the word before its attempt.
// WAITS: define {{.*}} @spoilt.thread.resume(
KERNEL spoilt(int *out, int *in, int n) {
  int seen;
  do {
    seen = *(volatile int *)out;
    atomicAdd(out, *(volatile int *)in);
  } while (atomicCAS(out, seen, seen + 1) != seen);
}
// One cycle has two entries.
// WAITS: define {{.*}} @irreducible.thread.resume(
KERNEL irreducible(int *out, int *in, int n) {
  int turn = 0;
  if (in[threadIdx.x] > 5)
    goto second;
first:
  out[turn++] = n;
  if (atomicAdd(in, 0) != 0)
    return;
second:
  out[turn++] = in[turn];
  if (*(volatile int *)in == 0)
    goto first;
}

// Each iteration meets the others at a barrier anyway: it stays a loop over the
// threads, and only the block waits.
// BLOCK: @together = {{.*}} ptr @together.run, i32 1 }
// BLOCK: @inBlock = {{.*}} ptr @inBlock.run, i32 0 }
// BLOCK-NOT: @together.thread.resume(
KERNEL together(int *out, int *in, int n) {
  __shared__ int seen;
  do {
    __syncthreads();
    if (threadIdx.x == 0)
      seen = *(volatile int *)out;
    __syncthreads();
  } while (seen == 0);
}
// Only threads of the block can end it.
// BLOCK: define {{.*}} @inBlock.thread.resume(
KERNEL inBlock(int *out, int *in, int n) {
  __shared__ int flag;
  flag = 0;
  __syncthreads();
  if (threadIdx.x == 0)
    while (atomicAdd(&flag, 0) == 0) {
    }
  else
    atomicExch(&flag, 1);
}
