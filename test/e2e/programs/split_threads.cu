//===- split_threads.cu - Lanes that share a thread -------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads copy, add up and compare rows, one row each, in one loop or in several that read what the
// ones before have written. The program prints hashes of all bits, which are those of the original
// at every grain that keeps the order of sums. Rows are shorter and longer than a group of lanes,
// and contain equal numbers, both zeros and numbers that are none.
//
//===----------------------------------------------------------------------===//
// RUN: %regrain cc --targets=cpu \
// RUN:   --coarsen='*:split=32,shape=64' --coarsen='*:split=32x4,shape=64' \
// RUN:   --coarsen='*:split=128,shape=128,for.aliases=none' \
// RUN:   --coarsen='*Rows:split=4,shape=32' --coarsen='triangles:split=4,shape=32' \
// RUN:   --coarsen='*Rows:split=8,shape=32x2x1' --coarsen='triangles:split=8,shape=32x2x1' \
// RUN:   --coarsen='*Rows:split=4x4,shape=32' --coarsen='distances:split=4x4,shape=32' \
// RUN:   --coarsen='*Rows:split=16x8,shape=64x2x1,for.aliases=none' \
// RUN:   --coarsen='triangles:split=16x8,shape=64x2x1,for.aliases=none' \
// RUN:   --coarsen='*Rows:split=8x2,shape=96' --coarsen='distances:split=8x2,shape=96' \
// RUN:   --coarsen='*Rows:split=256x2,shape=256' --coarsen='distances:split=256x2,shape=256' \
// RUN:   --coarsen='mayMeet:split=16,shape=128,for.aliases=none' \
// RUN:   --coarsen='distances:split=32,rows=8,shape=64' --coarsen='distances:split=128x4,rows=8,shape=128' \
// RUN:   -o %t %s
// RUN: env REGRAIN_ALTERNATIVE='*:original' timeout 60 %t > %t.original
// RUN: env REGRAIN_ALTERNATIVE='*:split=32,shape=64' REGRAIN_VERBOSE=1 timeout 60 %t > %t.out 2> %t.err
// RUN: diff %t.original %t.out
// RUN: FileCheck %s < %t.err
// RUN: env REGRAIN_ALTERNATIVE='*:split=32x4,shape=64' REGRAIN_VERBOSE=1 timeout 60 %t > %t.out 2> %t.err
// RUN: diff %t.original %t.out
// RUN: FileCheck %s --check-prefix=WIDE < %t.err
// RUN: env REGRAIN_ALTERNATIVE='*:split=128,shape=128,for.aliases=none' REGRAIN_VERBOSE=1 timeout 60 %t > %t.out 2> %t.err
// RUN: diff %t.original %t.out
// RUN: FileCheck %s --check-prefix=BLOCK < %t.err
//
// Other numbers of lanes and other shapes of blocks, where the kernel is small.
// RUN: env REGRAIN_ALTERNATIVE='*:split=4,shape=32' timeout 60 %t > %t.out
// RUN: diff %t.original %t.out
// RUN: env REGRAIN_ALTERNATIVE='*:split=8,shape=32x2x1' timeout 60 %t > %t.out
// RUN: diff %t.original %t.out
// RUN: env REGRAIN_ALTERNATIVE='*:split=4x4,shape=32' timeout 60 %t > %t.out
// RUN: diff %t.original %t.out
// RUN: env REGRAIN_ALTERNATIVE='*:split=16x8,shape=64x2x1,for.aliases=none' timeout 60 %t > %t.out
// RUN: diff %t.original %t.out
// RUN: env REGRAIN_ALTERNATIVE='*:split=8x2,shape=96' timeout 60 %t > %t.out
// RUN: diff %t.original %t.out
// RUN: env REGRAIN_ALTERNATIVE='*:split=256x2,shape=256' timeout 60 %t > %t.out
// RUN: diff %t.original %t.out
// RUN: env REGRAIN_ALTERNATIVE='*:split=16,shape=128,for.aliases=none' REGRAIN_VERBOSE=1 timeout 60 %t > %t.out 2> %t.err
// RUN: diff %t.original %t.out
// RUN: FileCheck %s --check-prefix=APART < %t.err
// RUN: env REGRAIN_ALTERNATIVE='*:split=32,rows=8,shape=64' REGRAIN_VERBOSE=1 timeout 60 %t > %t.out 2> %t.err
// RUN: diff %t.original %t.out
// RUN: FileCheck %s --check-prefix=KEPT < %t.err
// RUN: env REGRAIN_ALTERNATIVE='*:split=128x4,rows=8,shape=128' timeout 60 %t > %t.out
// RUN: diff %t.original %t.out
//
// Sums in another order.
// RUN: %regrain cc --targets=cpu --reassociate \
// RUN:   --coarsen='softmax:split=32x4,shape=64,sums=reassociated' --coarsen='layernorm:split=32x4,shape=64,sums=reassociated' --coarsen='softmax:split=256,shape=256,sums=reassociated' \
// RUN:   --coarsen='layernorm:split=256,shape=256,sums=reassociated' --coarsen='softmax:split=32x4,rows=16,shape=64,sums=reassociated' --coarsen='layernorm:split=32x4,rows=16,shape=64,sums=reassociated' \
// RUN:   -o %t.sums %s
// RUN: env REGRAIN_ALTERNATIVE='*:split=32x4,shape=64,sums=reassociated' timeout 60 %t.sums | FileCheck %s --check-prefix=SUMS
// RUN: env REGRAIN_VERBOSE=1 REGRAIN_ALTERNATIVE='*:split=256,shape=256,sums=reassociated' timeout 60 %t.sums > %t.out 2> %t.err
// RUN: FileCheck %s --check-prefix=SUMS < %t.out
// RUN: FileCheck %s --check-prefix=BLOCKSUMS < %t.err
// RUN: env REGRAIN_VERBOSE=1 REGRAIN_ALTERNATIVE='*:split=32x4,rows=16,shape=64,sums=reassociated' timeout 60 %t.sums > %t.out 2> %t.err
// RUN: FileCheck %s --check-prefix=SUMS < %t.out
// RUN: FileCheck %s --check-prefix=KEPTSUMS < %t.err
//
// CHECK-DAG: copyRows({{.*}}): shape=64x1x1,split=32 (asked for by REGRAIN_ALTERNATIVE)
// CHECK-DAG: addRows({{.*}}): shape=64x1x1,split=32 (asked for by REGRAIN_ALTERNATIVE)
// CHECK-DAG: greatest({{.*}}): shape=64x1x1,split=32 (asked for by REGRAIN_ALTERNATIVE)
// CHECK-DAG: softmax({{.*}}): shape=64x1x1,split=32 (asked for by REGRAIN_ALTERNATIVE)
// CHECK-DAG: layernorm({{.*}}): shape=64x1x1,split=32 (asked for by REGRAIN_ALTERNATIVE)
// CHECK-DAG: rounds({{.*}}): shape=64x1x1,split=32 (asked for by REGRAIN_ALTERNATIVE)
// CHECK-DAG: triangles({{.*}}): shape=64x1x1,split=32 (asked for by REGRAIN_ALTERNATIVE)
// CHECK-DAG: middles({{.*}}): shape=64x1x1,split=32 (asked for by REGRAIN_ALTERNATIVE)
// WIDE-DAG: copyRows({{.*}}): shape=64x1x1,split=32x4 (asked for by REGRAIN_ALTERNATIVE)
// WIDE-DAG: addRows({{.*}}): shape=64x1x1,split=32x4 (asked for by REGRAIN_ALTERNATIVE)
// WIDE-DAG: greatest({{.*}}): shape=64x1x1,split=32x4 (asked for by REGRAIN_ALTERNATIVE)
// WIDE-DAG: softmax({{.*}}): shape=64x1x1,split=32x4 (asked for by REGRAIN_ALTERNATIVE)
// WIDE-DAG: layernorm({{.*}}): shape=64x1x1,split=32x4 (asked for by REGRAIN_ALTERNATIVE)
// WIDE-DAG: rounds({{.*}}): shape=64x1x1,split=32x4 (asked for by REGRAIN_ALTERNATIVE)
// WIDE-DAG: triangles({{.*}}): shape=64x1x1,split=32x4 (asked for by REGRAIN_ALTERNATIVE)
// WIDE-DAG: middles({{.*}}): shape=64x1x1,split=32x4 (asked for by REGRAIN_ALTERNATIVE)
// BLOCK-DAG: copyRows({{.*}}): shape=128x1x1,split=128,for.aliases=none (asked for by REGRAIN_ALTERNATIVE)
// BLOCK-DAG: addRows({{.*}}): shape=128x1x1,split=128,for.aliases=none (asked for by REGRAIN_ALTERNATIVE)
// BLOCK-DAG: greatest({{.*}}): shape=128x1x1,split=128,for.aliases=none (asked for by REGRAIN_ALTERNATIVE)
// BLOCK-DAG: rounds({{.*}}): shape=128x1x1,split=128,for.aliases=none (asked for by REGRAIN_ALTERNATIVE)
// BLOCK-DAG: mayMeet({{.*}}): shape=128x1x1,split=128,for.aliases=none (asked for by REGRAIN_ALTERNATIVE)
// BLOCK-DAG: counts({{.*}}): shape=128x1x1,split=128,for.aliases=none (asked for by REGRAIN_ALTERNATIVE)
// BLOCKSUMS-DAG: softmax({{.*}}): shape=256x1x1,split=256,sums=reassociated (asked for by REGRAIN_ALTERNATIVE)
// BLOCKSUMS-DAG: layernorm({{.*}}): shape=256x1x1,split=256,sums=reassociated (asked for by REGRAIN_ALTERNATIVE)
// KEPT-DAG: distances({{.*}}): shape=64x1x1,split=32,rows=8 (asked for by REGRAIN_ALTERNATIVE)
// KEPTSUMS-DAG: softmax({{.*}}): shape=64x1x1,split=32x4,rows=16,sums=reassociated (asked for by REGRAIN_ALTERNATIVE)
// KEPTSUMS-DAG: layernorm({{.*}}): shape=64x1x1,split=32x4,rows=16,sums=reassociated (asked for by REGRAIN_ALTERNATIVE)
// APART-DAG: mayMeet({{.*}}): shape=128x1x1,split=16,for.aliases=none (asked for by REGRAIN_ALTERNATIVE)
// SUMS: split_threads: ok
#include "expect.h"

