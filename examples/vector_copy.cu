//===- vector_copy.cu - A scalar copy ---------------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One float per thread: the smallest kernel that a coarser grain can help.
//
//===----------------------------------------------------------------------===//
#include "example.h"

__global__ void vectorCopy(float *to, const float *from, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    to[i] = from[i];
}

int main(int argc, char **argv) {
  auto options = example::parse(argc, argv, {1000003}, "ELEMENTS");
  int n = options.sizes[0];

  example::Random random(1);
  std::vector<float> input(n);
  for (float &value : input)
    value = random.unit();

  float *from = example::upload(input);
  float *to = example::upload(std::vector<float>(n));
  example::KernelTimer timer;
  for (int run = 0; run < options.repeat; ++run) {
    CHECK(cudaMemset(to, 0, n * sizeof(float)));
    timer.start();
    vectorCopy<<<(n + 255) / 256, 256>>>(to, from, n);
    timer.stop();
  }
  std::vector<float> result = example::download(to, n);
  CHECK(cudaFree(from));
  CHECK(cudaFree(to));

  char problem[64];
  snprintf(problem, sizeof(problem), "%d floats", n);
  return example::finish(options, timer, "vector_copy", problem, result, input, 0);
}
