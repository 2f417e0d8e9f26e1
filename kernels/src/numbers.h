//===- numbers.h - Short numbers, and scales of fp8 -*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the kernels have in common: conversions between types, scales, and sizes of blocks.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <cstdint>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

namespace regrain::kernels {

constexpr float largestFp8 = 448;
/// A scale is never 0: a group of numbers counts as if it had one of this magnitude.
constexpr float leastMagnitude = 1e-10f;
/// So many columns share a scale (REGRAIN_SCALE_BLOCK).
constexpr int scaledColumns = 128;
/// How many scales a row has if each is for as many columns.
constexpr int64_t blocksOfScales(int64_t columns) {
  return columns / scaledColumns + (columns % scaledColumns != 0);
}
/// The threads of a block of elements whose scale is given, and of a row that has one scale.
constexpr int threadsOfElements = 512, threadsOfRow = 512;

__device__ inline float toFloat(__half x) { return __half2float(x); }
__device__ inline float toFloat(__nv_bfloat16 x) { return __bfloat162float(x); }

template <class T> __device__ T fromFloat(float x);
template <> __device__ inline __half fromFloat<__half>(float x) { return __float2half(x); }
template <> __device__ inline __nv_bfloat16 fromFloat<__nv_bfloat16>(float x) {
  return __float2bfloat16(x);
}

__device__ inline unsigned char toFp8(float x) {
  return __nv_cvt_float_to_fp8(x, __NV_SATFINITE, __NV_E4M3);
}
/// The first number is the lower byte.
__device__ inline __nv_fp8x2_storage_t toFp8(float x, float y) {
  return __nv_cvt_float2_to_fp8x2(make_float2(x, y), __NV_SATFINITE, __NV_E4M3);
}

/// Returns 1 / x with the bits of a division. Those of a common x are formed without a branch, so
/// that nothing else waits for x.
__device__ inline float reciprocalOf(float x) {
  float near;
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(near) : "f"(x));
  float rounded = fmaf(near, fmaf(-x, near, 1), near);
  bool isCommon = fabsf(x) >= 0x1p-126f && fabsf(x) < 0x1p126f;
  return isCommon ? rounded : 1 / x;
}

/// The scale of numbers of which `most` is the largest magnitude: the rounded quotient by
/// largestFp8. What the product with the reciprocal lacks is exact, and small numbers are not
/// left, so that this has the bits of a division for all magnitudes but infinity.
__device__ inline float scaleFor(float most) {
  constexpr float reciprocal = 1 / largestFp8;
  float magnitude = fmaxf(most, leastMagnitude);
  float near = magnitude * reciprocal;
  float scale = fmaf(fmaf(-largestFp8, near, magnitude), reciprocal, near);
  return isinf(magnitude) ? magnitude : scale;
}

} // namespace regrain::kernels
