// A loop that extends an index both with zeros and with its sign extends it with its sign only, so that all its
// elements have one pointer, and ptxas sees which of them are different.
//
// RUN: %regrain cc -O3 --targets=compute_90 --emit=ptx %s -o - | FileCheck %s

// Behind the call, `i - n` is `i - n - 1 + 1`, and the second copy of `i` is extended on its own.
// CHECK-LABEL: .entry {{.*}}paths
// CHECK: div.approx.f32
// CHECK: ld.local.f32 {{.*}}, [[[BASE:%r[0-9]+]]+-8];
// CHECK: st.local.f32 [[[BASE]]+-8]
// CHECK: ld.local.f32 {{.*}}, [[[BASE]]+-4];
// CHECK: st.local.f32 [[[BASE]]+-4]
// CHECK: ld.local.f32 {{.*}}, [[[BASE]]];
// CHECK: st.local.f32 [[[BASE]]]
// CHECK: ld.local.f32 {{.*}}, [[[BASE]]+4];
// CHECK: st.local.f32 [[[BASE]]+4]
// CHECK: ret;
__device__ void path(float *L, const float *z, const float *lambda, float delta, int paths, int n) {
  for (int k = 0; k < paths; k++) {
    float shift = sqrtf(delta) * z[k], sum = 0;
    for (int i = k + 1; i < n; i++) {
      float scaled = delta * lambda[i - k - 1];
      sum += __fdividef(scaled * L[i], 1.f + delta * L[i]);
      L[i] = L[i] * __expf(scaled * sum + lambda[i - k - 1] * (shift - 0.5f * scaled));
    }
  }
}
__global__ void paths(float *out, const float *lambda, float delta, int paths, int n) {
  float L[80], z[80];
  for (int i = 0; i < n; i++) {
    L[i] = 0.051f + i;
    z[i] = 0.3f;
  }
  path(L, z, lambda, delta, paths, n);
  out[threadIdx.x] = L[paths] + L[n - 1];
}

// One way is left as it is.
// CHECK-LABEL: .entry {{.*}}halves
// CHECK-NOT: mul.wide.s32
// CHECK: mul.wide.u32
// CHECK: shr.u32
// CHECK: ret;
__global__ void halves(float *out, const float *values, int n) {
  float sum = 0;
#pragma unroll 1
  for (int i = n & 0x7fffffff; i > 3; i >>= 1)
    sum += values[i];
  out[threadIdx.x] = sum;
}

// Both stay where the number may have the sign's bit.
// CHECK-LABEL: .entry {{.*}}mixed
// CHECK-DAG: mul.wide.u32
// CHECK-DAG: mul.wide.s32
// CHECK: ret;
__global__ void mixed(float *out, const float *values, unsigned first, unsigned last) {
  float sum = 0;
#pragma unroll 1
  for (unsigned i = first; i != last; i = i * 5 + 1)
    sum += values[i] + values[(int)i];
  out[threadIdx.x] = sum;
}
