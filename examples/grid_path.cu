//===- grid_path.cu - The cheapest way down a grid --------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Dynamic programming, row by row: a field costs its own price and the cheapest of the
// three fields above it. One launch goes down several rows in shared memory; blocks
// overlap by as many columns to either side.
//
//===----------------------------------------------------------------------===//
#include "example.h"

constexpr int blockSize = 256;

__global__ void descend(const int *prices, const int *from, int *to, int columns, int firstRow,
                        int rows) {
  __shared__ int above[blockSize];
  __shared__ int here[blockSize];

  int tx = threadIdx.x;
  int column = blockIdx.x * (blockSize - 2 * rows) + tx - rows;
  bool onGrid = column >= 0 && column < columns;
  if (onGrid)
    above[tx] = from[column];
  __syncthreads();

  for (int i = 0; i < rows; ++i) {
    bool known = onGrid && tx > i && tx < blockSize - 1 - i;
    if (known) {
      int cheapest = above[tx];
      if (column > 0)
        cheapest = min(cheapest, above[tx - 1]);
      if (column < columns - 1)
        cheapest = min(cheapest, above[tx + 1]);
      here[tx] = cheapest + prices[(firstRow + i) * columns + column];
    }
    __syncthreads();
    if (known)
      above[tx] = here[tx];
    __syncthreads();
  }

  if (onGrid && tx >= rows && tx < blockSize - rows)
    to[column] = above[tx];
}

static std::vector<int> reference(const std::vector<int> &prices, int columns, int rows) {
  std::vector<int> above(prices.begin(), prices.begin() + columns), here(columns);
  for (int row = 1; row < rows; ++row) {
    for (int column = 0; column < columns; ++column) {
      int cheapest = above[column];
      if (column > 0 && above[column - 1] < cheapest)
        cheapest = above[column - 1];
      if (column < columns - 1 && above[column + 1] < cheapest)
        cheapest = above[column + 1];
      here[column] = cheapest + prices[size_t(row) * columns + column];
    }
    above.swap(here);
  }
  return above;
}

int main(int argc, char **argv) {
  auto options = example::parse(argc, argv, {10007, 101, 20}, "COLUMNS ROWS ROWS_PER_LAUNCH");
  int columns = options.sizes[0], rows = options.sizes[1], rowsPerLaunch = options.sizes[2];
  if (rowsPerLaunch >= blockSize / 2) {
    fprintf(stderr, "at most %d rows fit in one launch\n", blockSize / 2 - 1);
    return 2;
  }

  example::Random random(4);
  std::vector<int> input(size_t(columns) * rows);
  for (int &price : input)
    price = random.below(10);

  int *prices = example::upload(input);
  int *from = example::upload(std::vector<int>(columns));
  int *to = example::upload(std::vector<int>(columns));
  example::KernelTimer timer;
  for (int run = 0; run < options.repeat; ++run) {
    CHECK(cudaMemcpy(from, input.data(), columns * sizeof(int), cudaMemcpyHostToDevice));
    timer.start();
    for (int row = 1; row < rows; row += rowsPerLaunch) {
      int now = rows - row < rowsPerLaunch ? rows - row : rowsPerLaunch;
      int inner = blockSize - 2 * now;
      descend<<<(columns + inner - 1) / inner, blockSize>>>(prices, from, to, columns, row, now);
      int *swapped = from;
      from = to;
      to = swapped;
    }
    timer.stop();
  }
  std::vector<int> result = example::download(from, columns);
  CHECK(cudaFree(prices));
  CHECK(cudaFree(from));
  CHECK(cudaFree(to));

  char problem[64];
  snprintf(problem, sizeof(problem), "%d columns, %d rows", columns, rows);
  return example::finish(options, timer, "grid_path", problem, result,
                         reference(input, columns, rows), 0);
}
