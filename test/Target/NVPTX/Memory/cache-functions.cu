// What a program says by functions and qualifiers is in the originals and in the grains: __ldg and const
// __restrict__ take the read-only path, __ldcs and __stcs are streaming accesses, also of the read-only path.
// RUN: %regrain cc -O3 --targets=ptx --emit=ptx %s | FileCheck %s
// RUN: %regrain cc -O3 --targets=ptx --coarsen='*:block.x=2' --emit=ptx %s -o %t.ptx
// RUN: FileCheck %s --input-file=%t.ptx --check-prefix=COARSE

// CHECK-LABEL: .entry cached(
// CHECK: ld.global.nc.f32
// CHECK: st.global.f32
// COARSE-LABEL: .entry cached__grain_block_x2(
// COARSE-COUNT-2: ld.global.nc.f32
extern "C" __global__ void cached(float *out, const float *in) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = __ldg(in + i);
}

// CHECK-LABEL: .entry streamed(
// CHECK: ld.global.cs.f32
// CHECK: st.global.cs.f32
// COARSE-LABEL: .entry streamed__grain_block_x2(
// COARSE-COUNT-2: ld.global.cs.f32
extern "C" __global__ void streamed(float *out, const float *in) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  __stcs(out + i, __ldcs(in + i));
}

// CHECK-LABEL: .entry restricted(
// CHECK: ld.global.nc.v4
// CHECK: ld.global.cs.nc.v4.f32
// CHECK: st.global.cs.v4.f32
// COARSE-LABEL: .entry restricted__grain_block_x2(
// COARSE-DAG: ld.global.nc.v4
// COARSE-DAG: ld.global.cs.nc.v4.f32
// COARSE-DAG: st.global.cs.v4.f32
// COARSE: ret;
extern "C" __global__ void restricted(float4 *__restrict__ out, const float4 *__restrict__ a,
                                      const float4 *__restrict__ b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float4 x = a[i], y = __ldcs(b + i);
  __stcs(out + i, make_float4(x.x + y.x, x.y + y.y, x.z + y.z, x.w + y.w));
}
