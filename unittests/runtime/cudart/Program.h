//===- cudart/Program.h - A program as clang would have made it -*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "image_generated.h"
#include "runtime/cudart/registration.h"

#include <string>
#include <vector>

namespace regrain::test {

/// Returns the code of kernels.c.
std::vector<uint8_t> readKernels();

/// Returns an image with the kernels of kernels.c, and one of slot_kernels.c
/// that accesses the counter through `slotName`; `chosen` is iotaKernel's
/// choice.
std::vector<char> makeImage(const std::vector<uint8_t> &code, const char *arch = "x86-64-v3",
                            uint32_t chosen = 0, const char *slotName = "counterAddress");

/// Registers an image as a translation unit does. Kernels and variables are
/// identified by the addresses of `Shadows`.
class Registration {
public:
  explicit Registration(const std::vector<char> &image);
  ~Registration();

private:
  std::vector<uint64_t> storage;
  FatBinaryWrapper wrapper;
  void **handle;
};

/// The host's shadows of kernels and variables.
struct Shadows {
  char iota, reverse, grid, count, wait, trap, assertion, print, hungry, bigShared, wrongVersion,
      notInImage;
  char counter, table;
  void *managed; ///< as the compiler makes it of a managed variable
};
extern Shadows shadows;

/// Makes the registration that most tests share, at the first call.
void useProgram();

/// Calls cudaLaunchKernel with values instead of their addresses.
template <typename... Values>
cudaError_t launch(const void *kernel, dim3 grid, dim3 block, size_t sharedBytes,
                   cudaStream_t stream, Values... values) {
  void *arguments[] = {&values..., nullptr};
  return cudaLaunchKernel(kernel, grid, block, arguments, sharedBytes, stream);
}

} // namespace regrain::test
