// Tiles are filled by asynchronous copies from compute capability 8.0 on, which have ended before the
// barrier; before that by loads and stores. ptxas accepts both.
// RUN: %regrain cc -O3 --targets=compute_80 --coarsen='line:staging=shared,for.block=256x1x1' --coarsen='plane:staging=shared,for.block=32x8x1' --coarsen='bytes:staging=shared,for.block=128x1x1' --emit=ptx %s -o %t.80.ptx
// RUN: FileCheck %s --input-file=%t.80.ptx
// RUN: %regrain cc -O3 --targets=compute_70 --coarsen='line:staging=shared,for.block=256x1x1' --emit=ptx %s | FileCheck %s --check-prefix=OLD
// RUN: %regrain cc -O3 --targets=compute_80 --coarsen='line:staging=shared,for.block=256x1x1,for.pointers=16' --emit=ptx %s | FileCheck %s --check-prefix=WIDE
// RUN: %regrain cc -O3 --targets=compute_80 --coarsen='written:staging=shared,for.block=256x1x1' --emit=ptx %s 2>&1 | FileCheck %s --check-prefix=WRITTEN

// CHECK-LABEL: .entry line__grain_
// CHECK: .shared .align 16 .b8 {{.*}}[1032];
// CHECK: cp.async.ca.shared.global [{{.*}}], [{{.*}}], 4;
// CHECK-NOT: bar.sync
// CHECK: cp.async.wait_all
// CHECK-NEXT: bar.sync 0;
// CHECK-NOT: ld.global
// CHECK: ld.shared.f32
// CHECK: ld.shared.f32
// CHECK: ld.shared.f32
// CHECK-NOT: ld.global
// CHECK: ret;
// OLD-LABEL: .entry line__grain_
// OLD-NOT: cp.async
// OLD: st.shared.u32
// OLD: bar.sync 0;
// OLD: ld.shared.f32
// WIDE-LABEL: .entry line__grain_
// WIDE: cp.async.cg.shared.global [{{.*}}], [{{.*}}], 16;
// WIDE: cp.async.wait_all
// WIDE-NEXT: bar.sync 0;
// WRITTEN: the kernel also writes through the pointer of the load
extern "C" __global__ void line(const float *__restrict__ a, float *__restrict__ b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n - 1)
    b[i] = a[i - 1] + a[i] * 2.0f + a[i + 1];
}

// CHECK-LABEL: .entry plane__grain_
// CHECK: cp.async.ca.shared.global [{{.*}}], [{{.*}}], 8;
// CHECK: cp.async.wait_all
// CHECK-NEXT: bar.sync 0;
// CHECK-NOT: ld.global
// CHECK-COUNT-5: ld.shared.f64
// CHECK: ret;
extern "C" __global__ void plane(const double *__restrict__ a, double *__restrict__ b, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x > 0 && y > 0 && x < w - 1 && y < h - 1)
    b[y * w + x] = a[y * w + x] * 4.0 - a[y * w + x - 1] - a[y * w + x + 1] - a[(y - 1) * w + x] - a[(y + 1) * w + x];
}

// CHECK-LABEL: .entry bytes__grain_
// CHECK-NOT: cp.async
// CHECK: st.shared.u8
// CHECK: bar.sync 0;
// CHECK: ret;
extern "C" __global__ void bytes(const unsigned char *__restrict__ a, int *__restrict__ b) {
  int i = threadIdx.x;
  b[i] = a[i] + a[i + 1];
}

extern "C" __global__ void written(float *__restrict__ a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n)
    a[i] = a[i - 1] + a[i];
}
