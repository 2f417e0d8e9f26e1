//===- compare.cpp - Comparing device memory ------------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/plugins/cuda/compare.h"

#include "runtime/plugins/cuda/device.h"

#include <algorithm>

asm(".section .rodata.regrain_compare,\"a\",@progbits\n"
    "regrainComparePtx:\n"
    ".incbin \"" REGRAIN_COMPARE_PTX "\"\n"
    ".byte 0\n"
    ".previous\n");
extern "C" __attribute__((visibility("hidden"))) const char regrainComparePtx[];

namespace regrain::cuda {

CUresult PageComparison::load() {
  if (function)
    return CUDA_SUCCESS;
  CUresult result = driver.moduleLoadDataEx(&module, regrainComparePtx, 0, nullptr, nullptr);
  if (result == CUDA_SUCCESS)
    result = driver.moduleGetFunction(&function, module, "regrain_compare_pages");
  return result;
}

CUresult PageComparison::reserve(size_t pages) {
  if (pages <= flagBytes)
    return CUDA_SUCCESS;
  if (flags)
    if (CUresult result = driver.memFree(flags); result != CUDA_SUCCESS)
      return result;
  flags = 0;
  flagBytes = 0;
  CUresult result = driver.memAlloc(&flags, pages);
  if (result == CUDA_SUCCESS)
    flagBytes = pages;
  return result;
}

CUresult PageComparison::run(const void *left, const void *right, size_t bytes, size_t pageBytes,
                             std::span<uint8_t> differs) {
  constexpr unsigned threads = 256;
  constexpr size_t mostBlocks = 1 << 20;
  std::lock_guard lock(running);
  CUresult result = load();
  if (result == CUDA_SUCCESS)
    result = reserve(differs.size());
  if (result == CUDA_SUCCESS)
    result = driver.memsetD8(flags, 0, differs.size());
  unsigned long long size = bytes, page = pageBytes;
  void *values[] = {&left, &right, &size, &page, &flags};
  if (result == CUDA_SUCCESS)
    result = driver.launchKernel(function, unsigned(std::min(differs.size(), mostBlocks)), 1, 1,
                                 threads, 1, 1, 0, nullptr, values, nullptr);
  if (result == CUDA_SUCCESS)
    result = driver.memcpyDtoH(differs.data(), flags, differs.size());
  return result;
}

void PageComparison::forget() {
  std::lock_guard lock(running);
  module = nullptr;
  function = nullptr;
  flags = 0;
  flagBytes = 0;
}

} // namespace regrain::cuda
