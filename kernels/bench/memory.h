//===- memory.h - Device memory of a measured program -*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program that includes this file ends with a line "FAIL reason" if a call fails.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

inline void check(cudaError_t error) {
  if (error == cudaSuccess)
    return;
  printf("FAIL %s\n", cudaGetErrorString(error));
  exit(1);
}

/// Device memory for one case.
class Memory {
public:
  explicit Memory(size_t bytes) : size(bytes) {
    check(cudaMalloc(&begin, std::max<size_t>(bytes, 16)));
    check(cudaMemset(begin, 0, std::max<size_t>(bytes, 16)));
  }
  ~Memory() { cudaFree(begin); }
  Memory(const Memory &) = delete;
  Memory &operator=(const Memory &) = delete;

  /// Fills it with elements that `make` numbers, which repeat after `most` (no power of two, so
  /// that rows differ).
  template <class T, class F> Memory &fill(F make) {
    constexpr size_t most = 1048573;
    std::vector<T> period(std::min(size / sizeof(T), most));
    for (size_t i = 0; i < period.size(); ++i)
      period[i] = make(i);
    size_t have = period.size() * sizeof(T);
    check(cudaMemcpy(begin, period.data(), have, cudaMemcpyHostToDevice));
    for (size_t at = have; at < size; at += have)
      check(cudaMemcpy(static_cast<char *>(begin) + at, begin, std::min(have, size - at),
                       cudaMemcpyDeviceToDevice));
    return *this;
  }
  /// Reads it in pieces, so that no more than one of them is on the host.
  uint64_t hash(uint64_t seed) const {
    constexpr size_t piece = size_t(64) << 20;
    std::vector<uint64_t> words((std::min(size, piece) + 7) / 8);
    for (size_t at = 0; at < size; at += piece) {
      size_t have = std::min(piece, size - at);
      words[(have - 1) / 8] = 0;
      check(
          cudaMemcpy(words.data(), static_cast<char *>(begin) + at, have, cudaMemcpyDeviceToHost));
      for (size_t i = 0; i < (have + 7) / 8; ++i)
        seed = (seed ^ words[i]) * 0x100000001b3ull;
    }
    return seed;
  }
  template <class T> T *as() const { return static_cast<T *>(begin); }
  const size_t size;

private:
  void *begin = nullptr;
};

/// In [-1, 1), the same for each number and seed.
inline float unit(uint64_t i, uint64_t seed) {
  uint64_t x = (i + seed * 0x1000003ull + 1) * 0x9e3779b97f4a7c15ull;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
  return float(int64_t((x ^ (x >> 31)) >> 40)) / (1 << 23) - 1;
}
