// One branch asks for both conditions of a && b if b takes up to four operations of integers.
// RUN: %regrain cc -O3 --targets=compute_90 --emit=ptx %s -o - | FileCheck %s
// RUN: %regrain cc -O3 --targets=compute_90 --coarsen='*:block.x=2' --emit=ptx %s -o - | FileCheck %s --check-prefix=GRAIN

// CHECK-LABEL: .entry _Z4joinPijjii(
// CHECK: setp.lt.u32
// CHECK-NOT: bra
// CHECK: {{and|or}}.pred
// CHECK: bra
// CHECK: st.global
// CHECK-NOT: bra
// CHECK: ret;
// GRAIN: .entry {{.*}}join{{.*}}__grain_block_x2(
// GRAIN: {{and|or}}.pred
// GRAIN: ret;
__global__ void join(int *out, unsigned a, unsigned b, int c, int d) {
  unsigned i = threadIdx.x;
  if (i < a && (((((i ^ b) + c) >> 3) & d) > 77u))
    out[i] = 5;
}

// Five operations are too many.
// CHECK-LABEL: .entry _Z9isTooLongPijjii(
// CHECK: setp.{{ge|lt}}.u32
// CHECK-NEXT: bra
// CHECK: bra
// CHECK: ret;
__global__ void isTooLong(int *out, unsigned a, unsigned b, int c, int d) {
  unsigned i = threadIdx.x;
  if (i < a && ((((((i ^ b) + c) >> 3) & d) ^ b) > 77u))
    out[i] = 5;
}

// A load may lie outside of the array. A division takes many instructions. Whether a product is fused depends on its block.
// CHECK-LABEL: .entry _Z6keepsLPijPKi(
// CHECK: bra
// CHECK: ld.global
// CHECK: bra
// CHECK: ret;
__global__ void keepsL(int *out, unsigned a, const int *in) {
  unsigned i = threadIdx.x;
  if (i < a && in[i] > 77)
    out[i] = 5;
}

// CHECK-LABEL: .entry _Z6keepsDPij(
// CHECK: bra
// CHECK: mad.lo.s32
// CHECK: bra
// CHECK: ret;
__global__ void keepsD(int *out, unsigned a) {
  unsigned i = threadIdx.x;
  if (i < a && (i + a) % 7 == 3)
    out[i] = 5;
}

// CHECK-LABEL: .entry _Z6keepsFPijff(
// CHECK: bra
// CHECK: fma.rn.f32
// CHECK: bra
// CHECK: ret;
__global__ void keepsF(int *out, unsigned a, float x, float y) {
  unsigned i = threadIdx.x;
  if (i < a && x * i + y > 77)
    out[i] = 5;
}

// The guarded load uses what the second condition computes.
// CHECK-LABEL: .entry _Z10usedBehindPfPKfiii(
// CHECK-NOT: bra
// CHECK: {{and|or}}.pred
// CHECK: bra
// CHECK-NOT: @{{.*}}bra
// CHECK: ld.global.f32
// CHECK-NOT: @{{.*}}bra
// CHECK: ret;
__global__ void usedBehind(float *out, const float *in, int rows, int columns, int step) {
  float result = 0;
  if ((int)threadIdx.y < rows) {
    int column = (threadIdx.x + step) ^ 5;
    if (column < columns)
      result = in[threadIdx.y * columns + column];
  }
  out[threadIdx.x] = result;
}

// Both conditions lead to the same place, but not with the same value.
// CHECK-LABEL: .entry _Z11otherResultPfPKfii(
// CHECK: @{{.*}}bra
// CHECK: @{{.*}}bra
// CHECK: ret;
__global__ void otherResult(float *out, const float *in, int a, int b) {
  float result = 3;
  if (threadIdx.x < a) {
    int at = threadIdx.x * b;
    result = 4;
    if (at > a)
      result = in[at] * in[at + 1];
  }
  *out = result;
}

// Only lanes that meet the first condition vote.
// CHECK-LABEL: .entry _Z5votesPiji(
// CHECK: @{{.*}}bra
// CHECK: vote.sync.any.pred
// CHECK: @{{.*}}bra
// CHECK: ret;
__global__ void votes(int *out, unsigned a, int b) {
  unsigned i = threadIdx.x;
  if (i < a) {
    int any = __any_sync(15, b > (int)i);
    if (any + b > 7)
      out[i] = any;
  }
}
