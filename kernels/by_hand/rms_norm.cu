//===- rms_norm.cu - The norm by hand -*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A row lies in the registers of a block: each thread has up to `steps` times eight
// neighbouring columns.
//
//===----------------------------------------------------------------------===//
#include "../src/status.h"
#include "by_hand.h"
#include "vectors.h"

namespace regrain::by_hand {

template <int threads, int steps, RegrainScaling scaling>
__global__ void __launch_bounds__(threads)
    rmsNorm(unsigned char *__restrict__ out, float *__restrict__ scales,
            const __half *__restrict__ input, __half *__restrict__ residual,
            const __half *__restrict__ weight, int columns, float epsilon) {
  __shared__ float sums[32], largest[32];
  size_t row = static_cast<size_t>(blockIdx.x) * columns;
  float tensorScale = scaling == REGRAIN_SCALE_TENSOR ? scales[0] : 1;
  Halves kept[steps];
  float sum = 0, most = 0;
#pragma unroll
  for (int n = 0; n < steps; ++n) {
    int i = (n * threads + threadIdx.x) * 8;
    if (i >= columns)
      break;
    Halves x = loadOnce(input + row + i), z = loadOnce(residual + row + i);
#pragma unroll
    for (int e = 0; e < 8; ++e) {
      z.at[e] = __float2half(__half2float(x.at[e]) + __half2float(z.at[e]));
      float v = __half2float(z.at[e]);
      sum += v * v;
    }
    store(residual + row + i, z);
    kept[n] = z;
    if (scaling == REGRAIN_SCALE_TOKEN) {
      Halves w = load(weight + i);
#pragma unroll
      for (int e = 0; e < 8; ++e)
        most = fmaxf(most, fabsf(__half2float(z.at[e]) * __half2float(w.at[e])));
    }
  }
  sum = overBlock(sum, sums, Sum());
  float factor = rsqrtf(sum / columns + epsilon);
  float scale = tensorScale;
  if (scaling == REGRAIN_SCALE_TOKEN) {
    scale = scaleFor(overBlock(most, largest, Most()) * factor);
    if (threadIdx.x == 0)
      scales[blockIdx.x] = scale;
  }
#pragma unroll
  for (int n = 0; n < steps; ++n) {
    int i = (n * threads + threadIdx.x) * 8;
    if (i - static_cast<int>(threadIdx.x % 16) * 8 >= columns)
      break;
    Halves w = load(weight + i);
    float y[8];
#pragma unroll
    for (int e = 0; e < 8; ++e)
      y[e] = __half2float(kept[n].at[e]) * __half2float(w.at[e]) * factor;
    if (scaling == REGRAIN_SCALE_BLOCK) {
      most = 0;
#pragma unroll
      for (int e = 0; e < 8; ++e)
        most = fmaxf(most, fabsf(y[e]));
#pragma unroll
      for (int s = 8; s > 0; s >>= 1)
        most = fmaxf(most, __shfl_xor_sync(0xffffu << (threadIdx.x & 16), most, s, 16));
      scale = scaleFor(most);
      if (threadIdx.x % 16 == 0)
        scales[(row + i) / scaledColumns] = scale;
    }
    float inverse = 1 / scale;
#pragma unroll
    for (int e = 0; e < 8; ++e)
      y[e] *= inverse;
    storeFp8(out + row + i, y);
  }
}

template <RegrainScaling scaling>
static void launch(void *out, float *scales, const void *input, void *residual, const void *weight,
                   int64_t rows, int columns, float epsilon, cudaStream_t stream) {
  auto *codes = static_cast<unsigned char *>(out);
  auto *x = static_cast<const __half *>(input), *w = static_cast<const __half *>(weight);
  auto *z = static_cast<__half *>(residual);
  auto blocks = static_cast<unsigned>(rows);
  // Few rows: one has a multiprocessor for itself. Many: several share one.
  if (rows <= 264)
    rmsNorm<1024, 2, scaling>
        <<<blocks, 1024, 0, stream>>>(codes, scales, x, z, w, columns, epsilon);
  else
    rmsNorm<512, 4, scaling><<<blocks, 512, 0, stream>>>(codes, scales, x, z, w, columns, epsilon);
}

} // namespace regrain::by_hand

using namespace regrain::by_hand;
using regrain::kernels::fail;

RegrainStatus regrainByHandRmsNormFp8(void *out, float *scales, const void *input, void *residual,
                                      const void *weight, int64_t rows, int64_t columns,
                                      float epsilon, RegrainScaling scaling, RegrainStream stream) {
  if (rows < 0 || columns < 0 || columns > 16384 || columns % scaledColumns)
    return fail(REGRAIN_INVALID_VALUE, "regrainByHandRmsNormFp8: %lld columns",
                static_cast<long long>(columns));
  if (rows == 0 || columns == 0)
    return REGRAIN_SUCCESS;
  auto *function = scaling == REGRAIN_SCALE_TENSOR  ? launch<REGRAIN_SCALE_TENSOR>
                   : scaling == REGRAIN_SCALE_TOKEN ? launch<REGRAIN_SCALE_TOKEN>
                                                    : launch<REGRAIN_SCALE_BLOCK>;
  function(out, scales, input, residual, weight, rows, static_cast<int>(columns), epsilon,
           static_cast<cudaStream_t>(stream));
  return regrain::kernels::launched("regrainByHandRmsNormFp8");
}
