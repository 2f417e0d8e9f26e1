//===- staged_stencils.cu - Footprints in shared memory ---------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stencils of one to three dimensions with odd sizes, and with different guards. What they read
// starts behind a page that cannot be read, or ends before one: a copy that reads more than the
// program does is a fault.
//
//===----------------------------------------------------------------------===//
// RUN: %regrain cc --targets=cpu -O3 \
// RUN:   --coarsen='line*:staging=shared,for.block=64x1x1' --coarsen='two*:staging=shared,for.block=16x4x1' \
// RUN:   --coarsen='three*:staging=shared,for.block=8x4x2' \
// RUN:   --coarsen='line*:staging=shared,for.block=64x1x1,for.pointers=16' \
// RUN:   --coarsen='two*:staging=shared,for.block=16x4x1,for.arg2=8n,for.pointers=16' \
// RUN:   --coarsen='three*:staging=shared,for.block=8x4x2,for.arg3=4n,for.pointers=16' \
// RUN:   --coarsen='line*:thread.x=2:contiguous,staging=shared,for.block=64x1x1' \
// RUN:   --coarsen='two*:block.x=2,staging=shared,for.block=16x4x1' \
// RUN:   --coarsen='three*:thread.z=2,staging=shared,for.block=8x4x2' \
// RUN:   --coarsen='line*:staging=shared,copies=bulk,for.block=64x1x1,for.pointers=16' \
// RUN:   --coarsen='two*:shape=64x4x1,staging=shared,copies=bulk,for.arg2=8n,for.pointers=16' \
// RUN:   -o %t %s
// RUN: env REGRAIN_ALTERNATIVE='*:original' timeout 60 %t
// RUN: env REGRAIN_ALTERNATIVE='line*:staging=shared,for.block=64x1x1;two*:staging=shared,for.block=16x4x1;three*:staging=shared,for.block=8x4x2' REGRAIN_VERBOSE=1 timeout 60 %t 2>&1 | FileCheck %s
// RUN: env REGRAIN_ALTERNATIVE='line*:staging=shared,for.block=64x1x1,for.pointers=16;two*:staging=shared,for.block=16x4x1,for.arg2=8n,for.pointers=16;three*:staging=shared,for.block=8x4x2,for.arg3=4n,for.pointers=16' REGRAIN_VERBOSE=1 timeout 60 %t 2>&1 | FileCheck %s --check-prefix=WIDE
// RUN: env REGRAIN_ALTERNATIVE='line*:thread.x=2:contiguous,staging=shared,for.block=64x1x1;two*:block.x=2,staging=shared,for.block=16x4x1;three*:thread.z=2,staging=shared,for.block=8x4x2' REGRAIN_VERBOSE=1 timeout 60 %t 2>&1 | FileCheck %s --check-prefix=COARSE
// RUN: env REGRAIN_ALTERNATIVE='line*:staging=shared,copies=bulk,for.block=64x1x1,for.pointers=16;two*:shape=64x4x1,staging=shared,copies=bulk,for.arg2=8n,for.pointers=16' REGRAIN_VERBOSE=1 timeout 60 %t 2>&1 | FileCheck %s --check-prefix=ROWS
//
// CHECK-NOT: refused
// CHECK-DAG: lineInner({{.*}}): staging=shared,for.block=64x1x1 (asked for by REGRAIN_ALTERNATIVE)
// CHECK-DAG: lineEdges({{.*}}): staging=shared,for.block=64x1x1 (asked for by REGRAIN_ALTERNATIVE)
// CHECK-DAG: lineOdd({{.*}}): staging=shared,for.block=64x1x1 (asked for by REGRAIN_ALTERNATIVE)
// CHECK-DAG: twoStar({{.*}}): staging=shared,for.block=16x4x1 (asked for by REGRAIN_ALTERNATIVE)
// CHECK-DAG: twoSpiral({{.*}}): staging=shared,for.block=16x4x1 (asked for by REGRAIN_ALTERNATIVE)
// CHECK-DAG: twoBox({{.*}}): staging=shared,for.block=16x4x1 (asked for by REGRAIN_ALTERNATIVE)
// CHECK-DAG: threeStar({{.*}}): staging=shared,for.block=8x4x2 (asked for by REGRAIN_ALTERNATIVE)
// CHECK: staged_stencils: ok
// WIDE-DAG: twoStar({{.*}}): staging=shared,for.block=16x4x1,for.arg2=8n,for.pointers=16 (asked for by REGRAIN_ALTERNATIVE)
// WIDE-DAG: twoSpiral({{.*}}): staging=shared,for.block=16x4x1,for.arg2=8n,for.pointers=16 (asked for by REGRAIN_ALTERNATIVE)
// WIDE-DAG: threeStar({{.*}}): staging=shared,for.block=8x4x2,for.arg3=4n,for.pointers=16 (asked for by REGRAIN_ALTERNATIVE)
// WIDE: staged_stencils: ok
// COARSE-DAG: lineInner({{.*}}): thread.x=2:contiguous,staging=shared,for.block=64x1x1 (asked for by REGRAIN_ALTERNATIVE)
// COARSE: staged_stencils: ok
// ROWS-DAG: lineInner({{.*}}): staging=shared,copies=bulk,for.block=64x1x1,for.pointers=16 (asked for by REGRAIN_ALTERNATIVE)
// ROWS-DAG: twoStar({{.*}}): shape=64x4x1,staging=shared,copies=bulk,for.arg2=8n,for.pointers=16 (asked for by REGRAIN_ALTERNATIVE)
// ROWS-DAG: twoSpiral({{.*}}): shape=64x4x1,staging=shared,copies=bulk,for.arg2=8n,for.pointers=16 (asked for by REGRAIN_ALTERNATIVE)
// ROWS: staged_stencils: ok
#include "expect.h"
#include "guarded.h"

