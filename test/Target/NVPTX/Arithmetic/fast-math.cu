// RUN: %regrain cc --emit=ptx -use_fast_math %s -o %t.ptx
// RUN: FileCheck %s < %t.ptx

// CHECK: div.approx.ftz.f32
// CHECK: sqrt.approx.ftz.f32
__global__ void fast(float *v, float a) {
  float q = a / v[threadIdx.x];
  v[threadIdx.x] = sqrtf(q);
}
