//===- module_variables.cu - Variables that kernels share -------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two kernels use the same __device__ counter, static __device__ table and
// __constant__ weights; the host rewrites the weights between launches. The result is
// right only if each variable exists once, whichever alternative of each kernel runs.
//
//===----------------------------------------------------------------------===//
#include "example.h"

constexpr int entries = 64;
constexpr int weightCount = 16;

__device__ unsigned int counter;
static __device__ int table[entries];
__constant__ int weights[weightCount];

__global__ void accumulate(const int *data, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    atomicAdd(&table[data[i] % entries], weights[i % weightCount]);
    atomicAdd(&counter, 1u);
  }
}

__global__ void apply(int *result, const int *data, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    result[i] += table[(data[i] + i) % entries] * weights[i % weightCount] + int(counter);
}

struct Reference {
  unsigned int counter = 0;
  int table[entries] = {};
  std::vector<int> result;

  void round(const std::vector<int> &data, const int *first, const int *second) {
    int n = int(data.size());
    for (int i = 0; i < n; ++i, ++counter)
      table[data[i] % entries] += first[i % weightCount];
    for (int i = 0; i < n; ++i)
      result[i] += table[(data[i] + i) % entries] * second[i % weightCount] + int(counter);
  }
};

int main(int argc, char **argv) {
  auto options = example::parse(argc, argv, {5003, 3}, "ELEMENTS ROUNDS");
  int n = options.sizes[0], rounds = options.sizes[1];

  example::Random random(8);
  std::vector<int> input(n);
  for (int &value : input)
    value = random.below(1000);
  std::vector<int> allWeights(size_t(rounds) * 2 * weightCount);
  for (int &value : allWeights)
    value = int(random.below(7)) - 3;

  int *data = example::upload(input);
  int *output = example::upload(std::vector<int>(n));
  unsigned int zero = 0;
  int emptyTable[entries] = {};
  dim3 grid((n + 127) / 128);
  example::KernelTimer timer;
  for (int run = 0; run < options.repeat; ++run) {
    CHECK(cudaMemset(output, 0, n * sizeof(int)));
    CHECK(cudaMemcpyToSymbol(counter, &zero, sizeof(zero)));
    CHECK(cudaMemcpyToSymbol(table, emptyTable, sizeof(emptyTable)));
    timer.start();
    for (int round = 0; round < rounds; ++round) {
      const int *next = &allWeights[size_t(round) * 2 * weightCount];
      CHECK(cudaMemcpyToSymbol(weights, next, sizeof(weights)));
      accumulate<<<grid, 128>>>(data, n);
      CHECK(cudaMemcpyToSymbol(weights, next + weightCount, sizeof(weights)));
      apply<<<grid, 128>>>(output, data, n);
    }
    timer.stop();
  }

  // The result, then the table, then the counter.
  std::vector<int> result = example::download(output, n);
  result.resize(n + entries + 1);
  CHECK(cudaMemcpyFromSymbol(&result[n], table, sizeof(table)));
  CHECK(cudaMemcpyFromSymbol(&result[n + entries], counter, sizeof(counter)));
  CHECK(cudaFree(data));
  CHECK(cudaFree(output));

  Reference reference;
  reference.result.resize(n);
  for (int round = 0; round < rounds; ++round) {
    const int *next = &allWeights[size_t(round) * 2 * weightCount];
    reference.round(input, next, next + weightCount);
  }
  std::vector<int> expected = reference.result;
  expected.insert(expected.end(), reference.table, reference.table + entries);
  expected.push_back(int(reference.counter));

  char problem[64];
  snprintf(problem, sizeof(problem), "%d elements, %d rounds", n, rounds);
  return example::finish(options, timer, "module_variables", problem, result, expected, 0);
}
