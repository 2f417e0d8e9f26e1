// A product that is computed for something else as well is not fused with a sum, as by nvcc
// (docs/decisions/0076-one-decision-about-products.md).
// RUN: %regrain cc -O3 --targets=compute_90 --alternatives=1 --emit=ptx %s | FileCheck %s
// RUN: %regrain cc -O3 --targets=compute_90 --emit=ptx --coarsen='*:block.x=2' %s | sed -n '/__grain/,$p' | FileCheck %s

// CHECK-LABEL: .entry {{.*}}stored
// CHECK-NOT: fma
// CHECK: add.rn.f32
// CHECK: ret;
__global__ void stored(float *out, const float *in, float a) {
  float product = in[threadIdx.x] * a;
  out[threadIdx.x] = product;
  out[threadIdx.x + 1024] = product + in[threadIdx.x + 1024];
}

// CHECK-LABEL: .entry {{.*}}converted
// CHECK-NOT: fma
// CHECK: sub.rn.f32
// CHECK: ret;
__global__ void converted(float *out, const float *in) {
  float product = in[threadIdx.x] * 54;
  int whole = product;
  out[threadIdx.x] = product - whole;
}

// All that use this one are sums; one of them is fused with another product already.
// CHECK-LABEL: .entry {{.*}}added
// CHECK-NOT: {{(add|sub).rn.f32}}
// CHECK: fma.rn.f32
// CHECK-NOT: {{(add|sub).rn.f32}}
// CHECK: ret;
__global__ void added(float *out, const float *in, float a, float b, float c) {
  float product = in[threadIdx.x] * a, other = in[threadIdx.x + 1024] * b;
  out[threadIdx.x] = product + other;
  out[threadIdx.x + 1024] = product - c;
}

// CHECK-LABEL: .entry {{.*}}multiplied
// CHECK-NOT: fma
// CHECK: ret;
__global__ void multiplied(float *out, const float *in, float a) {
  float product = in[threadIdx.x] * a;
  out[threadIdx.x] = product * product;
  out[threadIdx.x + 1024] = product + in[threadIdx.x + 1024];
}
