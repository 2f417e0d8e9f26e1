//===- histogram.cu - Counting bytes ----------------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A block counts its share in shared memory with atomics and adds its counts to the
// total at the end.
//
//===----------------------------------------------------------------------===//
#include "example.h"

constexpr int bins = 256;
constexpr int blockSize = 256;

__global__ void histogram(unsigned int *total, const unsigned char *data, int n) {
  __shared__ unsigned int count[bins];
  for (int bin = threadIdx.x; bin < bins; bin += blockDim.x)
    count[bin] = 0;
  __syncthreads();

  int stride = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
    atomicAdd(&count[data[i]], 1u);
  __syncthreads();

  for (int bin = threadIdx.x; bin < bins; bin += blockDim.x)
    atomicAdd(&total[bin], count[bin]);
}

int main(int argc, char **argv) {
  auto options = example::parse(argc, argv, {1000003, 61}, "BYTES BLOCKS");
  int n = options.sizes[0], blocks = options.sizes[1];

  // Two draws make a peak in the middle, so that some bins are crowded.
  example::Random random(7);
  std::vector<unsigned char> input(n);
  for (unsigned char &value : input)
    value = static_cast<unsigned char>((random.below(256) + random.below(256)) / 2);

  unsigned char *data = example::upload(input);
  unsigned int *total = example::upload(std::vector<unsigned int>(bins));
  example::KernelTimer timer;
  for (int run = 0; run < options.repeat; ++run) {
    CHECK(cudaMemset(total, 0, bins * sizeof(unsigned int)));
    timer.start();
    histogram<<<blocks, blockSize>>>(total, data, n);
    timer.stop();
  }
  std::vector<unsigned int> result = example::download(total, bins);
  CHECK(cudaFree(data));
  CHECK(cudaFree(total));

  std::vector<unsigned int> reference(bins);
  for (unsigned char value : input)
    ++reference[value];

  char problem[64];
  snprintf(problem, sizeof(problem), "%d bytes, %d blocks", n, blocks);
  return example::finish(options, timer, "histogram", problem, result, reference, 0);
}
