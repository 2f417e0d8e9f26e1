// All names of dynamic shared memory are one memory: what is written by one of them is read by the other, in originals without
// alternatives as well.
// RUN: %regrain cc -O3 --targets=ptx --emit=ptx %s -o - | FileCheck %s
// RUN: %regrain cc -O3 --targets=ptx --coarsen='*:thread.x=1' --emit=ptx %s -o - | FileCheck %s
extern __shared__ int signedNumbers[];
extern __shared__ unsigned unsignedNumbers[];

// CHECK-LABEL: .entry _Z4both
// CHECK: add.s32 [[SUM:%r[0-9]+]], %r{{[0-9]+}}, 2;
// CHECK: st.shared.u32 {{.*}}, [[SUM]];
// CHECK: mul.lo.s32 [[PRODUCT:%r[0-9]+]], [[SUM]], 100;
// CHECK: st.global.u32 {{.*}}, [[PRODUCT]];
__global__ void both(int *out) {
  int t = threadIdx.x;
  signedNumbers[t] = 1;
  unsignedNumbers[t] = t + 2;
  out[t] = signedNumbers[t] * 100;
}
