//===- split_warps.cu - Warps that share a program's warp -------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A warp has a row: its lanes run loops over every 32nd element, and put together what they have by
// shuffles. Rows are shorter and longer than what the launched warps take in a round. The program
// prints hashes of all bits of integers, and of floating-point numbers whether they are near to
// what the host computes: none, infinite, or different by rounding.
//
//===----------------------------------------------------------------------===//
// RUN: %regrain cc --targets=cpu --reassociate --coarsen='softmax:split=4warps,shape=128,sums=reassociated,for.aliases=none' \
// RUN:   --coarsen='layernorm:split=4warps,shape=128,sums=reassociated' --coarsen='counts:split=4warps,shape=128' \
// RUN:   --coarsen='products:split=4warps,shape=128' --coarsen='rounds:split=4warps,shape=128' \
// RUN:   --coarsen='softmax:split=2warps,rows=8,shape=64,sums=reassociated,for.aliases=none' \
// RUN:   --coarsen='layernorm:split=2warps,rows=8,shape=64,sums=reassociated' \
// RUN:   -o %t %s
// RUN: env REGRAIN_ALTERNATIVE='*:original' timeout 60 %t > %t.original
// RUN: FileCheck %s --check-prefix=NEAR < %t.original
// RUN: env REGRAIN_VERBOSE=1 REGRAIN_ALTERNATIVE='softmax:split=4warps,shape=128,sums=reassociated,for.aliases=none;layernorm:split=4warps,shape=128,sums=reassociated;*:split=4warps,shape=128' timeout 60 %t > %t.out 2> %t.err
// RUN: diff %t.original %t.out
// RUN: FileCheck %s < %t.err
// RUN: env REGRAIN_VERBOSE=1 REGRAIN_ALTERNATIVE='softmax:split=2warps,rows=8,shape=64,sums=reassociated,for.aliases=none;layernorm:split=2warps,rows=8,shape=64,sums=reassociated' timeout 60 %t > %t.out 2> %t.err
// RUN: diff %t.original %t.out
// RUN: FileCheck %s --check-prefix=KEPT < %t.err
//
// CHECK-DAG: softmax({{.*}}): shape=128x1x1,split=4warps,sums=reassociated,for.aliases=none (asked for
// CHECK-DAG: layernorm({{.*}}): shape=128x1x1,split=4warps,sums=reassociated (asked for
// CHECK-DAG: counts({{.*}}): shape=128x1x1,split=4warps (asked for
// CHECK-DAG: products({{.*}}): shape=128x1x1,split=4warps (asked for
// CHECK-DAG: rounds({{.*}}): shape=128x1x1,split=4warps (asked for
// CHECK-DAG: counts({{.*}}): shape=128x1x1,split=4warps does not run for this launch, because the grain needs blocks whose width is a multiple of 32
// KEPT-DAG: softmax({{.*}}): shape=64x1x1,split=2warps,rows=8,sums=reassociated,for.aliases=none (asked for
// KEPT-DAG: layernorm({{.*}}): shape=64x1x1,split=2warps,rows=8,sums=reassociated (asked for
// NEAR-NOT: differ
#include "expect.h"

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cstring>

namespace cg = cooperative_groups;

// The sum is scaled whenever a larger number is found. One lane stores the loss.
__global__ void softmax(float *out, float *losses, const float *in, const int *targets, int rows, int width,
                        int pitch) {
  cg::thread_block block = cg::this_thread_block();
  cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
  int row = blockIdx.x * warp.meta_group_size() + warp.meta_group_rank();
  if (row >= rows)
    return;
  const float *from = in + row * pitch;
  float most = -INFINITY, sum = 0.0f;
  for (int i = warp.thread_rank(); i < width; i += warp.size()) {
    float before = most;
    most = fmaxf(most, from[i]);
    sum *= expf(before - most);
    sum += expf(from[i] - most);
  }
  float all = cg::reduce(warp, most, cg::greater<float>{});
  sum *= expf(most - all);
  float scale = 1.0f / cg::reduce(warp, sum, cg::plus<float>{});
  if (warp.thread_rank() == 0)
    losses[row] = -logf(expf(from[targets[row]] - all) * scale);
  for (int i = warp.thread_rank(); i < width; i += warp.size()) {
    float probability = expf(from[i] - all) * scale;
    out[row * pitch + i] = probability - (i == targets[row] ? 1.0f : 0.0f);
  }
}

