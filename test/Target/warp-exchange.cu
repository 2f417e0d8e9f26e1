// Groups of 128 threads find their largest number in one warp: by shuffles, without shared memory and barriers of the
// block. In a block of four groups, each group is a warp.
// RUN: %regrain cc -O3 --targets=compute_90 --coarsen='oneGroup:thread.x=4,exchange=warp,for.block=128' --coarsen='fourGroups:thread.x=4:contiguous,exchange=warp,for.block=512' --emit=ptx %s | FileCheck %s
// RUN: %regrain cc -O3 --targets=compute_90 --coarsen='*:thread.x=8,exchange=warp,for.block=512' --emit=ptx %s 2>&1 | FileCheck %s --check-prefix=REFUSED
// REFUSED: fourGroups{{.*}}exchange

// CHECK-LABEL: .entry {{.*}}oneGroup{{.*}}exchangewarp
// CHECK: .reqntid 32, 1, 1
// CHECK-NOT: {{bar.sync|barrier|.shared|.local}}
// CHECK: shfl.sync.down.b32 {{.*}}, 16, 31, -1;
// CHECK: shfl.sync.down.b32 {{.*}}, 8, 31, -1;
// CHECK: shfl.sync.down.b32 {{.*}}, 4, 31, -1;
// CHECK: shfl.sync.down.b32 {{.*}}, 2, 31, -1;
// CHECK: shfl.sync.idx.b32 {{.*}}, 1, 31, -1;
// CHECK: shfl.sync.idx.b32 {{.*}}, 0, 31, -1;
// CHECK-NOT: {{bar.sync|barrier|.shared|.local}}
// CHECK: ret;
__global__ void oneGroup(float *out, const float *in) {
  __shared__ float tree[128];
  int t = threadIdx.x, i = blockIdx.x * 128 + t;
  tree[t] = fabsf(in[i]);
  __syncthreads();
  for (int far = 64; far > 0; far >>= 1) {
    if (t < far)
      tree[t] = fmaxf(tree[t], tree[t + far]);
    __syncthreads();
  }
  out[i] = in[i] / tree[0];
}

// CHECK-LABEL: .entry {{.*}}fourGroups{{.*}}exchangewarp
// CHECK: .reqntid 128, 1, 1
// CHECK-NOT: {{.shared|.local}}
// CHECK: shfl.sync.down.b32 {{.*}}, 16, 31, -1;
// CHECK: shfl.sync
// CHECK-NOT: {{.shared|.local}}
__global__ void fourGroups(float *out, const float *in) {
  __shared__ float tree[4][128];
  int t = threadIdx.x % 128, group = threadIdx.x / 128, i = blockIdx.x * 512 + threadIdx.x;
  tree[group][t] = fabsf(in[i]);
  __syncthreads();
  for (int far = 64; far > 0; far >>= 1) {
    if (t < far)
      tree[group][t] = fmaxf(tree[group][t], tree[group][t + far]);
    __syncthreads();
  }
  out[i] = in[i] / tree[group][0];
}
