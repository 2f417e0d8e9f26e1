// The next tile is copied asynchronously while this one is read. The copies have ended before the barrier at which it is
// needed; reads from the arrays of tiles do not wait for them. Elements of a row are read four at a time.
// RUN: %regrain cc -O3 --targets=compute_80 --coarsen='product:shape=16x8x1,block.x=4,block.y=4,staging=loops,for.pointers=16,for.arg4=4n,for.arg5=4n' --emit=ptx %s -o %t.80.ptx
// RUN: FileCheck %s --input-file=%t.80.ptx
// RUN: %regrain cc -O3 --targets=compute_70 --coarsen='product:shape=16x8x1,block.x=4,block.y=4,staging=loops' --emit=ptx %s | FileCheck %s --check-prefix=OLD

// CHECK-LABEL: .entry product__grain_
// CHECK: cp.async.cg.shared.global [{{.*}}], [{{.*}}], 16;
// CHECK: cp.async.wait_all
// CHECK-NEXT: bar.sync 0;
// CHECK-NOT: wait_all
// CHECK: cp.async.cg.shared.global [{{.*}}], [{{.*}}], 16;
// CHECK-NOT: wait_all
// CHECK-NOT: ld.global
// CHECK: ld.shared.v4.f32
// CHECK-NOT: wait_all
// CHECK-NOT: ld.global
// CHECK-COUNT-64: fma.rn.f32
// OLD-LABEL: .entry product__grain_
// OLD-NOT: cp.async
// OLD: st.shared.u32
// OLD: bar.sync 0;
// OLD: st.shared.u32
// OLD: ld.shared.f32
extern "C" __global__ void product(float *__restrict__ c, const float *__restrict__ a, const float *__restrict__ b,
                                   int m, int n, int k) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= n || y >= m)
    return;
  float sum = 0;
  for (int i = 0; i < k; ++i)
    sum += a[y * k + i] * b[i * n + x];
  c[y * n + x] = sum;
}
