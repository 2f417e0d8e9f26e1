//===- aligned_launches.cu - Grains for aligned launches --------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels whose grain needs aligned pointers and strides are launched with such arguments, with
// pointers that are not aligned, odd sizes, negative and zero strides, and arguments that overlap.
//
//===----------------------------------------------------------------------===//
// RUN: %regrain cc --targets=cpu -O3 \
// RUN:   --coarsen='*:thread.x=4:contiguous,for.pointers=16' \
// RUN:   --coarsen='add*:thread.x=8:contiguous,for.pointers=16,for.arg3=4n' \
// RUN:   --coarsen='bytes*:block.x=2,thread.x=16:contiguous,for.pointers=16' \
// RUN:   --coarsen='rows*:thread.x=4:contiguous,for.pointers=16,for.arg2=4n' \
// RUN:   --coarsen='walk*:for.arg2=8n,for.arg3=2n,for.arg4=4n' \
// RUN:   --coarsen='inside*:thread.x=2:contiguous,for.pointers=8' --coarsen='*:thread.x=4:contiguous' \
// RUN:   -o %t %s
// RUN: env REGRAIN_ALTERNATIVE='*:original' timeout 60 %t
// RUN: env REGRAIN_ALTERNATIVE='*:thread.x=4:contiguous,for.pointers=16' REGRAIN_VERBOSE=1 timeout 60 %t 2>&1 | FileCheck %s --check-prefix=WIDE
// RUN: env REGRAIN_ALTERNATIVE='add*:thread.x=8:contiguous,for.pointers=16,for.arg3=4n;bytes*:block.x=2,thread.x=16:contiguous,for.pointers=16;rows*:thread.x=4:contiguous,for.pointers=16,for.arg2=4n;walk*:for.arg2=8n,for.arg3=2n,for.arg4=4n;inside*:thread.x=2:contiguous,for.pointers=8' REGRAIN_VERBOSE=1 timeout 60 %t 2>&1 | FileCheck %s --check-prefix=ALL
// RUN: env REGRAIN_ALTERNATIVE='*:thread.x=4:contiguous;*:thread.x=4:contiguous,for.pointers=16' REGRAIN_VERBOSE=1 timeout 60 %t 2>&1 | FileCheck %s --check-prefix=NEXT
//
// WIDE-DAG: add({{.*}}): thread.x=4:contiguous,for.pointers=16 does not run for this launch, because a pointer argument is aligned to fewer bytes than the grain is compiled for (for.pointers)
// WIDE-DAG: bytes({{.*}}): thread.x=4:contiguous,for.pointers=16 does not run
// WIDE-NOT: inside({{.*}}) does not run
// WIDE: aligned_launches: ok
// ALL-DAG: add({{.*}}): thread.x=8:contiguous,for.arg3=4n,for.pointers=16 does not run for this launch, because an argument is not a multiple of the number for which the grain is compiled (for.arg)
// ALL-DAG: rows({{.*}}): thread.x=4:contiguous,for.arg2=4n,for.pointers=16 does not run
// ALL-DAG: walk({{.*}}): for.arg2=8n,for.arg3=2n,for.arg4=4n does not run
// ALL: aligned_launches: ok
// NEXT: add({{.*}}): thread.x=4:contiguous,for.pointers=16 (asked for by REGRAIN_ALTERNATIVE), else thread.x=4:contiguous (asked for by REGRAIN_ALTERNATIVE), else original
// NEXT: aligned_launches: ok
#include "expect.h"

__global__ void add(const float *a, const float *b, float *c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    c[i] = a[i] + b[i];
}

__global__ void bytes(const unsigned char *from, unsigned char *to, unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    to[i] = from[i] * 3 + 1;
}

__global__ void rows(const int *from, int *to, int stride) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, at = int(blockIdx.y) * stride + x;
  to[at] = from[at] + int(blockIdx.y);
}

// Sizes of each width, also as the ends of a loop and as signed steps.
__global__ void walk(const int *from, int *to, short n, signed char step, long long shift) {
  int sum = 0;
  for (int i = 0; i < n; ++i)
    sum += from[i * step + int(shift)];
  to[blockIdx.x * blockDim.x + threadIdx.x] += sum + n + step;
}

struct Pair {
  const float *from;
  int shift;
};

// The pointer in the structure has any alignment.
__global__ void inside(Pair pair, float *to) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  to[i] = pair.from[i + pair.shift] * 2;
}

constexpr int blocks = 3, threads = 64, most = 1024;

static float first(int i) { return float(i % 97); }
static float second(int i) { return float(i % 31 * 100); }

