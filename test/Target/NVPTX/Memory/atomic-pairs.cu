// The additions to the elements of an aligned pair become one instruction, unless something is
// between them, or they are not what CUDA's atomicAdd makes.
// REQUIRES: ptxas
// RUN: %regrain cc --targets=compute_90 --emit=ptx %s -o - | FileCheck %s
// RUN: %regrain cc --targets=compute_80 --emit=ptx %s -o - | FileCheck %s --check-prefix=SM80
// RUN: %regrain cc --targets=sm_80,sm_90 -c %s -o %t.o
// RUN: %regrain cc --targets=compute_90 --coarsen='pairs*:block.x=2' --emit=ptx %s -o - \
// RUN:   | FileCheck %s --check-prefix=GRAIN
// RUN: %regrain cc --targets=compute_90 --coarsen='pairs*:thread.x=2' --emit=ptx %s -o - \
// RUN:   | FileCheck %s --check-prefix=THREADS
#include <cuda_bf16.h>
#include <cuda_fp16.h>

// CHECK-LABEL: .entry _Z5pairsP7__half2P14__nv_bfloat162(
// CHECK: atom.global.add.noftz.f16x2
// CHECK-NOT: cas
// CHECK: atom.global.add.noftz.bf16x2
// CHECK: ret;
// Compute capability 8.0 has no addition of bfloat16.
// SM80-LABEL: .entry _Z5pairsP7__half2P14__nv_bfloat162(
// SM80: atom.global.add.noftz.f16x2
// SM80: atom.{{(global.)?}}cas.b32
// SM80: ret;
// The analyses know the additions, which each block still does.
// GRAIN-LABEL: .entry _Z5pairsP7__half2P14__nv_bfloat162__grain_
// GRAIN: atom.global.add.noftz.f16x2
// GRAIN: atom.global.add.noftz.bf16x2
// The additions of two threads are interleaved.
// THREADS-LABEL: .entry _Z5pairsP7__half2P14__nv_bfloat162__grain_
// THREADS-COUNT-2: atom.global.add.noftz.f16x2
// THREADS-NOT: noftz.f16
// THREADS-COUNT-2: atom.global.add.noftz.bf16x2
// THREADS-NOT: atom
// THREADS: ret;
__global__ void pairs(__half2 *halves, __nv_bfloat162 *bfloats) {
  int i = threadIdx.x;
  atomicAdd(halves + i % 7, __half2(__half(1), __half(i)));
  atomicAdd(bfloats + i % 7, __nv_bfloat162(__nv_bfloat16(1), __nv_bfloat16(i)));
}

// CHECK-LABEL: .entry _Z7scalarsP6__halfP13__nv_bfloat16(
// CHECK: atom.global.add.noftz.f16 %
// CHECK: atom.global.add.noftz.bf16 %
// SM80-LABEL: .entry _Z7scalarsP6__halfP13__nv_bfloat16(
// SM80: atom.global.add.noftz.f16 %
// SM80: atom.{{(global.)?}}cas.b32
__global__ void scalars(__half *half, __nv_bfloat16 *bfloat) {
  atomicAdd(half, __half(1));
  atomicAdd(bfloat, __nv_bfloat16(1));
}

// The results are those of the word.
// CHECK-LABEL: .entry _Z7resultsP7__half2(
// CHECK: atom.global.add.noftz.f16x2 [[OLD:%r[0-9]+]], [{{%rd[0-9]+}}], {{%r[0-9]+}};
// CHECK-NOT: atom
// CHECK: st.global
__global__ void results(__half2 *halves) {
  halves[1] = atomicAdd(halves, __half2(__half(1), __half(2)));
}

// CHECK-LABEL: .entry _Z6sharedP7__half2(
// CHECK: atom.shared.add.noftz.f16x2
__global__ void shared(__half2 *out) {
  __shared__ __half2 sum;
  sum = __half2(__half(0), __half(0));
  __syncthreads();
  atomicAdd(&sum, __half2(__half(1), __half(threadIdx.x)));
  __syncthreads();
  out[threadIdx.x] = sum;
}

// Neighbours in an aligned array are a pair as well.
// CHECK-LABEL: .entry _Z10neighboursP7__half2(
// CHECK: atom.shared.add.noftz.f16x2
__global__ void neighbours(__half2 *out) {
  __shared__ __half2 sum;
  sum = *out;
  __syncthreads();
  atomicAdd(&sum.x, __half(1));
  atomicAdd(&sum.y, __half(threadIdx.x));
  __syncthreads();
  out[threadIdx.x] = sum;
}

// Nothing says that the first half begins a word.
// CHECK-LABEL: .entry _Z9unalignedP6__half(
// CHECK-NOT: f16x2
// CHECK-COUNT-2: atom.global.add.noftz.f16 %
__global__ void unaligned(__half *halves) {
  atomicAdd(halves, __half(1));
  atomicAdd(halves + 1, __half(2));
}

// The upper half comes before, or belongs to another word.
// CHECK-LABEL: .entry _Z6othersP7__half2(
// CHECK-NOT: f16x2
// CHECK-COUNT-4: atom.shared.add.noftz.f16 %
__global__ void others(__half2 *out) {
  __shared__ __half2 sum[2];
  sum[threadIdx.x] = *out;
  __syncthreads();
  atomicAdd(&sum[0].y, __half(1));
  atomicAdd(&sum[0].x, __half(threadIdx.x));
  atomicAdd(&sum[1].y, __half(threadIdx.x));
  atomicAdd(&sum[0].y, __half(1));
  __syncthreads();
  out[threadIdx.x] = sum[threadIdx.x];
}

// CHECK-LABEL: .entry _Z13accessBetweenP7__half2Pi(
// CHECK-NOT: f16x2
// CHECK: atom.shared.add.noftz.f16 %
// CHECK: st.global.u32
// CHECK: atom.shared.add.noftz.f16 %
__global__ void accessBetween(__half2 *out, int *flag) {
  __shared__ __half2 sum;
  sum = *out;
  __syncthreads();
  atomicAdd(&sum.x, __half(1));
  *flag = 1;
  atomicAdd(&sum.y, __half(threadIdx.x));
  __syncthreads();
  out[threadIdx.x] = sum;
}

// CHECK-LABEL: .entry _Z11usedBetweenP7__half2(
// CHECK-NOT: f16x2
// CHECK-COUNT-2: atom.shared.add.noftz.f16 %
__global__ void usedBetween(__half2 *out) {
  __shared__ __half2 sum;
  sum = *out;
  __syncthreads();
  __half before = atomicAdd(&sum.x, __half(1));
  atomicAdd(&sum.y, before);
  __syncthreads();
  out[threadIdx.x] = sum;
}

// What the program orders itself stays as it is, and does not join with what it does not order.
// CHECK-LABEL: .entry _Z11otherScopesPDF16_(
// CHECK-NOT: f16x2
// CHECK-COUNT-4: atom.shared.add.noftz.f16 %
__global__ void otherScopes(_Float16 *out) {
  __shared__ alignas(4) _Float16 sum[2];
  sum[threadIdx.x] = *out;
  __syncthreads();
  __atomic_fetch_add(&sum[0], (_Float16)1, __ATOMIC_SEQ_CST);
  __atomic_fetch_add(&sum[1], (_Float16)1, __ATOMIC_SEQ_CST);
  atomicAdd((__half *)&sum[0], __half(threadIdx.x));
  __atomic_fetch_add(&sum[1], (_Float16)1, __ATOMIC_SEQ_CST);
  __syncthreads();
  out[threadIdx.x] = sum[threadIdx.x];
}
int main() { return 0; }
