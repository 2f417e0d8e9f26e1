//===- compare.h - Comparing device memory ----------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/plugins/cuda/driver.h"

#include <cstdint>
#include <mutex>
#include <span>

namespace regrain::cuda {

/// Compares pages of device memory in the current context; see
/// Device::comparePages. Its kernel and its buffer are made when first needed.
class PageComparison {
public:
  explicit PageComparison(const Driver &driver) : driver(driver) {}

  [[nodiscard]] CUresult run(const void *left, const void *right, size_t bytes, size_t pageBytes,
                             std::span<uint8_t> differs);

  /// The context is gone, and with it the kernel and the buffer.
  void forget();

private:
  CUresult load();
  CUresult reserve(size_t pages);

  const Driver &driver;
  std::mutex running;
  CUmodule module = nullptr;
  CUfunction function = nullptr;
  CUdeviceptr flags = 0;
  size_t flagBytes = 0;
};

} // namespace regrain::cuda
