//===- barrier_flags.cu - Flags of threads across barriers ------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In a stencil with overlapping tiles, each thread remembers across barriers
// whether it has computed a value, and neighbours are clamped to the part of
// the tile inside of the field. Grids do not divide by the factors; if a fused
// block does not exist, its threads compute nothing.
//
//===----------------------------------------------------------------------===//
// RUN: %regrain cc -O3 --targets=cpu --coarsen='*:fuse.y=2' --coarsen='*:fuse.y=3' --coarsen='*:fuse.x=2' --coarsen='*:fuse.y=2,block.x=2' --coarsen='*:block.y=3' --coarsen='*:thread.y=2,block.x=2' -o %t %s
// RUN: env REGRAIN_ALTERNATIVE='*:original' timeout 60 %t
// RUN: env REGRAIN_ALTERNATIVE='*:fuse.y=2' timeout 60 %t
// RUN: env REGRAIN_ALTERNATIVE='*:fuse.y=3' timeout 60 %t
// RUN: env REGRAIN_ALTERNATIVE='*:fuse.x=2' timeout 60 %t
// RUN: env REGRAIN_ALTERNATIVE='*:fuse.y=2,block.x=2' timeout 60 %t
// RUN: env REGRAIN_ALTERNATIVE='*:block.y=3' timeout 60 %t
// RUN: env REGRAIN_ALTERNATIVE='*:thread.y=2,block.x=2' timeout 60 %t
#include "expect.h"

#include <algorithm>

constexpr int tile = 8;

__global__ void smooth(int *out, const int *in, int width, int height, int steps) {
  __shared__ int now[tile][tile];
  __shared__ int next[tile][tile];
  int x = threadIdx.x, y = threadIdx.y;
  int inner = tile - 2 * steps;
  int left = inner * blockIdx.x - steps, top = inner * blockIdx.y - steps;
  int column = left + x, row = top + y;
  if (row >= 0 && row < height && column >= 0 && column < width)
    now[y][x] = in[row * width + column];
  __syncthreads();
  int firstX = max(0, -left), lastX = min(tile - 1, width - 1 - left);
  int firstY = max(0, -top), lastY = min(tile - 1, height - 1 - top);
  int up = max(y - 1, firstY), down = min(y + 1, lastY);
  int before = max(x - 1, firstX), after = min(x + 1, lastX);
  bool computed = false;
  for (int i = 0; i < steps; ++i) {
    computed = false;
    if (x > i && x < tile - 1 - i && y > i && y < tile - 1 - i && x >= firstX && x <= lastX &&
        y >= firstY && y <= lastY) {
      computed = true;
      next[y][x] = now[y][x] + 3 * now[up][x] + 5 * now[down][x] + 7 * now[y][before] +
                   11 * now[y][after];
    }
    __syncthreads();
    if (i == steps - 1)
      break;
    if (computed)
      now[y][x] = next[y][x];
    __syncthreads();
  }
  if (computed)
    out[row * width + column] = next[y][x];
}

static std::vector<int> reference(std::vector<int> now, int width, int height, int steps) {
  for (int i = 0; i < steps; ++i) {
    std::vector<int> next = now;
    auto at = [&](int row, int column) {
      row = std::max(0, std::min(height - 1, row));
      column = std::max(0, std::min(width - 1, column));
      return now[row * width + column];
    };
    for (int row = 0; row < height; ++row)
      for (int column = 0; column < width; ++column)
        next[row * width + column] = at(row, column) + 3 * at(row - 1, column) +
                                     5 * at(row + 1, column) + 7 * at(row, column - 1) +
                                     11 * at(row, column + 1);
    now = next;
  }
  return now;
}

static void run(int width, int height, int steps) {
  std::vector<int> in(width * height);
  for (size_t i = 0; i < in.size(); ++i)
    in[i] = int(i * i % 97);
  int inner = tile - 2 * steps;
  DeviceArray<int> source(in), result(in.size());
  dim3 grid((width + inner - 1) / inner, (height + inner - 1) / inner);
  smooth<<<grid, dim3(tile, tile)>>>(result, source, width, height, steps);
  std::vector<int> expected = reference(in, width, height, steps), got = result.host();
  for (size_t i = 0; i < in.size(); ++i)
    expectEqual("field", i, got[i], expected[i]);
}

int main() {
  run(30, 27, 1);
  run(44, 44, 2);
  run(5, 90, 2);
  run(7, 3, 3);
  return verdict("barrier_flags");
}
