//===- lu.cu - LU decomposition by blocks -----------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In place and without pivoting. For each tile of the diagonal: decompose it, solve
// for the tiles to its right and below it, update all that remains. Elements beyond
// the matrix's edge count as those of the unit matrix, so that any size will do.
//
//===----------------------------------------------------------------------===//
#include "example.h"

constexpr int tile = 16;

static __device__ float elementOr(const float *matrix, int n, int row, int column) {
  if (row < n && column < n)
    return matrix[row * n + column];
  return row == column ? 1.0f : 0.0f;
}

__global__ void luDiagonal(float *matrix, int n, int first) {
  __shared__ float part[tile][tile];
  int tx = threadIdx.x, ty = threadIdx.y;
  int row = first + ty, column = first + tx;
  part[ty][tx] = elementOr(matrix, n, row, column);

  for (int pivot = 0; pivot < tile - 1; ++pivot) {
    __syncthreads();
    if (tx == pivot && ty > pivot)
      part[ty][tx] /= part[pivot][pivot];
    __syncthreads();
    if (tx > pivot && ty > pivot)
      part[ty][tx] -= part[ty][pivot] * part[pivot][tx];
  }

  if (row < n && column < n)
    matrix[row * n + column] = part[ty][tx];
}

// Block b solves for tile b+1 to the right of the diagonal (threads with y 0, a column
// each) and for tile b+1 below it (threads with y 1, a row each).
__global__ void luPerimeter(float *matrix, int n, int first) {
  __shared__ float diagonal[tile][tile];
  __shared__ float right[tile][tile];
  __shared__ float below[tile][tile + 1];
  int tx = threadIdx.x;
  int away = first + (blockIdx.x + 1) * tile;

  for (int i = threadIdx.y; i < tile; i += 2) {
    diagonal[i][tx] = elementOr(matrix, n, first + i, first + tx);
    right[i][tx] = elementOr(matrix, n, first + i, away + tx);
    below[i][tx] = elementOr(matrix, n, away + i, first + tx);
  }
  __syncthreads();

  if (threadIdx.y == 0) {
    for (int i = 1; i < tile; ++i)
      for (int k = 0; k < i; ++k)
        right[i][tx] -= diagonal[i][k] * right[k][tx];
  } else {
    for (int i = 0; i < tile; ++i) {
      for (int k = 0; k < i; ++k)
        below[tx][i] -= below[tx][k] * diagonal[k][i];
      below[tx][i] /= diagonal[i][i];
    }
  }
  __syncthreads();

  for (int i = threadIdx.y; i < tile; i += 2) {
    if (first + i < n && away + tx < n)
      matrix[(first + i) * n + away + tx] = right[i][tx];
    if (away + i < n && first + tx < n)
      matrix[(away + i) * n + first + tx] = below[i][tx];
  }
}

__global__ void luInternal(float *matrix, int n, int first) {
  __shared__ float above[tile][tile];
  __shared__ float left[tile][tile];
  int tx = threadIdx.x, ty = threadIdx.y;
  int row = first + (blockIdx.y + 1) * tile + ty;
  int column = first + (blockIdx.x + 1) * tile + tx;

  above[ty][tx] = elementOr(matrix, n, first + ty, column);
  left[ty][tx] = elementOr(matrix, n, row, first + tx);
  __syncthreads();

  float sum = 0;
  for (int k = 0; k < tile; ++k)
    sum += left[ty][k] * above[k][tx];
  if (row < n && column < n)
    matrix[row * n + column] -= sum;
}

static std::vector<float> reference(const std::vector<float> &input, int n) {
  std::vector<double> a(input.begin(), input.end());
  for (int k = 0; k < n; ++k) {
    for (int i = k + 1; i < n; ++i) {
      double factor = a[size_t(i) * n + k] /= a[size_t(k) * n + k];
      for (int j = k + 1; j < n; ++j)
        a[size_t(i) * n + j] -= factor * a[size_t(k) * n + j];
    }
  }
  return std::vector<float>(a.begin(), a.end());
}

int main(int argc, char **argv) {
  auto options = example::parse(argc, argv, {250}, "ROWS");
  int n = options.sizes[0];

  // A dominant diagonal keeps the decomposition well conditioned without pivoting.
  example::Random random(3);
  std::vector<float> input(size_t(n) * n);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      input[size_t(i) * n + j] = random.unit() - 0.5f + (i == j ? 0.5f * n : 0.0f);

  float *matrix = example::upload(input);
  example::KernelTimer timer;
  for (int run = 0; run < options.repeat; ++run) {
    CHECK(cudaMemcpy(matrix, input.data(), input.size() * sizeof(float), cudaMemcpyHostToDevice));
    timer.start();
    for (int first = 0; first < n; first += tile) {
      luDiagonal<<<1, dim3(tile, tile)>>>(matrix, n, first);
      int remaining = (n - first - 1) / tile;
      if (remaining > 0) {
        luPerimeter<<<remaining, dim3(tile, 2)>>>(matrix, n, first);
        luInternal<<<dim3(remaining, remaining), dim3(tile, tile)>>>(matrix, n, first);
      }
    }
    timer.stop();
  }
  std::vector<float> result = example::download(matrix, input.size());
  CHECK(cudaFree(matrix));

  char problem[64];
  snprintf(problem, sizeof(problem), "%dx%d", n, n);
  return example::finish(options, timer, "lu", problem, result, reference(input, n), 1e-5);
}