#include <cstdint>
#include <cstring>

__global__ void copyRows(int *__restrict__ out, const int *__restrict__ in, int rows, int width) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows)
    for (int j = 0; j < width; ++j)
      out[row * width + j] = in[row * width + j] * 3 + row;
}

// Several results of one loop, one of them under a condition.
__global__ void addRows(int *__restrict__ out, const int *__restrict__ in, int rows, int width) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows)
    return;
  int sum = row, odd = 0, bits = 0, least = 1000;
  for (int j = 0; j < width; ++j) {
    int value = in[row * width + j];
    sum += value;
    if (value & 1)
      odd += value;
    bits ^= value << (j & 7);
    least = value < least ? value : least;
  }
  out[4 * row] = sum;
  out[4 * row + 1] = odd;
  out[4 * row + 2] = bits;
  out[4 * row + 3] = least;
}

// The first greatest and the last least number, with their positions.
__global__ void greatest(float *__restrict__ out, int *__restrict__ where, const float *__restrict__ in,
                         int rows, int width) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows)
    return;
  float most = -INFINITY, least = in[row * width];
  int first = -1, last = -1;
  for (int j = 0; j < width; ++j) {
    float value = in[row * width + j];
    if (value > most)
      most = value, first = j;
  }
  for (int j = 0; j < width; ++j) {
    float value = in[row * width + j];
    if (value <= least)
      least = value, last = j;
  }
  out[2 * row] = most;
  out[2 * row + 1] = least;
  where[2 * row] = first;
  where[2 * row + 1] = last;
}

