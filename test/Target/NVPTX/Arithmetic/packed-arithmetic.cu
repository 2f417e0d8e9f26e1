// Neighbouring 8-bit numbers are converted in pairs.
// RUN: %regrain cc --targets=compute_90 --coarsen='*:thread.x=4:contiguous,for.pointers=16,arithmetic=packed' --emit=ptx %s -o %t.ptx
// RUN: FileCheck %s < %t.ptx
// RUN: %regrain cc --targets=compute_90 --coarsen='*:thread.x=4:contiguous,for.pointers=16' --emit=ptx %s | FileCheck %s --check-prefix=SINGLE
#include <cuda_fp16.h>
#include <cuda_fp8.h>

// CHECK-LABEL: .entry _Z8quantisePKfP13__nv_fp8_e4m3fi__grain_
// CHECK: ld.global.nc.v4.f32 {[[A:%f[0-9]+]], [[B:%f[0-9]+]], [[C:%f[0-9]+]], [[D:%f[0-9]+]]}
// CHECK: mul.rn.f32 [[SA:%f[0-9]+]], [[A]],
// CHECK: mul.rn.f32 [[SB:%f[0-9]+]], [[B]],
// CHECK: mul.rn.f32 [[SC:%f[0-9]+]], [[C]],
// CHECK: mul.rn.f32 [[SD:%f[0-9]+]], [[D]],
// CHECK: cvt.rn.satfinite.e4m3x2.f32 [[LOW:%rs[0-9]+]], [[SB]], [[SA]];
// CHECK: cvt.rn.satfinite.e4m3x2.f32 [[HIGH:%rs[0-9]+]], [[SD]], [[SC]];
// CHECK: st.global.u32
// SINGLE-LABEL: .entry _Z8quantisePKfP13__nv_fp8_e4m3fi__grain_
// SINGLE-COUNT-4: cvt.rn.satfinite.e4m3x2.f32
// SINGLE: st.global.u32
// At the edge of the grid, each code is stored alone, and converted alone. The last of four is outside there.
// CHECK-COUNT-3: cvt.rn.satfinite.e4m3x2.f32
// CHECK-NOT: cvt.rn.satfinite.e4m3x2.f32
// CHECK: ret;
__global__ void quantise(const float *__restrict__ in, __nv_fp8_e4m3 *__restrict__ out, float scale,
                         int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = __nv_fp8_e4m3(in[i] * scale);
}

// CHECK-LABEL: .entry _Z6decodePKhP6__halfi__grain_
// CHECK: ld.global.nc.u32
// CHECK-COUNT-2: cvt.rn.f16x2.e5m2x2
// CHECK-NOT: cvt.rn.f16x2
// CHECK: st.global.v4
// SINGLE-LABEL: .entry _Z6decodePKhP6__halfi__grain_
// SINGLE-COUNT-4: cvt.rn.f16x2.e5m2x2
// SINGLE: st.global.v4
__global__ void decode(const __nv_fp8_storage_t *__restrict__ in, __half *__restrict__ out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = __half(__nv_cvt_fp8_to_halfraw(in[i], __NV_E5M2));
}

// CHECK-LABEL: .entry _Z6halvesPKtPhi__grain_
// CHECK-COUNT-2: cvt.rn.satfinite.e5m2x2.f16x2
// CHECK-NOT: cvt.rn.satfinite
// CHECK: st.global.u32
__global__ void halves(const unsigned short *__restrict__ in, __nv_fp8_storage_t *__restrict__ out,
                       int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = __nv_cvt_halfraw_to_fp8(__half_raw{in[i]}, __NV_SATFINITE, __NV_E5M2);
}

// What else is in the upper half would be in the way of another number.
// CHECK-LABEL: .entry _Z5upperPKtPhi__grain_
// CHECK-COUNT-4: cvt.rn.satfinite.e5m2x2.f16x2
// CHECK: st.global.u32
__global__ void upper(const unsigned short *__restrict__ in, __nv_fp8_storage_t *__restrict__ out,
                      int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = __nv_cvt_halfraw2_to_fp8x2(__half2_raw{in[i], 0x3c00}, __NV_SATFINITE, __NV_E5M2);
}

// The upper number is not 0, and its code is used: this is a pair already.
// CHECK-LABEL: .entry _Z5pairsPKfPti__grain_
// CHECK-COUNT-4: cvt.rn.satfinite.e4m3x2.f32
// CHECK: st.global.v4.u16
__global__ void pairs(const float *__restrict__ in, unsigned short *__restrict__ out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = __nv_cvt_float2_to_fp8x2(float2{in[i], 1.0f}, __NV_SATFINITE, __NV_E4M3);
}

// LLVM pairs the arithmetic of halves that are stored, and ptxas what is left.
// SINGLE-LABEL: .entry _Z7productPK6__halfPS_i__grain_
// SINGLE-COUNT-2: mul.rn.f16x2
__global__ void product(const __half *__restrict__ x, __half *__restrict__ out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = x[i] * out[i];
}
// A code that has another use is converted for it alone.
// RUN: %regrain cc --targets=compute_90 --coarsen='twice*:arithmetic=packed' --emit=ptx %s | FileCheck %s --check-prefix=TWICE
// TWICE-LABEL: .entry _Z5twicePK6float4P6uchar4__grain_
// TWICE: cvt.rn.satfinite.e4m3x2.f32
// TWICE: ret
__global__ void twice(const float4 *__restrict__ x, uchar4 *__restrict__ out) {
  int i = threadIdx.x;
  float4 v = x[i];
  unsigned char a = __nv_cvt_float_to_fp8(v.x, __NV_SATFINITE, __NV_E4M3), b = __nv_cvt_float_to_fp8(v.y, __NV_SATFINITE, __NV_E4M3),
                c = __nv_cvt_float_to_fp8(v.z, __NV_SATFINITE, __NV_E4M3), d = __nv_cvt_float_to_fp8(v.w, __NV_SATFINITE, __NV_E4M3);
  out[i] = make_uchar4(a, b, c, d);
  out[i + 64] = make_uchar4(d, c, b, a);
}
int main() { return 0; }