__global__ void layernorm(float *__restrict__ out, float *__restrict__ means, const float *__restrict__ in, int rows,
                          int width) {
  int thread = blockIdx.x * blockDim.x + threadIdx.x, row = thread / 32, lane = threadIdx.x % 32;
  if (row >= rows)
    return;
  float sum = 0, squares = 0;
  for (int i = lane; i < width; i += 32)
    sum += in[row * width + i];
  for (int o = 16; o > 0; o /= 2)
    sum += __shfl_xor_sync(~0u, sum, o);
  float mean = sum / width;
  for (int i = lane; i < width; i += 32)
    squares += (in[row * width + i] - mean) * (in[row * width + i] - mean);
  for (int o = 16; o > 0; o /= 2)
    squares += __shfl_xor_sync(~0u, squares, o);
  float scale = rsqrtf(squares / width + 1e-5f);
  for (int i = lane; i < width; i += 32)
    out[row * width + i] = scale * (in[row * width + i] - mean);
  if (lane == 0)
    means[row] = mean;
}

// Sums, bits, extremes with positions, a vote, and what some lanes do alone.
__global__ void counts(int *__restrict__ out, int *__restrict__ marks, const int *__restrict__ in, int rows,
                       int width) {
  unsigned row = (blockIdx.x * blockDim.x + threadIdx.x) >> 5, lane = threadIdx.x & 31;
  if (row >= rows)
    return;
  const int *from = in + row * width;
  int odd = lane, bits = 0, most = -100000, where = -1;
  for (int i = lane; i < width; i += 32) {
    if (from[i] & 1)
      odd += from[i];
    bits ^= from[i] << (i & 7);
    if (from[i] > most)
      most = from[i], where = i;
  }
  for (int o = 16; o > 0; o /= 2) {
    odd += __shfl_xor_sync(~0u, odd, o);
    int other = __shfl_down_sync(~0u, most, o), at = __shfl_down_sync(~0u, where, o);
    if (other > most)
      most = other, where = at;
  }
  unsigned votes = __ballot_sync(~0u, bits & 4);
  if (lane % 3 == 1 && lane < width)
    marks[row * width + lane] = bits;
  __syncwarp();
  int seen = marks[row * width + (lane + 1) % width % 32] & 7;
  __syncwarp();
  for (int i = lane; i < width; i += 32)
    marks[row * width + i] = from[i] + odd;
  __syncwarp();
  for (int i = lane; i < width; i += 32)
    seen += marks[row * width + width - 1 - i];
  seen = __reduce_add_sync(~0u, seen);
  if (lane == 0) {
    out[5 * row] = odd;
    out[5 * row + 1] = most;
    out[5 * row + 2] = where;
    out[5 * row + 3] = int(votes);
    out[5 * row + 4] = seen;
  }
}

// Rows of a sparse matrix, of different lengths.
__global__ void products(int *__restrict__ out, const int *__restrict__ starts, const int *__restrict__ columns,
                         const int *__restrict__ values, const int *__restrict__ vector, int rows) {
  int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x & 31;
  int warps = gridDim.x * blockDim.x / 32;
  for (int row = warp; row < rows; row += warps) {
    int sum = 0;
    int end = starts[row + 1];
    for (int at = starts[row] + lane; at < end; at += 32)
      sum += values[at] * vector[columns[at]];
    for (int o = 16; o > 0; o /= 2)
      sum += __shfl_down_sync(~0u, sum, o);
    if (lane == 0)
      out[row] += sum;
  }
}

// Each round reads what the one before has written.
__global__ void rounds(int *data, int rows, int width) {
  unsigned row = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32, lane = threadIdx.x % 32;
  if (row >= rows)
    return;
  for (int round = 0; round < 3; ++round) {
    int sum = 0;
    for (int i = lane; i < width; i += 32)
      sum += data[row * width + i];
    sum = __reduce_max_sync(~0u, sum);
    for (long long i = lane; i < width; i += 32)
      data[row * width + i] += sum;
    __syncwarp();
    if (lane == round)
      data[row * width + lane % width] ^= sum;
    __syncwarp();
  }
}

template <class T> void print(const char *what, int width, const DeviceArray<T> &data) {
  uint64_t hash = 1469598103934665603u;
  for (T value : data.host())
    hash = (hash ^ uint32_t(value)) * 1099511628211u;
  printf("%s %d: %016llx\n", what, width, (unsigned long long)hash);
}

static bool isNear(float got, double wanted) {
  if (std::isnan(wanted) || std::isinf(wanted))
    return std::isnan(wanted) ? std::isnan(got) : got == float(wanted);
  return std::fabs(got - wanted) < 1e-5 * (1 + std::fabs(wanted));
}

