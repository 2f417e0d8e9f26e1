// An index of shared arrays takes no extension: 25 other instructions are unrolled by 8 as with nvcc, one more by 4.
// Elsewhere the extension counts as one.
// RUN: %regrain cc -O3 --targets=ptx --emit=ptx %s -o %t.ptx
// RUN: %python %S/../Inputs/count.py rsqrt %t.ptx | FileCheck-19 %s --match-full-lines

template <int More, class Elements> __device__ float3 sum(const Elements &of, float4 p, float a) {
  float3 force = {0, 0, 0};
  for (int j = 0; j < 256; ++j) {
    float x = of(j).x - p.x, y = of(j).y - p.y, z = of(j).z - p.z, r = rsqrtf(x * x + y * y + z * z);
#pragma unroll
    for (int i = 0; i < More; ++i)
      r *= a;
    float cube = r * r * r;
    force.x += x * cube, force.y += y * cube, force.z += z * cube;
  }
  return force;
}
template <int More> __device__ void fromShared(float4 p, float3 *out, float a) {
  __shared__ float3 tile[256];
  tile[threadIdx.x] = make_float3(p.x, p.y, p.z);
  __syncthreads();
  out[threadIdx.x] = sum<More>([&](int j) -> const float3 & { return tile[j]; }, p, a);
}

// CHECK: shared: 8
// CHECK-NEXT: shared_more: 4
// CHECK-NEXT: global: 8
// CHECK-NEXT: global_more: 4
__global__ void shared(float3 *out, float4 p, float a) { fromShared<1>(p, out, a); }
__global__ void shared_more(float3 *out, float4 p, float a) { fromShared<2>(p, out, a); }
__global__ void global(float3 *out, float4 p, const float3 *__restrict__ in, float a) {
  out[threadIdx.x] = sum<0>([&](int j) -> const float3 & { return in[j]; }, p, a);
}
__global__ void global_more(float3 *out, float4 p, const float3 *__restrict__ in, float a) {
  out[threadIdx.x] = sum<1>([&](int j) -> const float3 & { return in[j]; }, p, a);
}