#include <functional>

__global__ void lineInner(const float *__restrict__ a, float *__restrict__ b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 1 && i < n - 2)
    b[i] = a[i - 2] * 0.5f + a[i - 1] - a[i] * 3.0f + a[i + 1] + a[i + 2] * 0.25f;
}

// Each load has a guard of its own, and some threads leave early. The index is unsigned.
__global__ void lineEdges(const double *__restrict__ a, double *__restrict__ b, size_t n) {
  size_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double left = i > 0 ? a[i - 1] : 7.0, right = i + 1 < n ? a[i + 1] : 9.0;
  b[i] = left - 2.0 * a[i] + right;
}

// The guard is not linear, so that elements in the middle are not loaded by all.
__global__ void lineOdd(const unsigned char *__restrict__ a, int *__restrict__ b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && i % 3 != 1)
    b[i] = a[i] * 5 + (i + 1 < n && (i & 2) ? a[i + 1] : 0) + (i > 0 ? a[i - 1] : 0);
}

__global__ void twoStar(const float *__restrict__ a, float *__restrict__ b, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x > 0 && x < w - 1 && y > 0 && y < h - 1)
    b[y * w + x] = a[y * w + x] * 4.0f - a[y * w + x - 1] - a[y * w + x + 1] -
                   a[(y - 1) * w + x] - a[(y + 1) * w + x];
}

// Rows have no ends: on the left of a row's first element is the last one of the row before. So the
// corners of a block's footprint may lie in front of the array, and behind it.
__global__ void twoSpiral(const float *__restrict__ a, float *__restrict__ b, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y + 1;
  if (x < w && y < h - 1)
    b[y * w + x] = a[y * w + x] * 4.0f - a[y * w + x - 1] - a[y * w + x + 1] -
                   a[(y - 1) * w + x] - a[(y + 1) * w + x];
}

// All neighbours, where they exist.
__global__ void twoBox(const short *__restrict__ a, int *__restrict__ b, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h)
    return;
  size_t at = size_t(y) * w + x;
  int sum = 0;
  auto add = [&](int dx, int dy) {
    if (x + dx >= 0 && x + dx < w && y + dy >= 0 && y + dy < h)
      sum = sum * 3 + a[at + dy * w + dx];
  };
  add(-1, -1), add(0, -1), add(1, -1);
  add(-1, 0), add(0, 0), add(1, 0);
  add(-1, 1), add(0, 1), add(1, 1);
  b[at] = sum;
}

__global__ void threeStar(const float *__restrict__ a, float *__restrict__ b, int w, int h, int d) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  int z = blockIdx.z * blockDim.z + threadIdx.z;
  if (x < 1 || y < 1 || z < 1 || x >= w - 1 || y >= h - 1 || z >= d - 1)
    return;
  int at = (z * h + y) * w + x;
  b[at] = a[at] * 6.0f - a[at - 1] - a[at + 1] - a[at - w] - a[at + w] - a[at - w * h] -
          a[at + w * h];
}

