// Of two products in one sum, the one of lower rank is fused, with alternatives and without, as by
// nvcc (docs/decisions/0076-one-decision-about-products.md).
// RUN: %regrain cc --targets=compute_90 --emit=ptx %s | FileCheck %s
// RUN: %regrain cc --targets=compute_90 --alternatives=1 --emit=ptx %s | FileCheck %s
// RUN: %regrain cc --targets=compute_90 --emit=ptx --coarsen='*:block.x=2' %s | sed -n '/__grain/,$p' | FileCheck %s
//
// CHECK: mul{{.*}}f32 [[FIRST:%f[0-9]+]], [[LOADED:%f[0-9]+]], [[A:%f[0-9]+]];
// CHECK: mul{{.*}}f32 [[SECOND:%f[0-9]+]],
// CHECK: mul{{.*}}f32 [[ADDEND:%f[0-9]+]], [[SECOND]], [[C:%f[0-9]+]];
// CHECK: fma.rn.f32 {{%f[0-9]+}}, [[FIRST]], [[D:%f[0-9]+]], [[ADDEND]];
// CHECK: mul{{.*}}f32 [[PRODUCT:%f[0-9]+]], [[FIRST]], [[SECOND]];
// CHECK: fma.rn.f32 {{%f[0-9]+}}, [[A]], [[C]], [[PRODUCT]];
__global__ void sums(float *out, const float *in, float a, float b, float c, float d) {
  float first = in[0] * a, second = in[1] * b;
  out[0] = second * c + first * d;
  out[1] = first * second + a * c;
}
