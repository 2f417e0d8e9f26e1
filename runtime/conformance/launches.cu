//===- launches.cu - Launches and their errors ----------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "suite.h"

using namespace conformance;

namespace {

struct Pair {
  int a;
  double b;
};

__global__ void put(int *out, Pair pair, int summand) {
  out[blockIdx.x * blockDim.x + threadIdx.x] = pair.a + int(pair.b) + summand;
}
__global__ void __launch_bounds__(64) bounded(int *out) { out[threadIdx.x] = 1; }
__global__ void gridSize(int *out) {
  if (blockIdx.x == 0 && threadIdx.x == 0)
    *out = gridDim.x * blockDim.x;
}

void shapes(int *data) {
  bounded<<<0, 1>>>(data);
  answerLaunch("no blocks");
  bounded<<<1, 0>>>(data);
  answerLaunch("no threads");
  gridSize<<<1, 1025>>>(data);
  answerLaunch("too many threads");
  gridSize<<<1, dim3(1, 1, 65)>>>(data);
  answerLaunch("too deep a block");
  gridSize<<<1, dim3(64, 64)>>>(data);
  answerLaunch("too large a block");
  gridSize<<<dim3(1, 70000), 1>>>(data);
  answerLaunch("too high a grid");
  gridSize<<<dim3(0x80000000u), 1>>>(data);
  answerLaunch("too wide a grid");
  bounded<<<1, 65>>>(data);
  answerLaunch("more threads than its bound");
  bounded<<<1, 64>>>(data);
  answerLaunch("as many threads as its bound");
  gridSize<<<1, 1, 49 << 10>>>(data);
  answerLaunch("too much shared memory");
  answer("wait", cudaDeviceSynchronize());
}

void byPointer(int *data) {
  int none = 0, two = 2;
  Pair pair = {3, 4.0};
  void *arguments[] = {&data, &pair, &two};
  auto *kernel = reinterpret_cast<const void *>(put);
  answer("launch", cudaLaunchKernel(kernel, dim3(1), dim3(4), arguments, 0, nullptr));
  answer("its value", read(data));
  answer("what is no kernel", cudaLaunchKernel(&none, dim3(1), dim3(1), arguments, 0, nullptr));
  answer("null", cudaLaunchKernel(static_cast<const void *>(nullptr), dim3(1), dim3(1), arguments,
                                  0, nullptr));
}

void byConfiguration(int *data) {
  int none = 0, five = 5;
  Pair pair = {3, 4.0};
  void *arguments[] = {&data, &pair, &five};
  auto *kernel = reinterpret_cast<const void *>(put);
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(4);
  config.blockDim = dim3(64);
  answer("by configuration", cudaLaunchKernelExC(&config, kernel, arguments));
  answer("its value by configuration", read(data));
  answer("what is no kernel by configuration", cudaLaunchKernelExC(&config, &none, arguments));
  answer("typed", cudaLaunchKernelEx(&config, put, data, Pair{30, 40.0}, 50));
  answer("its value typed", read(data));
  cudaLaunchAttribute attributes[2] = {};
  attributes[0].id = cudaLaunchAttributePriority;
  attributes[0].val.priority = 0;
  attributes[1].id = cudaLaunchAttributeIgnore;
  config.attrs = attributes;
  config.numAttrs = 2;
  answer("with a priority", cudaLaunchKernelEx(&config, put, data, Pair{1, 1.0}, 1));
  answer("its value with a priority", read(data));
  config.attrs = nullptr;
  answer("attributes that are null", cudaLaunchKernelExC(&config, kernel, arguments));
  config.attrs = attributes;
  attributes[0].id = cudaLaunchAttributeCooperative;
  attributes[0].val.cooperative = 0;
  answer("not cooperative", cudaLaunchKernelExC(&config, kernel, arguments));
  attributes[0].id = cudaLaunchAttributeClusterDimension;
  attributes[0].val.clusterDim.x = 1;
  attributes[0].val.clusterDim.y = 1;
  attributes[0].val.clusterDim.z = 1;
  answer("clusters of one block", cudaLaunchKernelExC(&config, kernel, arguments));
  attributes[0].id = cudaLaunchAttributeProgrammaticStreamSerialization;
  attributes[0].val.programmaticStreamSerializationAllowed = 1;
  answer("may overlap", cudaLaunchKernelExC(&config, kernel, arguments));
  config.numAttrs = 0;
  config.blockDim = dim3(2048);
  answer("too many threads by configuration", cudaLaunchKernelExC(&config, kernel, arguments));
  config.blockDim = dim3(64);
  config.dynamicSmemBytes = 49 << 10;
  answer("too much shared memory by configuration",
         cudaLaunchKernelExC(&config, kernel, arguments));
  answer("wait at the end", cudaDeviceSynchronize());
}

} // namespace

AREA(launches) {
  Buffer<int> data(1024);
  shapes(data.data);
  byPointer(data.data);
  byConfiguration(data.data);
}
