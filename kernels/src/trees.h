//===- trees.h - What threads find out together -*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "numbers.h"
#include <cstring>
#include <cuda_runtime.h>

namespace regrain::kernels {

/// Returns the largest of the numbers of `group` neighbouring threads, a power of two; `place` is
/// the thread's among them. All threads of the block call it, with memory for a number of each.
template <int group>
__device__ inline float largestOfGroup(float *numbers, float number, unsigned place) {
  numbers[threadIdx.x] = number;
  __syncthreads();
  for (unsigned s = group / 2; s > 0; s >>= 1) {
    if (place < s)
      numbers[threadIdx.x] = fmaxf(numbers[threadIdx.x], numbers[threadIdx.x + s]);
    __syncthreads();
  }
  return numbers[threadIdx.x - place];
}

/// Returns the largest of the numbers of `width` neighbouring lanes, a power of two.
template <int width> __device__ inline float largestOfLanes(float number) {
#pragma unroll
  for (int s = width / 2; s > 0; s >>= 1)
    number = fmaxf(number, __shfl_xor_sync(~0u, number, s));
  return number;
}

/// Returns the largest of the numbers at `place % count` of `width` neighbouring lanes, where
/// `place` is the lane's among them. A lane hands half of its numbers to another one, and so on: 16
/// shuffles for 16 numbers of 32 lanes.
template <int width, int count>
__device__ inline float largestOfEach(float (&numbers)[count], int place) {
  static_assert(count <= width && width <= 32);
#pragma unroll
  for (int s = count / 2; s > 0; s >>= 1) {
    bool isUpper = place & s;
#pragma unroll
    for (int i = 0; i < s; ++i) {
      float lower = numbers[i], upper = numbers[i + s];
      float own = isUpper ? upper : lower, other = isUpper ? lower : upper;
      numbers[i] = fmaxf(own, __shfl_xor_sync(~0u, other, s));
    }
  }
#pragma unroll
  for (int s = width / 2; s >= count; s >>= 1)
    numbers[0] = fmaxf(numbers[0], __shfl_xor_sync(~0u, numbers[0], s));
  return numbers[0];
}

/// Returns the largest of a thread's numbers, or of numbers in shared memory.
template <int count> __device__ __forceinline__ float largestOf(const float (&numbers)[count]) {
  float most = 0;
#pragma unroll
  for (int i = 0; i < count; ++i)
    most = fmaxf(most, fabsf(numbers[i]));
  return most;
}

/// Writes the largest number of the thread's warp to its place in `parts`; warps are whole.
__device__ inline void putLargestOfWarp(float *parts, float number) {
  number = largestOfLanes<32>(number);
  if (threadIdx.x % 32 == 0)
    parts[threadIdx.x / 32] = number;
}

/// Returns the largest of what the warps of a block have put, behind a barrier. Numbers are no less
/// than 0.
template <int threads> __device__ inline float largestOfWarps(const float *parts) {
  int lane = threadIdx.x % 32;
  return largestOfLanes<32>(lane < threads / 32 ? parts[lane] : 0);
}

/// Returns the largest of the numbers of a block; `parts` has a place for each warp.
template <int threads> __device__ inline float largestOfBlock(float *parts, float number) {
  putLargestOfWarp(parts, number);
  __syncthreads();
  return largestOfWarps<threads>(parts);
}

template <unsigned bytes> struct Word;
template <> struct Word<2> {
  using Type = unsigned short;
};
template <> struct Word<4> {
  using Type = unsigned;
};
template <> struct Word<8> {
  using Type = uint2;
};
template <> struct Word<16> {
  using Type = uint4;
};

/// Numbers of neighbouring columns, which are one access: memory is aligned to `bytes`.
template <class T, int count> struct Neighbours {
  T at[count];
  static constexpr unsigned bytes = sizeof(T) * count;
  using Whole = typename Word<bytes>::Type;

  __device__ __forceinline__ void read(const T *from) {
    Whole whole = *reinterpret_cast<const Whole *>(from);
    memcpy(at, &whole, bytes);
  }
  __device__ __forceinline__ void write(T *to) const {
    Whole whole;
    memcpy(&whole, at, bytes);
    *reinterpret_cast<Whole *>(to) = whole;
  }
};

/// Writes neighbouring numbers as fp8, two by one conversion.
template <int count>
__device__ __forceinline__ void writeFp8(unsigned char *to, const float (&numbers)[count]) {
  static_assert(count % 2 == 0);
  Neighbours<unsigned char, count> codes;
#pragma unroll
  for (int i = 0; i < count; i += 2) {
    __nv_fp8x2_storage_t pair = toFp8(numbers[i], numbers[i + 1]);
    memcpy(codes.at + i, &pair, sizeof(pair));
  }
  codes.write(to);
}

/// For rules of variants, with a number of neighbours.
template <unsigned bytes, class... Pointers> constexpr bool areAligned(Pointers... pointers) {
  return ((reinterpret_cast<size_t>(pointers) % bytes == 0) && ...);
}

/// Returns the sum of threads * count numbers, `count` of each thread, as a tree of as many threads
/// with a number each adds them: halves of all numbers are added, and so on, down to neighbours.
/// `parts` has a place for each number. Warps are whole, and all threads have the result. Some
/// warps add, while the others call `meanwhile`, as they do: what was put into shared memory before
/// can be read there.
template <int threads, int count, class Meanwhile>
__device__ __forceinline__ float sumAsTree(float *parts, const float (&numbers)[count],
                                           Meanwhile meanwhile) {
  constexpr int warps = threads / 32;
  __shared__ float sums[count];
  int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
#pragma unroll
  for (int i = 0; i < count; ++i)
    parts[i * threads + threadIdx.x] = numbers[i];
  __syncthreads();
#pragma unroll
  for (int first = 0; first < count; first += warps) {
    int i = first + warp;
    if (i < count) {
      float of[warps];
#pragma unroll
      for (int w = 0; w < warps; ++w)
        of[w] = parts[i * threads + w * 32 + lane];
#pragma unroll
      for (int s = warps / 2; s > 0; s >>= 1)
#pragma unroll
        for (int w = 0; w < s; ++w)
          of[w] += of[w + s];
#pragma unroll
      for (int s = 16; s > 0; s >>= 1)
        of[0] += __shfl_down_sync(~0u, of[0], s);
      if (lane == 0)
        sums[i] = of[0];
    }
  }
  meanwhile();
  __syncthreads();
  float all[count];
#pragma unroll
  for (int i = 0; i < count; ++i)
    all[i] = sums[i];
#pragma unroll
  for (int s = count / 2; s > 0; s >>= 1)
#pragma unroll
    for (int i = 0; i < s; ++i)
      all[i] += all[i + s];
  return all[0];
}

} // namespace regrain::kernels
