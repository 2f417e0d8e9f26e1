//===- toolkit-thrust.cu - Thrust of a toolkit on the CPU -------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// REQUIRES: cuda-toolkit
// RUN: %regrain cc -std=c++17 --cuda-path=%toolkit --targets=cpu -I%root/test/e2e/programs -o %t %s
// RUN: timeout 120 %t
#include "expect.h"
#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/fill.h>
#include <thrust/host_vector.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sequence.h>
#include <thrust/transform.h>

struct Twice {
  __host__ __device__ int operator()(int value) const { return 2 * value; }
};

int main() {
  const int count = 5000, all = count * (count - 1) / 2;
  thrust::device_vector<int> numbers(count), out(count);
  thrust::sequence(numbers.begin(), numbers.end());
  expectEqual("reduce", 0, thrust::reduce(numbers.begin(), numbers.end()), all);
  thrust::transform(numbers.begin(), numbers.end(), out.begin(), Twice());
  expectEqual("transform", 0, thrust::reduce(out.begin(), out.end()), 2 * all);
  thrust::exclusive_scan(numbers.begin(), numbers.end(), out.begin());
  expectEqual("scan", 0, int(out[count - 1]), all - (count - 1));
  thrust::fill(out.begin(), out.begin() + 10, 7);
  thrust::host_vector<int> host(count);
  thrust::copy(out.begin(), out.end(), host.begin());
  expectEqual("fill", 0, host[9], 7);
  expectEqual("copy", 0, host[11], 55);
  return verdict("toolkit-thrust");
}