/// Most rows have some numbers that are -inf. Others have one at the start of the first lane, or of
/// another lane, are -inf all over, or have a number that is none.
static float numberAt(int row, int i) {
  unsigned hash = unsigned(row * 1000003 + i) * 2654435761u >> 16;
  if (row % 8 == 6)
    return -INFINITY;
  if (row % 8 == 5 && i == 40)
    return NAN;
  if (i < 32)
    return (row % 8 == 3 && i == 0) || (row % 8 == 4 && i == 9) ? -INFINITY : float(hash % 100) / 10;
  return row % 8 != 7 && hash % 5 == 0 ? -INFINITY : float(hash % 1000) / 50 - 10;
}

static void runSoftmax(int width) {
  const int rows = 17, pitch = width + 3;
  std::vector<float> numbers(rows * pitch, 7.0f);
  std::vector<int> targets;
  for (int row = 0; row < rows; ++row) {
    targets.push_back(row * 7 % width);
    for (int i = 0; i < width; ++i)
      numbers[row * pitch + i] = numberAt(row, i);
  }
  DeviceArray<float> in(numbers), out(rows * pitch), losses(rows);
  softmax<<<5, 128>>>(out, losses, in, DeviceArray<int>(targets), rows, width, pitch);
  std::vector<float> got = out.host(), loss = losses.host();
  for (int row = 0; row < rows; ++row) {
    double most = -INFINITY, sum = 0;
    bool isNone = false; // also if a lane begins with -inf, and subtracts that from itself
    for (int i = 0; i < width; ++i) {
      double number = numbers[row * pitch + i];
      isNone |= std::isnan(number) || (i < 32 && std::isinf(number));
      most = std::fmax(most, number);
    }
    for (int i = 0; i < width; ++i)
      sum += std::exp(numbers[row * pitch + i] - most);
    sum = isNone ? NAN : sum;
    for (int i = 0; i < width; ++i) {
      double wanted = std::exp(numbers[row * pitch + i] - most) / sum - (i == targets[row]);
      expect(isNear(got[row * pitch + i], wanted), "softmax", row * pitch + i, got[row * pitch + i], wanted);
    }
    double wanted = -std::log(std::exp(numbers[row * pitch + targets[row]] - most) / sum);
    expect(isNear(loss[row], wanted), "loss", row, loss[row], wanted);
  }
}

static void runLayernorm(int width) {
  const int rows = 9;
  std::vector<float> numbers(rows * width);
  for (int i = 0; i < rows * width; ++i)
    numbers[i] = float(unsigned(i) * 2654435761u >> 16) / 65536 - 0.25f;
  DeviceArray<float> in(numbers), out(rows * width), means(rows);
  layernorm<<<2, 160>>>(out, means, in, rows, width);
  std::vector<float> got = out.host(), mean = means.host();
  for (int row = 0; row < rows; ++row) {
    double sum = 0, squares = 0;
    for (int i = 0; i < width; ++i)
      sum += numbers[row * width + i] / double(width);
    for (int i = 0; i < width; ++i)
      squares += (numbers[row * width + i] - sum) * (numbers[row * width + i] - sum) / width;
    expect(isNear(mean[row], sum), "mean", row, mean[row], sum);
    for (int i = 0; i < width; ++i) {
      double wanted = (numbers[row * width + i] - sum) / std::sqrt(squares + 1e-5);
      expect(std::fabs(got[row * width + i] - wanted) < 1e-3, "layernorm", row * width + i, got[row * width + i],
             wanted);
    }
  }
}

static void runIntegers(int width) {
  const int rows = 13;
  std::vector<int> numbers(rows * width), starts(1), columns;
  for (int i = 0; i < rows * width; ++i)
    numbers[i] = int(unsigned(i) * 2654435761u >> 20) - 1500;
  for (int row = 0; row < rows; ++row)
    starts.push_back(starts.back() + (row * width / 3) % (width + 1));
  for (int i = 0; i < starts.back(); ++i)
    columns.push_back(numbers[i] & 15);
  DeviceArray<int> in(numbers), out(5 * rows), marks(rows * width), sums(rows);
  counts<<<4, 128>>>(out, marks, in, rows, width);
  print("counts", width, out);
  print("marks", width, marks);
  if (!columns.empty())
    products<<<2, 96>>>(sums, DeviceArray<int>(starts), DeviceArray<int>(columns), in,
                        DeviceArray<int>(std::vector<int>(numbers.begin(), numbers.begin() + 16)), rows);
  print("products", width, sums);
  rounds<<<4, 128>>>(in, rows, width);
  print("rounds", width, in);
}

int main() {
  for (int width : {33, 64, 257, 530}) {
    runSoftmax(width);
    runLayernorm(width);
    runIntegers(width);
  }
  runIntegers(5);
  // A part of a warp.
  DeviceArray<int> out(5), marks(8);
  counts<<<1, 48>>>(out, marks, DeviceArray<int>(8), 0, 8);
  return verdict("split_warps");
}
