// RUN: %regrain cc -O3 --targets=ptx --emit=ptx %s | FileCheck %s
// RUN: %regrain cc -O3 --targets=ptx --coarsen='*:block.x=2' --emit=ptx %s | FileCheck %s --check-prefix=JOINED
// __restrict__ concerns one thread: after a barrier or a fence, data that
// another thread wrote through its own copy of the pointer is loaded again.

// CHECK-LABEL: .entry over_barrier(
// CHECK: ld.global.u32
// CHECK: bar.sync
// CHECK: st.global.u32
// CHECK: bar.sync
// CHECK: ld.global.u32
// CHECK: st.global.u32

// JOINED-LABEL: .entry over_barrier__grain_block_x2(
// JOINED: ld.global.u32
// JOINED: bar.sync
// JOINED: st.global.u32
// JOINED: bar.sync
// JOINED: ld.global.u32
extern "C" __global__ void over_barrier(int *__restrict__ p, int *__restrict__ out) {
  int before = p[0];
  __syncthreads();
  if (threadIdx.x == 39)
    p[0] = 996;
  __syncthreads();
  out[threadIdx.x] = before + p[0];
}

// The kernel does not write through the pointer itself.

// CHECK-LABEL: .entry in_a_function(
// CHECK: ld.global.u32
// CHECK: bar.sync
// CHECK: bar.sync
// CHECK: ld.global.u32
__device__ __noinline__ void put(int *p, int value) { *p = value; }
__device__ void putByReference(int *__restrict__ const &p, int value) { put(p + 1, value); }
extern "C" __global__ void in_a_function(int *__restrict__ p, int *__restrict__ out) {
  int before = p[1];
  __syncthreads();
  if (threadIdx.x == 39)
    putByReference(p, 996);
  __syncthreads();
  out[threadIdx.x] = before + p[1];
}

// The barrier is in a function, which lanes of a warp reach.

// CHECK-LABEL: .entry over_warp(
// CHECK: st.global.u32
// CHECK: bar.warp.sync
// CHECK-COUNT-2: ld.global.u32
// CHECK: st.global.u32
__device__ void meet() { __syncwarp(); }
extern "C" __global__ void over_warp(int *__restrict__ p, int *__restrict__ out) {
  p[threadIdx.x] = 3;
  meet();
  out[threadIdx.x] = p[threadIdx.x] + p[threadIdx.x ^ 1];
}

// CHECK-LABEL: .entry over_fence(
// CHECK: ld.global.u32
// CHECK: membar.gl
// CHECK: ld.global.u32
// CHECK: st.global.u32
extern "C" __global__ void over_fence(int *__restrict__ p, volatile int *flag,
                                      int *__restrict__ out) {
  int before = p[0];
  if (threadIdx.x == 39)
    p[0] = before + 1;
  int is_set = *flag;
  __threadfence();
  if (is_set)
    out[threadIdx.x] = before + p[0];
}

// No thread writes what is only read through a restricted pointer: it is read
// once, and through the cache that need not see writes.

// CHECK-LABEL: .entry only_read(
// CHECK: ld.global.nc.u32
// CHECK: bar.sync
// CHECK-NOT: ld.global
// CHECK: ret;
__device__ int at(const int *p, int i) { return p[i]; }
extern "C" __global__ void only_read(int *__restrict__ p, int *__restrict__ out) {
  int before = at(p, 0);
  __syncthreads();
  out[threadIdx.x] = before + at(p, 0);
}

// If no thread can see others, a sum in memory stays in a register, whatever
// the kernel calls.

// CHECK-LABEL: .entry alone(
// CHECK-COUNT-2: ld.global.f32
// CHECK: bra
// CHECK-NOT: ld.global.f32
// CHECK: ret;
extern "C" __global__ void alone(float *__restrict__ a, float *__restrict__ b, int n) {
  for (int i = 0; i < n; ++i) {
    a[threadIdx.x] += expf(float(i));
    b[threadIdx.x] += a[threadIdx.x];
  }
}
