// Barriers of blocks that are one warp wait for that warp alone.
// RUN: %regrain cc -O3 --targets=compute_70 --emit=ptx %s -o - | FileCheck %s
// RUN: %regrain cc -O3 --targets=compute_60 --emit=ptx %s -o - | FileCheck %s --check-prefix=OLD
// RUN: %regrain cc -O3 --targets=compute_70 --emit=ptx --coarsen='anyBlock*:for.block=16' --coarsen='wide*:for.block=8x4' %s -o - | FileCheck %s --check-prefix=KNOWN
// RUN: %regrain cc -O3 --targets=compute_70 --emit=ptx --coarsen='anyBlock*:fuse.x=4,for.block=16' --coarsen='wide*:fuse.x=2,for.block=4x4' %s -o - | FileCheck %s --check-prefix=FUSED
// RUN: %regrain cc -O3 --targets=compute_70 --emit=ptx --coarsen='anyBlock*:bound=32' %s -o - | FileCheck %s --check-prefix=BOUND

// OLD-NOT: bar.warp

// The launch bounds allow fewer threads than a warp has, and the launch says how many there are.
// CHECK-LABEL: .entry _Z7boundedPf(
// CHECK: %ntid.x
// CHECK: %ntid.y
// CHECK: %ntid.z
// CHECK: mul.lo.s32 [[THREADS:%r[0-9]+]],
// CHECK: mov.b32 [[WARP:%r[0-9]+]], 32;
// CHECK: sub.s32 [[MISSING:%r[0-9]+]], [[WARP]], [[THREADS]];
// CHECK: shr.u32 [[MASK:%r[0-9]+]], %r{{[0-9]+}}, [[MISSING]];
// CHECK: bar.warp.sync [[MASK]];
// CHECK-NOT: bar.sync
// CHECK: ret;
__global__ void __launch_bounds__(32) bounded(float *x) {
  __shared__ float all[32];
  all[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  x[threadIdx.x] = all[threadIdx.x ^ 1];
}

// A known block has a constant mask, also where blocks are fused; two warps need the barrier.
// CHECK-LABEL: .entry _Z8anyBlockPf(
// CHECK: bar.sync 0;
// KNOWN-LABEL: .entry _Z8anyBlockPf__grain
// KNOWN: bar.warp.sync 65535;
// KNOWN-NOT: bar.sync
// KNOWN: ret;
// FUSED-LABEL: .entry _Z8anyBlockPf__grain
// FUSED: bar.sync 0;
// BOUND-LABEL: .entry _Z8anyBlockPf__grain
// BOUND: bar.warp.sync %r
__global__ void anyBlock(float *x) {
  __shared__ float all[64];
  all[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  x[threadIdx.x] = all[threadIdx.x ^ 1];
}

// KNOWN-LABEL: .entry _Z4widePf__grain
// KNOWN: bar.warp.sync -1;
// FUSED-LABEL: .entry _Z4widePf__grain
// FUSED: .reqntid 8, 4, 1
// FUSED: bar.warp.sync -1;
__global__ void wide(float *x) {
  __shared__ float all[8][4];
  all[threadIdx.x][threadIdx.y] = x[threadIdx.x];
  __syncthreads();
  x[threadIdx.x] = all[threadIdx.x ^ 1][threadIdx.y];
}

// Arguments, the block and plain loads that all threads do alike decide how often the loop runs.
// CHECK-LABEL: .entry _Z4loopPfPKii(
// CHECK-NOT: bar.sync
// CHECK: bar.warp.sync
// CHECK-NOT: bar.sync
// CHECK: ret;
__global__ void __launch_bounds__(32) loop(float *x, const int *ends, int n) {
  __shared__ float all[32];
  for (int i = blockIdx.x; i < ends[blockIdx.x] + n; i += gridDim.x) {
    all[threadIdx.x] = x[i];
    __syncthreads();
    if (threadIdx.x < 7)
      x[i + threadIdx.x] = all[threadIdx.x ^ 3];
    __syncthreads();
  }
}

// The combined predicate is the same for all threads; its barrier stays.
// CHECK-LABEL: .entry _Z8reducingPi(
// CHECK: bar.warp.sync
// CHECK: bar.red.popc
// CHECK: bar.warp.sync
// CHECK: ret;
__global__ void __launch_bounds__(32) reducing(int *x) {
  __shared__ int all[32];
  all[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  if (__syncthreads_count(all[threadIdx.x ^ 1] > 3) > 2) {
    all[threadIdx.x] += 2;
    __syncthreads();
  }
  x[threadIdx.x] = all[threadIdx.x ^ 1];
}

// Threads that end early never reach the barrier.
// CHECK-LABEL: .entry _Z7exitingPfi(
// CHECK-NOT: bar.warp
// CHECK: bar.sync 0;
// CHECK: ret;
__global__ void __launch_bounds__(32) exiting(float *x, int n) {
  __shared__ float all[32];
  if (threadIdx.x >= n)
    return;
  all[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  x[threadIdx.x] = all[0];
}

// Threads wait at two places.
// CHECK-LABEL: .entry _Z5sidesPf(
// CHECK-NOT: bar.warp
// CHECK-COUNT-2: bar.sync 0;
// CHECK: ret;
__global__ void __launch_bounds__(32) sides(float *x) {
  __shared__ float all[32];
  all[threadIdx.x] = x[threadIdx.x];
  if (threadIdx.x < 16) {
    __syncthreads();
    x[threadIdx.x] = all[threadIdx.x + 16];
  } else {
    __syncthreads();
    x[threadIdx.x] = all[threadIdx.x - 16] + 1;
  }
}

// What is volatile may have changed from one thread to the next, and atomic operations give each
// thread another number.
// CHECK-LABEL: .entry _Z7pollingPfPVi(
// CHECK-NOT: bar.warp
// CHECK: bar.sync 0;
// CHECK: ret;
__global__ void __launch_bounds__(32) polling(float *x, volatile int *flag) {
  __shared__ float all[32];
  while (*flag) {
    all[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    x[threadIdx.x] = all[threadIdx.x ^ 1];
  }
}

// CHECK-LABEL: .entry _Z7ticketsPfPi(
// CHECK-NOT: bar.warp
// CHECK: bar.sync 0;
// CHECK: ret;
__global__ void __launch_bounds__(32) tickets(float *x, int *next) {
  __shared__ float all[32];
  for (int i = atomicAdd(next, 1); i < 100; i = atomicAdd(next, 1)) {
    all[threadIdx.x] = x[i];
    __syncthreads();
    x[threadIdx.x] = all[threadIdx.x ^ 1];
  }
}

// Arrays of a thread differ.
// CHECK-LABEL: .entry _Z3ownPfPKi(
// CHECK-NOT: bar.warp
// CHECK: bar.sync 0;
// CHECK: ret;
__global__ void __launch_bounds__(32) own(float *x, const int *place) {
  __shared__ float all[32];
  int mine[8];
  for (int i = 0; i < 8; ++i)
    mine[i] = place[threadIdx.x * 8 + i];
  for (int i = 0; mine[i & place[0]] > 3; ++i) {
    all[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    x[threadIdx.x] = all[threadIdx.x ^ 1];
  }
}

// So do arguments that a thread writes; those that it only reads do not.
// CHECK-LABEL: .entry _Z7writtenPf5Tablei(
// CHECK-NOT: bar.warp
// CHECK: bar.sync 0;
// CHECK: ret;
struct Table {
  int at[8];
};
__global__ void __launch_bounds__(32) written(float *x, Table table, int n) {
  __shared__ float all[32];
  table.at[threadIdx.x & 7] = n;
  for (int i = 0; table.at[i & n] > 3; ++i) {
    all[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    x[threadIdx.x] = all[threadIdx.x ^ 1];
  }
}

// CHECK-LABEL: .entry _Z8readOnlyPf5Tablei(
// CHECK-NOT: bar.sync
// CHECK: bar.warp.sync
// CHECK-NOT: bar.sync
// CHECK: ret;
__global__ void __launch_bounds__(32) readOnly(float *x, Table table, int n) {
  __shared__ float all[32];
  for (int i = 0; table.at[i & n] > 3; ++i) {
    all[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    x[threadIdx.x] = all[threadIdx.x ^ 1];
  }
}

// Named barriers and barriers in assembly may wait for the same threads.
// CHECK-LABEL: .entry _Z8assemblyPf(
// CHECK-NOT: bar.warp
// CHECK: ret;
__global__ void __launch_bounds__(32) assembly(float *x) {
  __shared__ float all[32];
  all[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  float other = all[threadIdx.x ^ 1];
  asm volatile("bar.sync 0;" ::: "memory");
  all[threadIdx.x] = other;
  __syncthreads();
  x[threadIdx.x] = all[threadIdx.x ^ 2];
}

// Threads may end in assembly, too.
// CHECK-LABEL: .entry _Z14endsInAssemblyPfi(
// CHECK-NOT: bar.warp
// CHECK: bar.sync 0;
// CHECK: ret;
__global__ void __launch_bounds__(32) endsInAssembly(float *x, int n) {
  __shared__ float all[32];
  all[threadIdx.x] = x[threadIdx.x];
  if (threadIdx.x >= n)
    asm volatile("exit;");
  __syncthreads();
  x[threadIdx.x] = all[0];
}

// CHECK-LABEL: .entry _Z5namedPf(
// CHECK-NOT: bar.warp
// CHECK: ret;
__global__ void __launch_bounds__(32) named(float *x) {
  __shared__ float all[32];
  all[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  float other = all[threadIdx.x ^ 1];
  __barrier_sync(0);
  all[threadIdx.x] = other;
  __syncthreads();
  x[threadIdx.x] = all[threadIdx.x ^ 2];
}

// Blocks may have two warps.
// CHECK-LABEL: .entry _Z3twoPf(
// CHECK-NOT: bar.warp
// CHECK: ret;
__global__ void __launch_bounds__(33) two(float *x) {
  __shared__ float all[64];
  all[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  x[threadIdx.x] = all[threadIdx.x ^ 1];
}
