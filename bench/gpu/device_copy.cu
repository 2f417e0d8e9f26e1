//===- device_copy.cu - Bandwidth of a device copy --------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This times a device-to-device cudaMemcpy of floats like the examples' kernels,
// whose bandwidth is compared with it.
//
//===----------------------------------------------------------------------===//
#include "examples/example.h"

int main(int argc, char **argv) {
  auto options = example::parse(argc, argv, {1 << 20}, "FLOATS");
  std::vector<float> input(options.sizes[0]);
  for (size_t i = 0; i < input.size(); ++i)
    input[i] = static_cast<float>(i & 0xffff);
  float *from = example::upload(input);
  float *to = example::upload(std::vector<float>(input.size()));
  example::KernelTimer timer;
  for (int run = 0; run < options.repeat; ++run) {
    timer.start();
    CHECK(cudaMemcpyAsync(to, from, input.size() * sizeof(float), cudaMemcpyDeviceToDevice));
    timer.stop();
  }
  std::vector<float> result = example::download(to, input.size());
  CHECK(cudaFree(from));
  CHECK(cudaFree(to));
  return example::finish(options, timer, "device_copy", "", result, input, 0);
}
