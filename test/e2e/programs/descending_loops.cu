//===- descending_loops.cu - Loops whose counters decrease ------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each thread counts down from a number of its own, by steps of one to eight, while its counter is
// greater or less than a bound. Some loops end below zero, as numbers without a sign, some at their
// first test. How often a loop runs, and with which counters, is what the host finds.
//
//===----------------------------------------------------------------------===//
// RUN: %regrain cc --targets=cpu --coarsen='*:block.x=2' --coarsen='*:thread.x=4' -o %t %s
// RUN: env REGRAIN_ALTERNATIVE='*:original' %t
// RUN: env REGRAIN_ALTERNATIVE='*:block.x=2' %t
// RUN: env REGRAIN_ALTERNATIVE='*:thread.x=4' %t
#include "expect.h"

constexpr int threads = 64, starts = 4 * threads, most = 300;

enum Form { WhileEnough, WhileBelow, WhileAtMost, UntilBelowZero };

/// Writes a byte per iteration. The results are the number of iterations, and a sum of the
/// counters.
template <Form form, class T, int step>
__host__ __device__ void countDown(unsigned char *out, unsigned *result, T n, T bound) {
  unsigned char *next = out;
  unsigned sum = 0;
  if constexpr (form == WhileEnough) {
    for (; n >= bound + step; n -= step) {
      *next++ = 4;
      sum = sum * 3 + unsigned(n);
    }
  } else if constexpr (form == UntilBelowZero) {
    T before;
    do {
      *next++ = 4;
      before = n;
      n -= step;
    } while (n < before);
    sum = unsigned(n);
  } else {
    do {
      *next++ = 4;
      sum = sum * 3 + unsigned(n);
      n -= step;
    } while (form == WhileBelow ? n < bound : n <= bound);
  }
  result[0] = unsigned(next - out);
  result[1] = sum;
}

/// The plain loop of one byte per step, which compilers unroll.
__host__ __device__ void fill(unsigned char *out, int n) {
  for (; n > 0; n--)
    *out++ = 4;
}

template <Form form, class T, int step>
__global__ void counts(unsigned char *out, unsigned *results, T first, T bound) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  countDown<form, T, step>(out + i * most, results + 2 * i, T(first + i), bound);
}

__global__ void fills(unsigned char *out, int first) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  fill(out + i * most, first + i);
}

template <Form form, class T, int step> void check(const char *name, T first, T bound) {
  DeviceArray<unsigned char> out(size_t(starts) * most);
  DeviceArray<unsigned> results(2 * starts);
  counts<form, T, step><<<starts / threads, threads>>>(out, results, first, bound);
  CHECK(cudaDeviceSynchronize());
  std::vector<unsigned char> bytes = out.host();
  std::vector<unsigned> got = results.host();
  for (int i = 0; i < starts; ++i) {
    unsigned char own[most] = {};
    unsigned wanted[2];
    countDown<form, T, step>(own, wanted, T(first + i), bound);
    for (int k = 0; k < 2; ++k)
      expectEqual(name, 2 * i + k, got[2 * i + k], wanted[k]);
    for (int k = 0; k < most; ++k)
      expectEqual(name, i * most + k, bytes[i * most + k], own[k]);
  }
}

template <class T, int step> void checkForms() {
  check<WhileEnough, T, step>("while positive", T(0), T(0));
  check<WhileEnough, T, step>("while enough is left", T(0), T(7));
  check<WhileBelow, T, step>("while below", T(100), T(90));
  check<WhileAtMost, T, step>("while at most", T(100), T(90));
  if constexpr (T(-1) > T(0))
    check<UntilBelowZero, T, step>("until below zero", T(0), T(0));
}

template <class T> void checkSteps() {
  checkForms<T, 1>();
  checkForms<T, 3>();
  checkForms<T, 4>();
  checkForms<T, 8>();
}

void checkFills() {
  DeviceArray<unsigned char> out(size_t(starts) * most);
  fills<<<starts / threads, threads>>>(out, -2);
  std::vector<unsigned char> got = out.host();
  for (int i = 0; i < starts; ++i)
    for (int k = 0; k < most; ++k)
      expectEqual("filled", i * most + k, got[i * most + k], k < i - 2 ? 4 : 0);
}

int main() {
  checkSteps<int>();
  checkSteps<unsigned>();
  checkSteps<long long>();
  checkSteps<unsigned long long>();
  checkFills();
  return verdict("descending loops");
}
