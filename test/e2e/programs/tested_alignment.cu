//===- tested_alignment.cu - Kernels that ask for alignment -----*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rows of even and odd lengths are read as vectors where they are aligned, and number by number
// elsewhere. A second kernel writes through a number that was a restricted pointer, and reads after
// a barrier what other threads have written so.
//
//===----------------------------------------------------------------------===//
// RUN: %regrain cc --targets=cpu -O3 --coarsen='*:block.x=2' --coarsen='*:thread.x=2' -o %t %s
// RUN: env REGRAIN_ALTERNATIVE='*:original' timeout 60 %t
// RUN: env REGRAIN_ALTERNATIVE='*:block.x=2' timeout 60 %t
// RUN: env REGRAIN_ALTERNATIVE='*:thread.x=2' timeout 60 %t
#include "expect.h"

#include <cstdint>

constexpr int threads = 64, rowCount = 32;

__global__ void addRows(float *__restrict__ sums, const float *__restrict__ rows,
                        const float *__restrict__ factors, const int *__restrict__ from,
                        int width) {
  extern __shared__ float4 vectors[];
  float *shared = reinterpret_cast<float *>(vectors);
  for (int i = threadIdx.x; i < width; i += blockDim.x)
    shared[i] = factors[i];
  __syncthreads();
  const float *in = rows + from[blockIdx.x] * width;
  float *out = sums + blockIdx.x * width;
  for (int i = threadIdx.x * 4; i + 3 < width; i += blockDim.x * 4)
    if (reinterpret_cast<uintptr_t>(in + i) % 16 == 0 &&
        reinterpret_cast<uintptr_t>(out + i) % 16 == 0) {
      float4 value = *reinterpret_cast<const float4 *>(in + i);
      float4 *place = reinterpret_cast<float4 *>(out + i);
      float4 sum = *place;
      *place = make_float4(sum.x + value.x * shared[i], sum.y + value.y * shared[i + 1],
                           sum.z + value.z * shared[i + 2], sum.w + value.w * shared[i + 3]);
    } else {
      for (int k = i; k < i + 4; ++k)
        out[k] += in[k] * shared[k];
    }
  for (int i = width / 4 * 4 + threadIdx.x; i < width; i += blockDim.x)
    out[i] += in[i] * shared[i];
}

__global__ void turn(int *__restrict__ ring, int *__restrict__ out) {
  int i = blockIdx.x * blockDim.x, before = ring[i + threadIdx.x];
  __syncthreads();
  uintptr_t number = reinterpret_cast<uintptr_t>(ring);
  reinterpret_cast<int *>(number)[i + (threadIdx.x + 1) % threads] = before + 100;
  __syncthreads();
  out[i + threadIdx.x] = before * 1000 + ring[i + threadIdx.x];
}

static void runRows(int width) {
  std::vector<float> rows(rowCount * width), sums(rowCount * width), factors(width);
  std::vector<int> from(rowCount);
  for (int i = 0; i < rowCount * width; ++i) {
    rows[i] = static_cast<float>(i % 13);
    sums[i] = static_cast<float>(i % 7);
  }
  for (int i = 0; i < width; ++i)
    factors[i] = static_cast<float>(i % 5 - 2);
  for (int i = 0; i < rowCount; ++i)
    from[i] = i * 5 % rowCount;
  DeviceArray<float> deviceSums(sums), deviceRows(rows), deviceFactors(factors);
  DeviceArray<int> deviceFrom(from);
  addRows<<<rowCount, threads, (width + 3) / 4 * 16>>>(deviceSums, deviceRows, deviceFactors,
                                                       deviceFrom, width);
  std::vector<float> got = deviceSums.host();
  for (int r = 0; r < rowCount; ++r)
    for (int i = 0; i < width; ++i)
      expectEqual("sum", r * width + i, got[r * width + i],
                  sums[r * width + i] + rows[from[r] * width + i] * factors[i]);
}

static void runRing() {
  constexpr int size = 8 * threads;
  std::vector<int> ring(size);
  for (int i = 0; i < size; ++i)
    ring[i] = i % 17;
  DeviceArray<int> deviceRing(ring), deviceOut(size);
  turn<<<8, threads>>>(deviceRing, deviceOut);
  std::vector<int> got = deviceOut.host();
  for (int i = 0; i < size; ++i) {
    int left = i / threads * threads + (i % threads + threads - 1) % threads;
    expectEqual("ring", i, got[i], ring[i] * 1000 + ring[left] + 100);
  }
}

int main() {
  for (int width : {64, 103, 130, 256})
    runRows(width);
  runRing();
  return verdict("tested_alignment");
}
