//===----------------------------------------------------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include <cuda_runtime.h>

int main() {
  void *memory = nullptr;
  return cudaMalloc(&memory, 64);
}