__global__ void softmax(float *__restrict__ out, const float *__restrict__ in, int rows, int width) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows)
    return;
  const float *from = in + row * width;
  float *to = out + row * width;
  float most = -INFINITY;
  for (int j = 0; j < width; ++j)
    if (from[j] > most)
      most = from[j];
  double sum = 0;
  for (int j = 0; j < width; ++j) {
    to[j] = 1 / (1 + (most - from[j]) * (most - from[j]));
    sum += to[j];
  }
  for (int j = 0; j < width; ++j)
    to[j] /= float(sum);
}

__global__ void layernorm(float *__restrict__ out, float *__restrict__ mean, const float *__restrict__ in,
                          const float *__restrict__ weight, int rows, int width) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows)
    return;
  const float *from = in + row * width;
  float sum = 0, squares = 0;
  for (int j = 0; j < width; ++j)
    sum += from[j];
  sum /= width;
  for (int j = 0; j < width; ++j) {
    float distance = from[j] - sum;
    squares += distance * distance;
  }
  float scale = 1 / sqrtf(squares / width + 1e-5f);
  for (int j = 0; j < width; ++j)
    out[row * width + j] = (from[j] - sum) * scale * weight[j];
  mean[row] = sum;
}

// A loop reads what the first one has read, and the last one what that has written.
__global__ void distances(int *__restrict__ out, const int *__restrict__ in, int rows, int width) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows)
    return;
  const int *from = in + row * width;
  int *to = out + row * width;
  int most = -100000, sum = 0;
  for (int j = 0; j < width; ++j)
    if (from[j] > most)
      most = from[j];
  for (int j = 0; j < width; ++j) {
    to[j] = most - from[j];
    sum += to[j];
  }
  for (int j = 0; j < width; ++j)
    to[j] = to[j] * 3 + sum;
}

