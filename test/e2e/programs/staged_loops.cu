//===- staged_loops.cu - Tiles of loops in shared memory --------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops of different lengths, with starts and steps, in blocks of which some are partly outside.
// What they read starts behind a page that cannot be read, or ends before one: a copy that reads
// more than the program does is a fault. Sums depend on the order of their terms.
//
//===----------------------------------------------------------------------===//
// RUN: %regrain cc --targets=cpu -O3 \
// RUN:   --coarsen='*:staging=loops,for.block=16x8x1' \
// RUN:   --coarsen='*:block.x=2,block.y=4,staging=loops,for.block=16x8x1,for.pointers=16' \
// RUN:   --coarsen='*:thread.x=2:contiguous,staging=loops,for.block=16x8x1' \
// RUN:   --coarsen='product*:thread.y=4,staging=loops,for.block=16x8x1,for.pointers=16,for.arg4=4n,for.arg5=4n' \
// RUN:   --coarsen='*:shape=32x4x1,staging=loops' --coarsen='product*:shape=8x8x1,block.x=4,block.y=2,staging=loops' \
// RUN:   -o %t %s
// RUN: env REGRAIN_ALTERNATIVE='*:original' timeout 60 %t
// RUN: env REGRAIN_ALTERNATIVE='*:staging=loops,for.block=16x8x1' REGRAIN_VERBOSE=1 timeout 60 %t 2>&1 | FileCheck %s
// RUN: env REGRAIN_ALTERNATIVE='*:block.x=2,block.y=4,staging=loops,for.block=16x8x1,for.pointers=16' REGRAIN_VERBOSE=1 timeout 60 %t 2>&1 | FileCheck %s --check-prefix=BLOCKS
// RUN: env REGRAIN_ALTERNATIVE='*:thread.x=2:contiguous,staging=loops,for.block=16x8x1;product*:thread.y=4,staging=loops,for.block=16x8x1,for.pointers=16,for.arg4=4n,for.arg5=4n' REGRAIN_VERBOSE=1 timeout 60 %t 2>&1 | FileCheck %s --check-prefix=THREADS
// RUN: env REGRAIN_ALTERNATIVE='*:shape=32x4x1,staging=loops;product*:shape=8x8x1,block.x=4,block.y=2,staging=loops' REGRAIN_VERBOSE=1 timeout 60 %t 2>&1 | FileCheck %s --check-prefix=SHAPE
//
// CHECK-NOT: refused
// CHECK-DAG: product({{.*}}): staging=loops,for.block=16x8x1 (asked for by REGRAIN_ALTERNATIVE)
// CHECK-DAG: columns({{.*}}): staging=loops,for.block=16x8x1 (asked for by REGRAIN_ALTERNATIVE)
// CHECK-DAG: points({{.*}}): staging=loops,for.block=16x8x1 (asked for by REGRAIN_ALTERNATIVE)
// CHECK-DAG: halo({{.*}}): staging=loops,for.block=16x8x1 (asked for by REGRAIN_ALTERNATIVE)
// CHECK-DAG: twice({{.*}}): staging=loops,for.block=16x8x1 (asked for by REGRAIN_ALTERNATIVE)
// CHECK: staged_loops: ok
// BLOCKS-NOT: refused
// BLOCKS: product({{.*}}): block.x=2,block.y=4,staging=loops,for.block=16x8x1,for.pointers=16 (asked for by REGRAIN_ALTERNATIVE)
// BLOCKS: staged_loops: ok
// THREADS-NOT: refused
// THREADS: product({{.*}}): thread.y=4,staging=loops,for.block=16x8x1,for.arg4=4n,for.arg5=4n,for.pointers=16 (asked for by REGRAIN_ALTERNATIVE)
// THREADS: staged_loops: ok
// SHAPE-NOT: refused
// SHAPE: product({{.*}}): block.x=4,block.y=2,shape=8x8x1,staging=loops (asked for by REGRAIN_ALTERNATIVE)
// SHAPE: staged_loops: ok
#include "expect.h"
#include "guarded.h"

#include <functional>

__global__ void product(unsigned *__restrict__ c, const unsigned *__restrict__ a,
                        const unsigned *__restrict__ b, int m, int n, int k) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= n || y >= m)
    return;
  unsigned sum = 0;
  for (int i = 0; i < k; ++i)
    sum = sum * 3 + a[y * k + i] * b[i * n + x];
  c[y * n + x] = sum;
}

// A start that is an argument, a step, a counter of 64 bits, narrow elements, and no guard.
__global__ void columns(unsigned *__restrict__ c, const unsigned short *__restrict__ a, long first,
                        long end, int width) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  unsigned sum = 0;
  for (long i = first; i < end; i += 3)
    sum = sum * 5 + a[i * width + x] * (y + 1);
  c[y * width + x] = sum;
}

// All threads read the same points, of which one component is not read.
__global__ void points(int *__restrict__ c, const int *__restrict__ p, int count, int width) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width) {
    int sum = 1;
    for (int i = 0; i < count; ++i)
      sum = sum * 3 + (p[4 * i] - x) * (p[4 * i + 1] - y) + p[4 * i + 3];
    c[y * width + x] = sum;
  }
}

// Iterations share elements. A load under a condition stays.
__global__ void halo(double *__restrict__ c, const double *__restrict__ a, int rows, int width) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width)
    return;
  double sum = 0;
  for (int i = 1; i < rows - 1; ++i) {
    sum = a[(i - 1) * width + x] - a[(i + 1) * width + x] * 2 - sum;
    if (i % 5 == y)
      sum += a[i * width + x];
  }
  c[y * width + x] = sum;
}

