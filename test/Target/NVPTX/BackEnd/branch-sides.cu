// Where two sides of a condition meet again, the side for which it holds is jumped to, as in nvcc's code: ptxas predicates
// a short side that is not jumped to.
// RUN: %regrain cc -O3 --targets=compute_90 --emit=ptx %s -o - | FileCheck %s

// CHECK-LABEL: .entry sides(
// CHECK: setp.lt.s32 [[P:%p[0-9]+]], {{.*}}, 6;
// CHECK: @![[P]] bra [[LONG:\$.*]];
// CHECK-NEXT: bra.uni [[SHORT:\$.*]];
// CHECK-NEXT: [[LONG]]:
// CHECK: mad.lo.s32
// CHECK: bra.uni [[JOIN:\$.*]];
// CHECK-NEXT: [[SHORT]]:
// CHECK: st.shared
// CHECK: [[JOIN]]:
// CHECK: ret;
extern "C" __global__ void sides(int *out, const int *in) {
  __shared__ int left[64], right[64];
  int x = in[threadIdx.x];
  if (x > 5) {
    left[x & 63] = x;
    right[(x * 7) & 63] = x * x + 3;
    x ^= x << 3;
  } else {
    right[x & 63] = 1;
  }
  __syncthreads();
  out[threadIdx.x] = x + left[threadIdx.x] + right[threadIdx.x];
}

// A condition with one side stays a branch over that side.
// CHECK-LABEL: .entry one(
// CHECK: @{{!?}}%p{{[0-9]+}} bra [[JOIN:\$.*]];
// CHECK-NOT: bra
// CHECK: [[JOIN]]:
// CHECK: ret;
extern "C" __global__ void one(int *out, const int *in) {
  int x = in[threadIdx.x];
  if (x > 5)
    out[x] = x;
  out[threadIdx.x] = x;
}