// Each round reads what the one before has written, in loops and outside of them.
__global__ void rounds(int *__restrict__ data, int *__restrict__ last, int rows, int width) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows)
    return;
  for (int round = 0; round < 3; ++round) {
    int before = data[row * width] + last[row];
    for (int j = 0; j < width; ++j)
      data[row * width + j] += before;
    last[row] = data[row * width + width - 1] + last[row] * 5;
    data[row * width] = last[row] ^ round;
  }
}

// Rows of triangles: the branch of an iteration follows from its number.
__global__ void triangles(int *__restrict__ lower, int *__restrict__ upper, const int *__restrict__ in, int rows,
                          int width) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows)
    return;
  int diagonal = row * 3 - 20; // also in front of the row, and behind it
  const int *from = in + row * width;
  int *below = lower + row * width, *above = upper + row * width;
  for (int j = 0; j < width; ++j)
    if (j <= diagonal)
      below[j] = from[j] * 5;
    else
      below[j] = j;
  for (int j = 2; j < width; ++j)
    if (diagonal < j)
      above[j] = from[j] - row;
}

// Loops begin at numbers that are no multiples, some of them behind the end. One carries several
// values, one of them through a branch that stores.
__global__ void middles(float *__restrict__ out, short *__restrict__ marks, const float *__restrict__ in, int rows,
                        int width) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows)
    return;
  const float *from = in + row * width;
  float sum = 0, weighted = 1, most = -INFINITY;
  int where = -1, count = 0;
  for (int j = row % 11; j < width - 1; ++j) {
    sum += from[j];
    weighted -= from[j] * from[j + 1];
    if (from[j] >= most)
      most = from[j], where = j;
  }
  for (int j = 5; j < width; ++j) {
    if (from[j] > 0.125f) {
      marks[row * width + j] = short(j);
      ++count;
    }
    marks[row * width + j] += short(3 * j + row);
  }
  out[4 * row] = sum + most;
  out[4 * row + 1] = weighted;
  out[4 * row + 2] = float(where);
  out[4 * row + 3] = float(count);
}

