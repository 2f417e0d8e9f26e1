//===- rms_norm.cu - Root-mean-square normalisation of rows -----*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each row is divided by the root of its mean square and scaled by a weight for each
// column. One block per row: strided partial sums, a tree in shared memory, and a
// second walk over the row.
//
//===----------------------------------------------------------------------===//
#include "example.h"

constexpr int blockSize = 256;

__global__ void rmsNorm(float *to, const float *from, const float *weight, int columns,
                        float epsilon) {
  __shared__ float partial[blockSize];
  const float *row = from + size_t(blockIdx.x) * columns;

  float sum = 0;
  for (int i = threadIdx.x; i < columns; i += blockSize)
    sum += row[i] * row[i];
  partial[threadIdx.x] = sum;
  __syncthreads();

  for (int half = blockSize / 2; half > 0; half /= 2) {
    if (threadIdx.x < half)
      partial[threadIdx.x] += partial[threadIdx.x + half];
    __syncthreads();
  }

  float scale = rsqrtf(partial[0] / columns + epsilon);
  for (int i = threadIdx.x; i < columns; i += blockSize)
    to[size_t(blockIdx.x) * columns + i] = row[i] * scale * weight[i];
}

static std::vector<float> reference(const std::vector<float> &input,
                                    const std::vector<float> &weight, int rows, int columns,
                                    double epsilon) {
  std::vector<float> result(input.size());
  for (int row = 0; row < rows; ++row) {
    const float *from = &input[size_t(row) * columns];
    double sum = 0;
    for (int i = 0; i < columns; ++i)
      sum += double(from[i]) * from[i];
    double scale = 1.0 / sqrt(sum / columns + epsilon);
    for (int i = 0; i < columns; ++i)
      result[size_t(row) * columns + i] = float(from[i] * scale * weight[i]);
  }
  return result;
}

int main(int argc, char **argv) {
  auto options = example::parse(argc, argv, {129, 1003}, "ROWS COLUMNS");
  int rows = options.sizes[0], columns = options.sizes[1];
  const float epsilon = 1e-6f;

  example::Random random(6);
  std::vector<float> input(size_t(rows) * columns), weights(columns);
  for (float &value : input)
    value = 4.0f * random.unit() - 2.0f;
  for (float &value : weights)
    value = 0.5f + random.unit();

  float *from = example::upload(input);
  float *weight = example::upload(weights);
  float *to = example::upload(std::vector<float>(input.size()));
  example::KernelTimer timer;
  for (int run = 0; run < options.repeat; ++run) {
    CHECK(cudaMemset(to, 0, input.size() * sizeof(float)));
    timer.start();
    rmsNorm<<<rows, blockSize>>>(to, from, weight, columns, epsilon);
    timer.stop();
  }
  std::vector<float> result = example::download(to, input.size());
  CHECK(cudaFree(from));
  CHECK(cudaFree(weight));
  CHECK(cudaFree(to));

  char problem[64];
  snprintf(problem, sizeof(problem), "%d rows of %d", rows, columns);
  return example::finish(options, timer, "rms_norm", problem, result,
                         reference(input, weights, rows, columns, epsilon), 1e-5);
}
