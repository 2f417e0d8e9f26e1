// Copies to shared arrays with a common exit get guards of their own.
// RUN: %regrain cc -O3 --targets=compute_90 --emit=ptx %s -o - | FileCheck %s
// RUN: %regrain cc --targets=cpu %s -DMAIN -o %t && %t | FileCheck %s --check-prefix=RAN
#include <cstdio>

// The block behind a guard goes on with the next guard, which asks for both conditions.
// CHECK-LABEL: .entry _Z5tilesPKfPf(
// CHECK: ld.global.f32 {{.*}}+512]
// CHECK-NEXT: st.shared.f32
// CHECK-NEXT: [[SECOND:.*]]:
// CHECK-NEXT: and.pred
// CHECK: ld.global.f32 {{.*}}+1024]
// CHECK-NEXT: st.shared.f32
// CHECK-NEXT: [[THIRD:.*]]:
// CHECK: ld.global.f32 {{.*}}+1536]
// CHECK-NEXT: st.shared.f32
// CHECK: bar.sync
__global__ void tiles(const float *in, float *out) {
  __shared__ float tile[512];
#pragma unroll
  for (int i = threadIdx.x; i < 512; i += 128)
    tile[i] = in[blockIdx.x * 512 + i];
  __syncthreads();
  out[blockIdx.x * 512 + threadIdx.x] = tile[threadIdx.x ^ 5] + tile[511 - threadIdx.x];
}

// A store to other memory may change what the next copy loads.
// CHECK-LABEL: .entry _Z6globalPfS_(
// CHECK: st.global.f32 {{.*}}+512]
// CHECK-NEXT: setp
// CHECK-NEXT: bra
// CHECK: ret;
__global__ void global(float *in, float *out) {
#pragma unroll
  for (int i = threadIdx.x; i < 512; i += 128)
    out[i] = in[i];
}

// What was loaded decides whether there is a next copy.
// CHECK-LABEL: .entry _Z5untilPKfPf(
// CHECK: st.shared.f32 {{.*}}+512]
// CHECK-NOT: {{^}}$L
// CHECK: bra
// CHECK: ret;
__global__ void until(const float *in, float *out) {
  __shared__ float tile[512];
#pragma unroll
  for (int i = threadIdx.x; i < 512; i += 128) {
    float value = in[i];
    tile[i] = value;
    if (value < 0)
      break;
  }
  __syncthreads();
  out[threadIdx.x] = tile[threadIdx.x ^ 5];
}

#ifdef MAIN
int main() {
  float *in, *out;
  cudaMallocManaged(&in, 1024 * sizeof(float));
  cudaMallocManaged(&out, 1024 * sizeof(float));
  for (int i = 0; i < 1024; ++i)
    in[i] = i;
  for (int threads : {512, 200, 128}) {
    tiles<<<2, threads>>>(in, out);
    cudaDeviceSynchronize();
    // RAN: 512 threads: 1540 1538
    // RAN: 200 threads: 1540 1538
    // RAN: 128 threads: 1540 1538
    printf("%d threads: %g %g\n", threads, out[512], out[513]);
  }
}
#endif