template <class From, class To>
static void compare(const char *name, size_t count, const std::function<void(From *, To *)> &launch,
                    const std::function<To(const From *, size_t)> &wanted) {
  std::vector<From> data(count);
  for (size_t i = 0; i < count; ++i)
    data[i] = From(i * 37 % 101);
  for (bool atEnd : {false, true}) {
    Guarded<From> from(data, atEnd);
    DeviceArray<To> to(count);
    launch(from, to);
    CHECK(cudaDeviceSynchronize());
    auto got = to.host();
    for (size_t i = 0; i < count; ++i)
      expectEqual(name, i, got[i], wanted(data.data(), i));
  }
}

static void runLines(int n) {
  int blocks = (n + 63) / 64 + 1;
  compare<float, float>(
      "lineInner", n, [&](float *a, float *b) { lineInner<<<blocks, 64>>>(a, b, n); },
      [&](const float *a, size_t i) {
        return int(i) > 1 && int(i) < n - 2 ? a[i - 2] * 0.5f + a[i - 1] - a[i] * 3.0f + a[i + 1] +
                                                  a[i + 2] * 0.25f
                                            : 0.0f;
      });
  compare<double, double>(
      "lineEdges", n, [&](double *a, double *b) { lineEdges<<<blocks, 64>>>(a, b, n); },
      [&](const double *a, size_t i) {
        return (i > 0 ? a[i - 1] : 7.0) - 2.0 * a[i] + (int(i) + 1 < n ? a[i + 1] : 9.0);
      });
  compare<unsigned char, int>(
      "lineOdd", n, [&](unsigned char *a, int *b) { lineOdd<<<blocks, 64>>>(a, b, n); },
      [&](const unsigned char *a, size_t i) {
        return i % 3 == 1 ? 0
                          : a[i] * 5 + (int(i) + 1 < n && (i & 2) ? a[i + 1] : 0) +
                                (i > 0 ? a[i - 1] : 0);
      });
}

static void runPlanes(int w, int h) {
  dim3 block(16, 4), grid((w + 15) / 16, (h + 3) / 4);
  compare<float, float>(
      "twoStar", w * h, [&](float *a, float *b) { twoStar<<<grid, block>>>(a, b, w, h); },
      [&](const float *a, size_t i) {
        int x = i % w, y = i / w;
        return x > 0 && x < w - 1 && y > 0 && y < h - 1
                   ? a[i] * 4.0f - a[i - 1] - a[i + 1] - a[i - w] - a[i + w]
                   : 0.0f;
      });
  compare<float, float>(
      "twoSpiral", w * h, [&](float *a, float *b) { twoSpiral<<<grid, block>>>(a, b, w, h); },
      [&](const float *a, size_t i) {
        int y = i / w;
        return y > 0 && y < h - 1 ? a[i] * 4.0f - a[i - 1] - a[i + 1] - a[i - w] - a[i + w] : 0.0f;
      });
  compare<short, int>(
      "twoBox", w * h, [&](short *a, int *b) { twoBox<<<grid, block>>>(a, b, w, h); },
      [&](const short *a, size_t i) {
        int x = i % w, y = i / w, sum = 0;
        for (int dy = -1; dy <= 1; ++dy)
          for (int dx = -1; dx <= 1; ++dx)
            if (x + dx >= 0 && x + dx < w && y + dy >= 0 && y + dy < h)
              sum = sum * 3 + a[(y + dy) * w + x + dx];
        return sum;
      });
}

static void runSpace(int w, int h, int d) {
  dim3 block(8, 4, 2), grid((w + 7) / 8, (h + 3) / 4, (d + 1) / 2);
  compare<float, float>(
      "threeStar", w * h * d,
      [&](float *a, float *b) { threeStar<<<grid, block>>>(a, b, w, h, d); },
      [&](const float *a, size_t i) {
        int x = i % w, y = i / w % h, z = i / w / h;
        return x < 1 || y < 1 || z < 1 || x >= w - 1 || y >= h - 1 || z >= d - 1
                   ? 0.0f
                   : a[i] * 6.0f - a[i - 1] - a[i + 1] - a[i - w] - a[i + w] - a[i - w * h] -
                         a[i + w * h];
      });
}

int main() {
  for (int n : {1, 2, 3, 4, 5, 63, 64, 65, 127, 128, 129, 191, 1000, 1024, 4099})
    runLines(n);
  for (auto [w, h] : {std::pair(1, 1), {2, 3}, {3, 3}, {16, 4}, {17, 5}, {16, 6}, {33, 9}, {64, 32}, {71, 6}})
    runPlanes(w, h);
  runSpace(1, 1, 1);
  runSpace(3, 3, 3);
  runSpace(8, 4, 2);
  runSpace(19, 9, 5);
  runSpace(32, 16, 8);
  return verdict("staged_stencils");
}