static void runAdd(int a, int b, int c, int n) {
  std::vector<float> left(most), right(most);
  for (int i = 0; i < most; ++i) {
    left[i] = first(i);
    right[i] = second(i);
  }
  DeviceArray<float> x(left), y(right), z(most);
  add<<<blocks, threads>>>(x + a, y + b, z + c, n);
  auto got = z.host();
  for (int i = 0; i < most; ++i)
    expectEqual(
        "add", i, got[i],
        i >= c && i < c + n && i < c + blocks * threads ? first(i - c + a) + second(i - c + b) : 0);
}

// The result is one of the operands, or lies far enough behind it that no thread reads it.
static void runOverlapping(int distance, int n) {
  std::vector<float> data(most);
  for (int i = 0; i < most; ++i)
    data[i] = first(i);
  DeviceArray<float> memory(data);
  add<<<blocks, threads>>>(memory, memory, memory + distance, n);
  auto got = memory.host();
  for (int i = 0; i < most; ++i)
    expectEqual("overlapping", i, got[i],
                i >= distance && i < distance + n ? 2 * first(i - distance) : first(i));
}

static void runBytes(int from, int to, unsigned n) {
  std::vector<unsigned char> data(most);
  for (int i = 0; i < most; ++i)
    data[i] = i * 7;
  DeviceArray<unsigned char> input(data), output(most);
  bytes<<<blocks, threads>>>(input + from, output + to, n);
  auto got = output.host();
  for (int i = 0; i < most; ++i)
    expectEqual("bytes", i, got[i],
                i >= to && i < to + int(n) ? (unsigned char)((i - to + from) * 7 * 3 + 1) : 0);
}

static void runRows(int from, int to, int stride) {
  constexpr int height = 4, middle = most / 2;
  std::vector<int> data(most);
  for (int i = 0; i < most; ++i)
    data[i] = i * 11;
  std::vector<int> wanted(most);
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < threads; ++x)
      wanted[middle + to + y * stride + x] = (middle + from + y * stride + x) * 11 + y;
  // Rows that coincide are written by several blocks, so only their first row is launched.
  DeviceArray<int> input(data), output(most);
  for (int y = 0; y < height; ++y)
    if (stride != 0 || y == height - 1)
      rows<<<dim3(1, stride != 0 ? height : 1), threads>>>(input + middle + from,
                                                           output + middle + to, stride);
  auto got = output.host();
  for (int i = 0; i < most; ++i)
    expectEqual("rows", i, got[i],
                stride != 0 ? wanted[i]
                : wanted[i] ? wanted[i] - (height - 1)
                            : 0);
}

static void runWalk(int n, int step, long long shift) {
  std::vector<int> data(most);
  for (int i = 0; i < most; ++i)
    data[i] = i * i;
  int sum = 0;
  for (int i = 0; i < n; ++i)
    sum += data[i * step + int(shift)];
  DeviceArray<int> input(data), output(blocks * threads);
  walk<<<blocks, threads>>>(input, output, short(n), (signed char)step, shift);
  auto got = output.host();
  for (int i = 0; i < blocks * threads; ++i)
    expectEqual("walk", i, got[i], sum + n + step);
}

static void runInside(int from, int shift) {
  std::vector<float> data(most);
  for (int i = 0; i < most; ++i)
    data[i] = first(i);
  DeviceArray<float> input(data), output(blocks * threads);
  inside<<<blocks, threads>>>(Pair{input + from, shift}, output);
  auto got = output.host();
  for (int i = 0; i < blocks * threads; ++i)
    expectEqual("inside", i, got[i], 2 * first(i + from + shift));
}

int main() {
  for (int n : {192, 191, 190, 64, 5, 3, 1, 0})
    for (int place : {0, 1, 2, 3, 4}) {
      runAdd(place, 0, 0, n);
      runAdd(0, place, 0, n);
      runAdd(0, 0, place, n);
      runAdd(place, place, place, n);
    }
  for (int n : {192, 189, 8})
    for (int distance : {0, 192, 193, 196})
      runOverlapping(distance, n);
  for (unsigned n : {192u, 177u, 16u, 15u, 0u})
    for (int from : {0, 1, 8, 16})
      for (int to : {0, 2, 15})
        runBytes(from, to, n);
  for (int stride : {64, 66, 67, 72, -64, -65, 0})
    for (int place : {0, 1})
      runRows(place, 0, stride), runRows(0, place, stride);
  for (int n : {16, 8, 7, 0})
    for (int step : {2, 1, 0, 4})
      for (long long shift : {0ll, 4ll, 5ll})
        runWalk(n, step, shift);
  runWalk(8, -2, 64);
  runWalk(8, -3, 64);
  for (int from : {0, 1, 3})
    for (int shift : {0, 1, 4})
      runInside(from, shift);
  return verdict("aligned_launches");
}
