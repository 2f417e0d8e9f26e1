//===- strided_blocks.cu - Neighbours for each thread of a block -*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Blocks stride through a range: the grid's, or one of each row; with ends within a round, blocks
// that neighbours do not divide, and counters of several types.
//
//===----------------------------------------------------------------------===//
// RUN: %regrain cc --targets=cpu \
// RUN:   --coarsen='*:iterations=16' --coarsen='*:iterations=4,for.aliases=none' \
// RUN:   --coarsen='*:iterations=2,for.aliases=none,block.x=2,thread.x=2' \
// RUN:   -o %t %s
// RUN: env REGRAIN_ALTERNATIVE='*:original' timeout 60 %t
// RUN: env REGRAIN_ALTERNATIVE='*:iterations=16' REGRAIN_VERBOSE=1 timeout 60 %t 2>&1 | FileCheck %s
// RUN: env REGRAIN_ALTERNATIVE='*:iterations=4,for.aliases=none' REGRAIN_VERBOSE=1 timeout 60 %t 2>&1 | FileCheck %s --check-prefix=FOUR
// RUN: env REGRAIN_ALTERNATIVE='*:iterations=2,for.aliases=none,block.x=2,thread.x=2' timeout 60 %t
//
// CHECK-DAG: histogram({{.*}}): iterations=16 (asked for by REGRAIN_ALTERNATIVE)
// CHECK-DAG: bytes({{.*}}): iterations=16 (asked for by REGRAIN_ALTERNATIVE)
// CHECK: strided_blocks: ok
// FOUR-DAG: histogram({{.*}}): iterations=4,for.aliases=none (asked for by REGRAIN_ALTERNATIVE)
// FOUR-DAG: scale({{.*}}): iterations=4,for.aliases=none (asked for by REGRAIN_ALTERNATIVE)
// FOUR-DAG: rows({{.*}}): iterations=4,for.aliases=none (asked for by REGRAIN_ALTERNATIVE)
// FOUR: strided_blocks: ok
#include "expect.h"

__global__ void histogram(unsigned *counts, const unsigned char *bytes, int n) {
  __shared__ unsigned own[256];
  for (int i = threadIdx.x; i < 256; i += blockDim.x)
    own[i] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&own[bytes[i]], 1u);
  __syncthreads();
  for (int i = threadIdx.x; i < 256; i += blockDim.x)
    atomicAdd(&counts[i], own[i]);
}

__global__ void scale(int *out, const int *in, size_t n) {
  for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    out[i] = in[i] * 3 + int(i);
}

// In place, with a branch and a loop in the body.
__global__ void bytes(unsigned char *data, unsigned n) {
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    if (data[i] % 3 != 1)
      for (unsigned k = 0; k <= i % 4; ++k)
        data[i] = data[i] * 5 + k;
}

// A block has a row, and a row of threads has every second one of them.
__global__ void rows(int *out, const int *in, int width, int height) {
  int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (blockIdx.x % 2 == 0)
    for (int i = threadIdx.x; i < width; i += blockDim.x)
      out[row * width + i] = in[row * width + i] ^ row;
}

static std::vector<unsigned char> randomBytes(int count) {
  std::vector<unsigned char> data(count);
  for (int i = 0; i < count; ++i)
    data[i] = (unsigned char)((i * 2654435761u) >> 13);
  return data;
}

static void testBytes(int n, int blocks, int threads) {
  std::vector<unsigned char> data = randomBytes(n);
  DeviceArray<unsigned char> in(data);
  DeviceArray<unsigned> counts(256);
  histogram<<<blocks, threads>>>(counts, in, n);
  std::vector<unsigned> wanted(256), found = counts.host();
  for (unsigned char byte : data)
    ++wanted[byte];
  for (int i = 0; i < 256; ++i)
    expectEqual("histogram", i, int(found[i]), int(wanted[i]));
  bytes<<<blocks, threads>>>(in, unsigned(n));
  std::vector<unsigned char> after = in.host();
  for (int i = 0; i < n; ++i) {
    unsigned char byte = data[i];
    for (unsigned k = 0; data[i] % 3 != 1 && k <= unsigned(i) % 4; ++k)
      byte = byte * 5 + k;
    expectEqual("bytes", i, int(after[i]), int(byte));
  }
}

static void testNumbers(int n, int blocks, int threads) {
  std::vector<int> data(n);
  for (int i = 0; i < n; ++i)
    data[i] = int((i * 2654435761u) >> 12);
  DeviceArray<int> in(data), out(n), table(n);
  scale<<<blocks, threads>>>(out, in, n);
  std::vector<int> found = out.host();
  for (int i = 0; i < n; ++i)
    expectEqual("scale", i, found[i], data[i] * 3 + i);
  int width = n / 8;
  rows<<<4, dim3(threads, 2)>>>(table, in, width, 8);
  found = table.host();
  for (int i = 0; i < width * 8; ++i)
    expectEqual("rows", i, found[i], i / width / 2 % 2 ? 0 : data[i] ^ (i / width));
}

int main() {
  for (int n : {8, 640, 641, 5003})
    for (int threads : {32, 48, 70}) {
      testBytes(n, 3, threads);
      testNumbers(n, 3, threads);
    }
  return verdict("strided_blocks");
}
