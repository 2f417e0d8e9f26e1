// The arrays of a thread are aligned for the widest access, so that accesses to neighbours are
// joined. Smaller arrays are not.
// RUN: %regrain cc -O3 --targets=compute_90 --emit=ptx %s -o - | FileCheck %s

// CHECK-LABEL: .entry neighbours(
// CHECK: .local .align 16 .b8 {{.*}}[64];
// CHECK-COUNT-4: st.local.v2.f64
// CHECK-NOT: st.local.f64
// CHECK: ret;
extern "C" __global__ void neighbours(double *out, const double *in, int n) {
  double own[8];
#pragma unroll
  for (int i = 0; i < 8; ++i)
    own[i] = in[i * 32 + threadIdx.x];
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum = sum * 3 + own[(i * 5) & 7];
  out[threadIdx.x] = sum;
}

// CHECK-LABEL: .entry small(
// CHECK: .local .align 4 .b8 {{.*}}[12];
// CHECK: ret;
extern "C" __global__ void small(float *out, const float *in, int n) {
  float own[3];
#pragma unroll
  for (int i = 0; i < 3; ++i)
    own[i] = in[i * 32 + threadIdx.x];
  float sum = 0;
  for (int i = 0; i < n; ++i)
    sum = sum * 3 + own[i % 3];
  out[threadIdx.x] = sum;
}
