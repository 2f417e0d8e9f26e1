// Rows of tiles are copied by bulk copies from compute capability 9.0 on. The first thread makes the word that counts them,
// and all threads wait behind the next barrier. ptxas accepts that.
// RUN: %regrain cc -O3 --targets=compute_90 --coarsen='plane:staging=shared,copies=bulk,for.block=64x8x1,for.pointers=16,for.arg2=2n' --coarsen='product:shape=16x8x1,block.x=8,block.y=8,staging=loops,copies=bulk,for.pointers=16,for.arg3=4n' --coarsen='mixed:shape=64x4x1,staging=loops,copies=bulk,for.pointers=16,for.arg3=4n' --coarsen='halo:staging=loops,copies=bulk,for.block=64x4x1,for.pointers=16,for.arg2=4n' --coarsen='followed:staging=loops,copies=bulk,for.block=64x4x1,for.pointers=16,for.arg3=4n' --emit=ptx %s -o %t.90.ptx
// RUN: FileCheck %s --input-file=%t.90.ptx
// RUN: %regrain cc -O3 --targets=sm_90 --coarsen='plane:staging=shared,copies=bulk,for.block=64x8x1,for.pointers=16,for.arg2=2n' -c %s -o %t.o
//
// Before that, and in a block of one warp, a copy is a loop of copies of 16 bytes.
// RUN: %regrain cc -O3 --targets=compute_80 --coarsen='plane:staging=shared,copies=bulk,for.block=64x8x1,for.pointers=16,for.arg2=2n' --emit=ptx %s | FileCheck %s --check-prefix=OLD
// RUN: %regrain cc -O3 --targets=compute_90 --coarsen='plane:staging=shared,copies=bulk,for.block=32x1x1,for.pointers=16,for.arg2=2n' --emit=ptx %s | FileCheck %s --check-prefix=WARP
//
// The grain is refused where it has nothing to copy, and without tiles.
// RUN: %regrain cc -O3 --targets=compute_90 --coarsen='plane:staging=shared,copies=bulk,for.block=64x8x1' --emit=ptx %s -o %t.ptx 2>&1 | FileCheck %s --check-prefix=UNALIGNED
// RUN: not %regrain cc -O3 --targets=compute_90 --coarsen='plane:copies=bulk' --emit=ptx %s -o %t.ptx 2>&1 | FileCheck %s --check-prefix=ALONE

// UNALIGNED: its rows are not known to begin at multiples of 16 bytes, as for.pointers=16 and for.argN=4n say
// ALONE: copies=bulk needs staging=shared, staging=loops or staging=steps

// CHECK: .version 8.0
// CHECK-LABEL: .entry plane__grain_
// CHECK: mbarrier.init.shared::cta.b64 [%r[[#COUNTER:]]], 1;
// CHECK: fence.proxy.async.shared::cta;
// CHECK: bar.sync 0;
// CHECK-NOT: fence
// CHECK: mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [{{.*}}], [[SIZE:%r[0-9]+]];
// CHECK: cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [{{.*}}], [{{.*}}], [[SIZE]], [{{.*}}];
// CHECK: cp.async.ca.shared.global [{{.*}}], [{{.*}}], 8;
// CHECK: cp.async.wait_all;
// CHECK-NEXT: bar.sync 0;
// CHECK: mbarrier.arrive.shared::cta.b64 _, [{{.*}}];
// CHECK: mbarrier.try_wait.parity.shared::cta.b64 [[DONE:%p[0-9]+]], [{{.*}}], {{.*}};
// CHECK: @![[DONE]] bra
// CHECK-NOT: ld.global
// CHECK-COUNT-5: ld.shared.f64
// OLD-LABEL: .entry plane__grain_
// OLD-NOT: mbarrier
// OLD: cp.async.cg.shared.global [{{.*}}], [{{.*}}], 16;
// OLD-NOT: mbarrier
// OLD: cp.async.wait_all;
// OLD-NEXT: bar.sync 0;
// WARP-LABEL: .entry plane__grain_
// WARP-NOT: mbarrier
// WARP: cp.async.cg.shared.global [{{.*}}], [{{.*}}], 16;
// WARP-NOT: mbarrier
// WARP: bar.warp.sync
extern "C" __global__ void plane(const double *__restrict__ a, double *__restrict__ b, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x > 0 && y > 0 && x < w - 1 && y < h - 1)
    b[y * w + x] = a[y * w + x] * 4.0 - a[y * w + x - 1] - a[y * w + x + 1] - a[(y - 1) * w + x] - a[(y + 1) * w + x];
}

