//===- dealt_iterations.cu - Which thread takes which element ---*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads take neighbouring elements, in loops that count from 0 or to the end of a part, with ends
// within a part, in place, in rows of threads, and between barriers.
//
//===----------------------------------------------------------------------===//
// RUN: %regrain cc --targets=cpu \
// RUN:   --coarsen='*:iterations=cyclic' --coarsen='*:iterations=cyclic,block.x=2,thread.x=2' \
// RUN:   --coarsen='*:iterations=cyclic,for.block=64x2x1' --coarsen='*:iterations=blocked' \
// RUN:   -o %t %s
// RUN: env REGRAIN_ALTERNATIVE='*:original' timeout 60 %t
// RUN: env REGRAIN_ALTERNATIVE='*:iterations=cyclic' REGRAIN_VERBOSE=1 timeout 60 %t 2>&1 | FileCheck %s
// RUN: env REGRAIN_ALTERNATIVE='*:iterations=cyclic,block.x=2,thread.x=2' REGRAIN_VERBOSE=1 timeout 60 %t 2>&1 | FileCheck %s --check-prefix=BOTH
// RUN: env REGRAIN_ALTERNATIVE='*:iterations=cyclic,for.block=64x2x1' timeout 60 %t
// RUN: env REGRAIN_ALTERNATIVE='*:iterations=blocked' REGRAIN_VERBOSE=1 timeout 60 %t 2>&1 | FileCheck %s --check-prefix=BLOCKED
//
// CHECK-DAG: saxpy({{.*}}): iterations=cyclic (asked for by REGRAIN_ALTERNATIVE)
// CHECK-DAG: ending({{.*}}): iterations=cyclic (asked for by REGRAIN_ALTERNATIVE)
// CHECK-DAG: rows({{.*}}): iterations=cyclic (asked for by REGRAIN_ALTERNATIVE)
// CHECK-DAG: reversed({{.*}}): iterations=cyclic (asked for by REGRAIN_ALTERNATIVE)
// CHECK: dealt_iterations: ok
// BOTH-DAG: saxpy({{.*}}): block.x=2,thread.x=2,iterations=cyclic (asked for by REGRAIN_ALTERNATIVE)
// BOTH: dealt_iterations: ok
// BLOCKED-DAG: strided({{.*}}): iterations=blocked (asked for by REGRAIN_ALTERNATIVE)
// BLOCKED: dealt_iterations: ok
#include "expect.h"

// The number of elements of a thread is a parameter.
__global__ void saxpy(float *y, float a, int n, int each) {
  int thread = blockIdx.x * blockDim.x + threadIdx.x;
  for (int j = 0; j < each; ++j) {
    int i = thread * each + j;
    if (i < n)
      y[i] = a * y[i] + float(i);
  }
}

// The elements are divided among all threads of the grid. This is not dealt otherwise: the part of a thread is not a constant.
__global__ void parts(int *__restrict__ out, const int *__restrict__ in, int n) {
  int threads = gridDim.x * blockDim.x;
  int each = (n + threads - 1) / threads;
  int begin = (blockIdx.x * blockDim.x + threadIdx.x) * each;
  int end = min(begin + each, n);
  for (int i = begin; i < end; ++i)
    out[i] = in[i] * 3 + i;
}

// The end is an argument for each block.
__global__ void ending(int *__restrict__ out, const int *__restrict__ in, int n) {
  int first = blockIdx.x * blockDim.x * 5 + threadIdx.x * 5;
  int limit = n - int(blockIdx.x);
  int behind = first + 5;
  for (int i = first; i < (behind < limit ? behind : limit); ++i)
    out[i] = in[i] ^ i;
}

// Each row of threads has a row of elements, and rows with odd numbers do nothing.
__global__ void rows(int *__restrict__ out, const int *__restrict__ in, int width, int each) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row % 2 == 0)
    for (int j = 0; j < each; ++j) {
      int column = threadIdx.x * each + j;
      if (column < width) {
        int sum = 0;
        for (int k = 0; k <= column % 3; ++k)
          sum += in[row * width + column] * k;
        out[row * width + column] = sum + row;
      }
    }
}