// Two loops behind each other.
__global__ void twice(int *__restrict__ c, const int *__restrict__ a, int count, int width) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  int most = -1000, sum = 0;
  for (int i = 0; i < count; ++i)
    most = max(most, a[i] ^ x);
  for (int i = 0; i < count; ++i)
    sum = sum * 3 + (a[i] - most) * (y + 1);
  c[y * width + x] = sum;
}

template <class T> static std::vector<T> numbers(size_t count, unsigned seed) {
  std::vector<T> data(count);
  for (size_t i = 0; i < count; ++i)
    data[i] = T((i * 37 + seed) % 101);
  return data;
}

static dim3 gridOf(int width, int height) { return dim3((width + 15) / 16, (height + 7) / 8); }
static const dim3 block(16, 8);

static void runProduct(int m, int n, int k, bool atEnd) {
  auto a = numbers<unsigned>(m * k, 1), b = numbers<unsigned>(k * n, 5);
  Guarded<unsigned> left(a, atEnd), right(b, atEnd);
  DeviceArray<unsigned> to(m * n);
  product<<<gridOf(n, m), block>>>(to, left, right, m, n, k);
  CHECK(cudaDeviceSynchronize());
  auto got = to.host();
  for (int y = 0; y < m; ++y)
    for (int x = 0; x < n; ++x) {
      unsigned sum = 0;
      for (int i = 0; i < k; ++i)
        sum = sum * 3 + a[y * k + i] * b[i * n + x];
      expectEqual("product", y * n + x, got[y * n + x], sum);
    }
}

/// Runs a kernel that reads one array, for 16 rows.
template <class From, class To>
static void compare(const char *name, size_t count, int width, bool atEnd,
                    const std::function<void(dim3, To *, From *)> &launch,
                    const std::function<To(const From *, int, int)> &wanted) {
  auto data = numbers<From>(count, 3);
  Guarded<From> from(data, atEnd);
  DeviceArray<To> to(width * 16);
  launch(gridOf(width, 16), to, from);
  CHECK(cudaDeviceSynchronize());
  auto got = to.host();
  for (int y = 0; y < 16; ++y)
    for (int x = 0; x < width; ++x)
      expectEqual(name, y * width + x, got[y * width + x], wanted(data.data(), x, y));
}

static void runColumns(long first, long end, bool atEnd) {
  constexpr int width = 32;
  compare<unsigned short, unsigned>(
      "columns", end > 0 ? end * width : 1, width, atEnd,
      [&](dim3 grid, unsigned *c, unsigned short *a) {
        columns<<<grid, block>>>(c, a, first, end, width);
      },
      [&](const unsigned short *a, int x, int y) {
        unsigned sum = 0;
        for (long i = first; i < end; i += 3)
          sum = sum * 5 + a[i * width + x] * (y + 1);
        return sum;
      });
}

static void runPoints(int count, int width, bool atEnd) {
  compare<int, int>(
      "points", 4 * count, width, atEnd,
      [&](dim3 grid, int *c, int *p) { points<<<grid, block>>>(c, p, count, width); },
      [&](const int *p, int x, int y) {
        int sum = 1;
        for (int i = 0; i < count; ++i)
          sum = int(unsigned(sum) * 3u +
                    unsigned((p[4 * i] - x) * (p[4 * i + 1] - y) + p[4 * i + 3]));
        return sum;
      });
}

static void runHalo(int rows, int width, bool atEnd) {
  compare<double, double>(
      "halo", rows * width, width, atEnd,
      [&](dim3 grid, double *c, double *a) { halo<<<grid, block>>>(c, a, rows, width); },
      [&](const double *a, int x, int y) {
        double sum = 0;
        for (int i = 1; i < rows - 1; ++i) {
          sum = a[(i - 1) * width + x] - a[(i + 1) * width + x] * 2 - sum;
          if (i % 5 == y)
            sum += a[i * width + x];
        }
        return sum;
      });
}

static void runTwice(int count, bool atEnd) {
  constexpr int width = 48;
  compare<int, int>(
      "twice", count, width, atEnd,
      [&](dim3 grid, int *c, int *a) { twice<<<grid, block>>>(c, a, count, width); },
      [&](const int *a, int x, int y) {
        int most = -1000;
        unsigned sum = 0;
        for (int i = 0; i < count; ++i)
          most = std::max(most, a[i] ^ x);
        for (int i = 0; i < count; ++i)
          sum = sum * 3 + unsigned((a[i] - most) * (y + 1));
        return int(sum);
      });
}

int main() {
  for (bool atEnd : {false, true}) {
    for (auto [m, n, k] : {std::array{1, 1, 1}, {8, 16, 16}, {32, 32, 15}, {32, 64, 17}, {64, 64, 64},
                           {33, 47, 40}, {64, 32, 100}, {16, 68, 32}, {128, 4, 33}})
      runProduct(m, n, k, atEnd);
    for (auto [first, end] : {std::pair(0L, 0L), {5L, 2L}, {0L, 48L}, {1L, 50L}, {2L, 99L},
                              {0L, 97L}, {7L, 301L}})
      runColumns(first, end, atEnd);
    for (auto [count, width] : {std::pair(1, 16), {127, 32}, {128, 17}, {129, 64}, {300, 33}})
      runPoints(count, width, atEnd);
    for (auto [rows, width] : {std::pair(2, 16), {17, 16}, {18, 32}, {19, 31}, {50, 64}, {67, 20}})
      runHalo(rows, width, atEnd);
    for (int count : {1, 127, 128, 129, 256, 500})
      runTwice(count, atEnd);
  }
  return verdict("staged_loops");
}
