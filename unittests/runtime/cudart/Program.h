//===- cudart/Program.h - A program as clang would have made it -*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "image_generated.h"
#include "include/cuda/cuda_runtime_api.h"

#include <string>
#include <vector>

extern "C" {
void **__cudaRegisterFatBinary(void *wrapper);
void __cudaRegisterFatBinaryEnd(void **handle);
void __cudaUnregisterFatBinary(void **handle);
void __cudaRegisterFunction(void **handle, const char *hostFunction, char *deviceFunction,
                            const char *deviceName, int threadLimit, uint3 *threadId,
                            uint3 *blockId, dim3 *blockDim, dim3 *gridDim, int *warpSize);
void __cudaRegisterVar(void **handle, char *hostVariable, char *deviceAddress,
                       const char *deviceName, int isExternal, size_t bytes, int isConstant,
                       int isGlobal);
void *regrain_managedAddress(void **pointer);
}

namespace regrain::test {

/// The argument of a host object to __cudaRegisterFatBinary.
struct FatBinaryWrapper {
  int magic = 0x466243b1;
  int version = 1;
  const void *data = nullptr;
  void *unused = nullptr;
};

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