// What is behind the barrier reads what other threads have written.
__global__ void reversed(int *out, const int *in) {
  __shared__ int tile[128 * 4];
  int thread = threadIdx.x, all = blockDim.x * 4, first = blockIdx.x * all;
  for (int j = 0; j < 4; ++j)
    tile[thread * 4 + j] = in[first + thread * 4 + j];
  __syncthreads();
  for (int j = 0; j < 4; ++j)
    out[first + thread * 4 + j] = tile[all - 1 - (thread * 4 + j)];
}

// Neighbouring threads take neighbouring elements already.
__global__ void strided(int *__restrict__ out, const int *__restrict__ in, int n) {
  int first = blockIdx.x * blockDim.x * 7;
  for (int j = 0; j < 7; ++j) {
    int i = first + j * blockDim.x + threadIdx.x;
    if (i < n)
      out[i] = in[i] - i;
  }
}

static std::vector<int> numbers(int count) {
  std::vector<int> data(count);
  for (int i = 0; i < count; ++i)
    data[i] = int((i * 2654435761u) >> 12);
  return data;
}

static void testSaxpy(int n, int each, dim3 block) {
  std::vector<float> data(n);
  for (int i = 0; i < n; ++i)
    data[i] = float(i % 97) / 8; // products and sums are exact
  DeviceArray<float> y(data);
  int threads = block.x * each;
  saxpy<<<(n + threads - 1) / threads, block>>>(y, 1.25f, n, each);
  std::vector<float> found = y.host();
  for (int i = 0; i < n; ++i)
    expectEqual("saxpy", i, found[i], 1.25f * data[i] + float(i));
}

template <class Launch, class Wanted>
static void test(const char *name, int n, Launch launch, Wanted wanted) {
  std::vector<int> data = numbers(n);
  DeviceArray<int> in(data), out(n);
  launch(out, in);
  std::vector<int> found = out.host();
  for (int i = 0; i < n; ++i)
    expectEqual(name, i, found[i], wanted(data, i));
}

static void testRows(int width, int height, int each) {
  test(
      "rows", width * height,
      [&](int *out, const int *in) {
        rows<<<dim3(1, height / 2), dim3(64, 2)>>>(out, in, width, each);
      },
      [&](const std::vector<int> &data, int i) {
        int row = i / width, column = i % width, sum = 0;
        for (int k = 0; k <= column % 3; ++k)
          sum += data[i] * k;
        return row % 2 ? 0 : sum + row;
      });
}

int main() {
  for (int n : {1, 640, 641, 5000}) {
    testSaxpy(n, 5, dim3(128));
    testSaxpy(n, 1, dim3(64));
    testSaxpy(n, 33, dim3(32));
    test(
        "parts", n, [&](int *out, const int *in) { parts<<<3, 64>>>(out, in, n); },
        [](const std::vector<int> &data, int i) { return data[i] * 3 + i; });
    test(
        "strided", n, [&](int *out, const int *in) { strided<<<n / 448 + 1, 64>>>(out, in, n); },
        [](const std::vector<int> &data, int i) { return data[i] - i; });
  }
  test(
      "ending", 1003, [](int *out, const int *in) { ending<<<4, 64>>>(out, in, 1003); },
      [](const std::vector<int> &data, int i) {
        int block = i / 320;
        return i < 1003 - block ? data[i] ^ i : 0;
      });
  testRows(64 * 3, 6, 3);
  testRows(150, 8, 3);
  test(
      "reversed", 1024, [](int *out, const int *in) { reversed<<<2, 128>>>(out, in); },
      [](const std::vector<int> &data, int i) { return data[i / 512 * 512 + 511 - i % 512]; });
  return verdict("dealt_iterations");
}
