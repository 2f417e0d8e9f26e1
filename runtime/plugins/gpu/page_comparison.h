//===- page_comparison.h - Comparing device memory --------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/core/device.h"

#include <functional>
#include <memory>
#include <mutex>
#include <span>

namespace regrain {

/// Compares pages of device memory with compare.cu's kernel; see Device::comparePages.
/// Code and buffer are made when first needed. If the plugin has no code for the
/// device, pages are copied to the host and compared there.
class PageComparison {
public:
  /// Loads the kernel's module. Returns cudaErrorNoKernelImageForDevice if there is no
  /// code for the device.
  using Loader = std::function<cudaError_t(std::unique_ptr<Module> &)>;

  PageComparison(Device &device, Loader load) : device(device), load(std::move(load)) {}

  [[nodiscard]] cudaError_t run(const void *left, const void *right, size_t bytes, size_t pageBytes,
                                std::span<uint8_t> differs);

  /// Releases code and buffer; must be called before the context is destroyed.
  [[nodiscard]] cudaError_t release();

private:
  cudaError_t prepare();
  cudaError_t reserve(size_t pages);
  cudaError_t compareOnDevice(const void *left, const void *right, size_t bytes, size_t pageBytes,
                              std::span<uint8_t> differs);
  cudaError_t compareOnHost(const void *left, const void *right, size_t bytes, size_t pageBytes,
                            std::span<uint8_t> differs);

  Device &device;
  Loader load;
  std::mutex running;
  std::unique_ptr<Module> module;
  std::unique_ptr<Function> function;
  void *flags = nullptr;
  size_t flagBytes = 0;
};

} // namespace regrain
