//===- module.h - Code of the CPU device ------------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/core/device.h"
#include "runtime/plugins/cpu/abi.h"

#include <atomic>

namespace regrain::cpu {

/// A kernel of a loaded shared object.
class CpuFunction : public Function {
public:
  CpuFunction(const RegrainCpuKernel &kernel, const cudaDeviceProp &limits);

  cudaError_t attributes(cudaFuncAttributes &out) override;
  cudaError_t setAttribute(cudaFuncAttribute attribute, int value) override;
  cudaError_t setCacheConfig(cudaFuncCache config) override;
  cudaError_t maxActiveBlocks(int threads, size_t dynamicSharedBytes, unsigned flags,
                              int &blocks) override;

  cudaError_t maxActiveClusters(const Launch &launch, int &clusters) override;
  cudaError_t maxClusterBlocks(const Launch &launch, int &blocks) override;

  const RegrainCpuKernel &kernel;

private:
  const cudaDeviceProp &limits;
  std::atomic<int> maxDynamicSharedBytes;
  std::atomic<int> carveout = cudaSharedmemCarveoutDefault;
  std::atomic<bool> allowsLargeClusters = false;
};

/// A shared object, loaded from memory.
class CpuModule : public Module {
public:
  /// `limits` outlives the module.
  static cudaError_t load(const image::Module &module, const cudaDeviceProp &limits,
                          std::unique_ptr<Module> &out, std::string &reason);
  ~CpuModule() override;

  cudaError_t function(const char *symbol, std::unique_ptr<Function> &out) override;
  cudaError_t variable(const char *symbol, void *&address, size_t &bytes) override;
  cudaError_t writeSlot(const char *slot, void *address) override;

  /// Returns 1 to 4 for an x86-64 level that the processor has, otherwise a
  /// negative number.
  static int rank(const image::Module &module);

private:
  CpuModule(void *library, int file, const cudaDeviceProp &limits)
      : library(library), file(file), limits(limits) {}

  void *library;
  int file; ///< with the code, for those who read its debug information; -1 if it has none
  const cudaDeviceProp &limits;
};

} // namespace regrain::cpu
