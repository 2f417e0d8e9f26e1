// An integer that a dominating block has computed is not computed again, and equal constants are one.
// Constants with a fraction stay where they are used.
// RUN: %regrain cc -O3 --targets=ptx --emit=ptx %s -o - | FileCheck %s

// The address of the array, and of the thread's element, are computed once.
// CHECK-LABEL: .entry dominated(
// CHECK: mov.u32 [[ARRAY:%r[0-9]+]], {{.*}}held;
// CHECK: add.s32 [[ELEMENT:%r[0-9]+]], [[ARRAY]], %r
// CHECK-NOT: mov.u32 %r{{[0-9]+}}, {{.*}}held;
// CHECK: st.shared.f32 [[[ELEMENT]]]
// CHECK-NOT: mov.u32 %r{{[0-9]+}}, {{.*}}held;
// CHECK: st.shared.f32 [[[ELEMENT]]]
// CHECK: ret;
extern "C" __global__ void dominated(float *a, const float *b, int n, const int *c) {
  __shared__ float held[256];
  int t = threadIdx.x;
  if (c[0] > 3)
    held[t] = b[t];
  __syncthreads();
  for (int i = 0; i < n; ++i) {
    if (c[i] > i)
      held[t ^ 5] += 1.0f;
    __syncthreads();
    if (c[i + n] > i)
      held[t] *= 2.5f;
    __syncthreads();
  }
  a[t] = held[t];
}

// The address of the array is raised to the block that dominates both uses. The constant with
// a fraction stays behind both conditions.
// CHECK-LABEL: .entry apart(
// CHECK-NOT: mov.f64
// CHECK: mov.u32 [[OTHER:%r[0-9]+]], {{.*}}other;
// CHECK: @%p{{[0-9]+}} bra
// CHECK-NOT: mov.u32 %r{{[0-9]+}}, {{.*}}other;
// CHECK: mov.f64 {{.*}}0d4004000000000000
// CHECK: @%p{{[0-9]+}} bra
// CHECK-NOT: mov.u32 %r{{[0-9]+}}, {{.*}}other;
// CHECK: mov.f64 {{.*}}0d4004000000000000
// CHECK: ret;
extern "C" __global__ void apart(double *a, const int *b) {
  __shared__ double other[256];
  int t = threadIdx.x;
  if (b[t] > 3) {
    double kept = 2.5;
    asm volatile("mov.f64 %0, %0;" : "+d"(kept));
    other[b[t + 256]] = kept;
  }
  __syncthreads();
  if (b[t + 512] > 3) {
    double kept = 2.5;
    asm volatile("mov.f64 %0, %0;" : "+d"(kept));
    other[b[t + 768]] = kept;
  }
  __syncthreads();
  a[t] = other[255 - t];
}
