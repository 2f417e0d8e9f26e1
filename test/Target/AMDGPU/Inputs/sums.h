// These are `count` sums that are live together, each in its own register.
#pragma once

template <int count>
__device__ __forceinline__ void addUp(float *out, const float *in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum[count];
#pragma unroll
  for (int k = 0; k < count; ++k)
    sum[k] = in[k * n + i];
  for (int j = 1; j < n; ++j)
#pragma unroll
    for (int k = 0; k < count; ++k)
      sum[k] = sum[k] * in[j] + sum[(k + 1) % count];
#pragma unroll
  for (int k = 0; k < count; ++k)
    out[k * n + i] = sum[k];
}
