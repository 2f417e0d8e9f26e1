//===- back-end-gaps.cu - What LLVM's NVPTX target gets wrong ---*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conversions that round towards zero stay so, and stack memory of any size has an
// alignment that ptxas accepts. Asynchronous copies take shared addresses of 32 bits.
//
//===----------------------------------------------------------------------===//
// RUN: %regrain cc --targets=compute_70 -O2 --emit=ptx -o - %s | FileCheck %s
// RUN: %regrain cc --targets=compute_80 -O2 --emit=ptx -o - -DCOPIES %s | FileCheck %s --check-prefix=COPIES
#include <alloca.h>
#include <cuda_pipeline.h>

// CHECK-LABEL: .entry convert(
// CHECK-DAG: cvt.rz.f32.s32
// CHECK-DAG: cvt.rz.f32.u32
// CHECK-DAG: cvt.rz.f32.s64
// CHECK-DAG: cvt.rz.f32.u64
// CHECK-DAG: cvt.rz.f64.s64
// CHECK-DAG: cvt.rz.f64.u64
// CHECK-DAG: cvt.rzi.s32.f32
// CHECK-DAG: cvt.rzi.u64.f64
// CHECK-NOT: cvt.rn
extern "C" __global__ void convert(float *f, double *d, int *i, unsigned long long *u) {
  f[0] = __int2float_rz(i[0]);
  f[1] = __uint2float_rz(i[1]);
  f[2] = __ll2float_rz((long long)u[0]);
  f[3] = __ull2float_rz(u[1]);
  d[0] = __ll2double_rz((long long)u[2]);
  d[1] = __ull2double_rz(u[3]);
  i[2] = __float2int_rz(f[4]);
  u[4] = __double2ull_rz(d[2]);
}

// CHECK-LABEL: .entry reverse(
// CHECK: alloca.u64 {{.*}}, 16;
extern "C" __global__ void reverse(int *values, int count) {
  int *own = (int *)alloca(count * sizeof(int));
  for (int i = 0; i < count; ++i)
    own[i] = values[i];
  for (int i = 0; i < count; ++i)
    values[i] = own[count - 1 - i];
}

#ifdef COPIES
// COPIES-LABEL: .entry copies(
// COPIES: cp.async.cg.shared.global [%r{{[0-9]+}}], [%rd{{[0-9]+}}], 16, 16;
// COPIES: cp.async.ca.shared.global [%r{{[0-9]+}}], [%rd{{[0-9]+}}], 8, 4;
// COPIES: cp.async.ca.shared.global [%r{{[0-9]+}}], [%rd{{[0-9]+}}], 4, %r{{[0-9]+}};
extern "C" __global__ void copies(const float4 *in, float *out) {
  __shared__ float4 tile[64];
  int t = threadIdx.x;
  __pipeline_memcpy_async(&tile[t], &in[t], 16);
  __pipeline_memcpy_async(&tile[t + 16].x, &in[t + 16].x, 8, 4);
  __pipeline_memcpy_async(&tile[t + 32].y, &in[t + 32].y, 4, t & 3);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  out[t] = tile[63 - t].x;
}
#endif