// What lanes have counted decides how often they count, and what they do with it.
__global__ void counts(int *__restrict__ out, int *__restrict__ data, int rows, int width) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows)
    return;
  int all = 0;
  for (int round = 0; round < 4 && all < 5 * width; ++round) {
    int odd = 0, first = 1 << 30;
    for (int j = 0; j < width; ++j) {
      int value = data[row * width + j];
      odd += value & 1;
      if (value < first)
        first = value;
    }
    if (odd > width / 3)
      for (int j = 0; j < width; ++j)
        data[row * width + j] = data[row * width + j] / 2 + first;
    else
      data[row * width + odd] += 3;
    all += odd;
  }
  out[row] = all;
}

// Whether these pointers meet is known only of a launch.
__global__ void mayMeet(int *out, const int *in, int rows, int width) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows)
    for (int j = 0; j < width; ++j)
      out[row * width + j] = in[row * width + j] - j;
}

template <class T> void print(const char *what, int width, const DeviceArray<T> &data) {
  uint64_t hash = 1469598103934665603u;
  for (T value : data.host()) {
    uint32_t bits = 0;
    std::memcpy(&bits, &value, sizeof value);
    hash = (hash ^ bits) * 1099511628211u;
  }
  printf("%s %d: %016llx\n", what, width, (unsigned long long)hash);
}

static float numberAt(size_t i) {
  unsigned hash = unsigned(i) * 2654435761u >> 16;
  if (hash % 61 == 7)
    return NAN;
  if (hash % 5 == 0)
    return hash & 64 ? 0.0f : -0.0f;
  return -float(hash % 13) / 3;
}

static float plainAt(size_t i) { return float(unsigned(i) * 2654435761u >> 16) / 65536 - 0.5f; }

void run(int width) {
  const int rows = 77;
  size_t count = size_t(rows) * width;
  std::vector<int> integers(count);
  std::vector<float> numbers(count), plain(count), weights(width, 2.0f);
  for (size_t i = 0; i < count; ++i) {
    integers[i] = int(unsigned(i) * 2654435761u >> 20) - 1500;
    numbers[i] = numberAt(i);
    plain[i] = plainAt(i);
  }
  DeviceArray<int> in(integers), out(count), four(4 * rows), where(2 * rows), last(rows);
  DeviceArray<float> floats(numbers), plains(plain), weight(weights), to(count), two(2 * rows),
      mean(rows);
  copyRows<<<3, 32>>>(out, in, rows, width);
  print("copyRows", width, out);
  distances<<<3, 32>>>(out, in, rows, width);
  print("distances", width, out);
  addRows<<<2, 48>>>(four, in, rows, width);
  print("addRows", width, four);
  greatest<<<3, 32>>>(two, where, floats, rows, width);
  print("greatest", width, two);
  print("positions", width, where);
  softmax<<<1, 96>>>(to, plains, rows, width);
  print("softmax", width, to);
  std::vector<float> parts = to.host();
  double sum = 0;
  for (int j = 0; j < width; ++j)
    sum += parts[j];
  expect(std::abs(sum - 1) < 1e-5, "softmax", width, sum, 1);
  layernorm<<<3, 32>>>(to, mean, plains, weight, rows, width);
  print("layernorm", width, to);
  print("mean", width, mean);
  sum = 0;
  for (int j = 0; j < width; ++j)
    sum += plain[j];
  float got = mean.host()[0];
  expect(std::abs(sum / width - got) < 1e-6, "mean", width, got, sum / width);
  DeviceArray<int> upper(integers);
  triangles<<<3, 32>>>(out, upper, in, rows, width);
  print("lower", width, out);
  print("upper", width, upper);
  DeviceArray<float> results(4 * rows);
  DeviceArray<short> marks(count);
  middles<<<3, 32>>>(results, marks, plains, rows, width);
  print("middles", width, results);
  print("marks", width, marks);
  DeviceArray<int> rounded(integers), sums(rows);
  counts<<<3, 32>>>(sums, rounded, rows, width);
  print("counts", width, sums);
  print("rounded", width, rounded);
  mayMeet<<<3, 32>>>(out, in, rows, width);
  print("mayMeet", width, out);
  rounds<<<3, 32>>>(in, last, rows, width);
  print("rounds", width, in);
  print("last", width, last);
}

int main() {
  for (int width : {1, 5, 31, 32, 33, 100, 257, 1030})
    run(width);
  return verdict("split_threads");
}