// Tiles of the next iterations are copied while the block works on these: the short rows of one by threads. Nothing else
// writes into the array of the others.
// CHECK-LABEL: .entry product__grain_
// CHECK: mbarrier.init
// CHECK: fence.proxy.async.shared::cta;
// CHECK: bar.sync 0;
// CHECK-NOT: fence
// CHECK: cp.async.cg.shared.global [{{.*}}], [{{.*}}], 16;
// CHECK: cp.async.bulk.shared::cluster
// CHECK: cp.async.wait_all;
// CHECK-NEXT: bar.sync 0;
// CHECK: mbarrier.arrive
// CHECK: mbarrier.try_wait
// CHECK-NOT: fence
// CHECK: cp.async.cg.shared.global [{{.*}}], [{{.*}}], 16;
// CHECK: cp.async.bulk.shared::cluster
// CHECK: fma.rn.f32
extern "C" __global__ void product(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  float s = 0;
  for (int k = 0; k < n; ++k)
    s += a[y * n + k] * b[k * n + x];
  c[y * n + x] = s;
}

// The rows of one matrix are not aligned: threads copy them into another array.
// CHECK-LABEL: .entry mixed__grain_
// CHECK: bar.sync 0;
// CHECK-NOT: fence
// CHECK: cp.async.ca.shared.global
// CHECK: cp.async.bulk.shared::cluster
// CHECK: cp.async.wait_all;
// CHECK-NEXT: bar.sync 0;
// CHECK: mbarrier.try_wait
// CHECK-NOT: fence
// CHECK: cp.async.ca.shared.global
// CHECK: cp.async.bulk.shared::cluster
extern "C" __global__ void mixed(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, int n, int k) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  float s = 0;
  for (int i = 0; i < k; ++i)
    s += a[y * k + i] * b[i * n + x];
  c[y * n + x] = s;
}

// Threads read no tile behind the program's barrier: they wait at that of the loop alone.
// CHECK-LABEL: .entry followed__grain_
// CHECK: mbarrier.try_wait
// CHECK-NOT: mbarrier.try_wait
// CHECK: ret;
extern "C" __global__ void followed(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, int n) {
  __shared__ float sums[4][64];
  int x = blockIdx.x * 64 + threadIdx.x, y = blockIdx.y * 4 + threadIdx.y;
  float s = 0;
  for (int i = 0; i < n; ++i)
    s += a[y * n + i] * b[i * n + x];
  sums[threadIdx.y][threadIdx.x] = s;
  __syncthreads();
  c[y * n + x] = sums[3 - threadIdx.y][threadIdx.x];
}

// Elements beside the rows lie in the same array. What threads copy of it themselves is ordered before later copies of rows.
// CHECK-LABEL: .entry halo__grain_
// CHECK: bar.sync 0;
// CHECK: cp.async.bulk.shared::cluster
// CHECK: cp.async.ca.shared.global
// CHECK: cp.async.wait_all;
// CHECK-NEXT: bar.sync 0;
// CHECK: mbarrier.try_wait
// CHECK: fence.proxy.async.shared::cta;
// CHECK: mbarrier.expect_tx
// CHECK: cp.async.bulk.shared::cluster
// CHECK: cp.async.ca.shared.global
extern "C" __global__ void halo(const float *__restrict__ a, float *__restrict__ c, int n, int m) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  for (int i = 0; i < m; ++i)
    s = s * 0.5f + a[i * n + x] - a[i * n + x + 2];
  c[threadIdx.y * n + x] = s;
}
