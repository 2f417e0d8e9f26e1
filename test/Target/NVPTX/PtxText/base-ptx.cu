// The original of a kernel is PTX of the lowest version, with math resolved or refused.
// RUN: %regrain cc --emit=ptx %s -o %t.ptx
// RUN: FileCheck %s < %t.ptx

// CHECK: .version 6.0
// CHECK-NEXT: .target sm_70
// CHECK: .visible .entry _Z5scalePffi(
// CHECK: fma.rn.f32
// There is no debug information without -lineinfo.
// CHECK-NOT: .loc
__global__ void scale(float *v, float a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    v[i] = v[i] * a + 1.0f;
}
