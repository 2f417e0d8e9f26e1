//===- variables.cu - Variables of the program's modules ----------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "suite.h"

using namespace conformance;

namespace {

__device__ int numbers[4] = {1, 2, 3, 4};
__constant__ int scale = 10;

__global__ void use(int *out) { out[threadIdx.x] = numbers[threadIdx.x] * scale; }

} // namespace

AREA(variables) {
  Buffer<int> out(4);
  int value = 7, none = 0, back[4] = {};
  void *address = nullptr;
  size_t bytes = 0;
  answer("size", cudaGetSymbolSize(&bytes, numbers));
  answer("bytes", (long long)bytes);
  answer("address", cudaGetSymbolAddress(&address, numbers));
  answer("size of what is none", cudaGetSymbolSize(&bytes, none));
  answer("address of what is none", cudaGetSymbolAddress(&address, none));
  answer("copy to what is none", cudaMemcpyToSymbol(none, &value, sizeof value));
  answer("set the third", cudaMemcpyToSymbol(numbers, &value, sizeof value, 2 * sizeof(int)));
  answer("set the constant", cudaMemcpyToSymbol(scale, &value, sizeof value));
  use<<<1, 4>>>(out.data);
  answer("copy the results", cudaMemcpy(back, out.data, sizeof back, cudaMemcpyDeviceToHost));
  answer("the third result", back[2]);
  answer("the last result", back[3]);
  answer("beyond the end", cudaMemcpyToSymbol(numbers, back, sizeof back, 4));
  answer("read beyond the end", cudaMemcpyFromSymbol(back, numbers, 4, 16));
  answer("in the wrong direction",
         cudaMemcpyToSymbol(numbers, &value, 4, 0, cudaMemcpyDeviceToHost));
  answer("read in the wrong direction",
         cudaMemcpyFromSymbol(&value, numbers, 4, 0, cudaMemcpyHostToDevice));
  answer("by default", cudaMemcpyFromSymbol(&value, numbers, 4, 4, cudaMemcpyDefault));
  answer("the second", value);
  answer("through its address",
         cudaMemcpy(&value, static_cast<int *>(address) + 3, 4, cudaMemcpyDeviceToHost));
  answer("the fourth", value);
}
