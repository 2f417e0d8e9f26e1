//===- page_comparison.cpp - Comparing device memory ----------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/plugins/gpu/page_comparison.h"

#include <algorithm>
#include <cstring>
#include <vector>

namespace regrain {

cudaError_t PageComparison::prepare() {
  if (function)
    return cudaSuccess;
  cudaError_t status = module ? cudaSuccess : load(module);
  if (status == cudaSuccess)
    status = module->function("regrain_compare_pages", function);
  return status;
}

cudaError_t PageComparison::reserve(size_t pages) {
  if (pages <= flagBytes)
    return cudaSuccess;
  if (flags)
    if (cudaError_t status = device.free(flags); status != cudaSuccess)
      return status;
  flags = nullptr;
  flagBytes = 0;
  cudaError_t status = device.allocate(pages, flags);
  if (status == cudaSuccess)
    flagBytes = pages;
  return status;
}

cudaError_t PageComparison::compareOnDevice(const void *left, const void *right, size_t bytes,
                                            size_t pageBytes, std::span<uint8_t> differs) {
  constexpr uint32_t threads = 256;
  constexpr size_t mostBlocks = 1 << 20;
  const Rows row = {differs.size(), 1};
  cudaError_t status = reserve(differs.size());
  if (status == cudaSuccess)
    status = device.fill(flags, 0, 0, row, nullptr, /*async=*/false);
  unsigned long long size = bytes, page = pageBytes;
  void *values[] = {&left, &right, &size, &page, &flags};
  static constexpr ParameterLayout parameters[] = {{0, 8}, {8, 8}, {16, 8}, {24, 8}, {32, 8}};
  uint32_t blocks = uint32_t(std::min(differs.size(), mostBlocks));
  if (status == cudaSuccess)
    status =
        device.launch(*function, {{blocks, 1, 1}, {threads, 1, 1}, 0, nullptr, values, parameters});
  if (status == cudaSuccess)
    status = device.copy(differs.data(), 0, flags, 0, row, cudaMemcpyDeviceToHost, nullptr,
                         /*async=*/false);
  return status;
}

cudaError_t PageComparison::compareOnHost(const void *left, const void *right, size_t bytes,
                                          size_t pageBytes, std::span<uint8_t> differs) {
  constexpr size_t chunkBytes = 4 << 20;
  const size_t pagesAtOnce = std::max<size_t>(1, chunkBytes / pageBytes);
  std::vector<char> copies(2 * pagesAtOnce * pageBytes);
  char *leftCopy = copies.data(), *rightCopy = leftCopy + pagesAtOnce * pageBytes;
  auto fetch = [&](char *to, const void *from, size_t at, size_t size) {
    return device.copy(to, 0, static_cast<const char *>(from) + at, 0, {size, 1},
                       cudaMemcpyDeviceToHost, nullptr, /*async=*/false);
  };
  for (size_t page = 0; page < differs.size(); page += pagesAtOnce) {
    size_t begin = page * pageBytes;
    size_t size = std::min(bytes - begin, pagesAtOnce * pageBytes);
    if (cudaError_t status = fetch(leftCopy, left, begin, size); status != cudaSuccess)
      return status;
    if (cudaError_t status = fetch(rightCopy, right, begin, size); status != cudaSuccess)
      return status;
    for (size_t at = 0, i = page; at < size; at += pageBytes, ++i)
      differs[i] = std::memcmp(leftCopy + at, rightCopy + at, std::min(pageBytes, size - at)) != 0;
  }
  return cudaSuccess;
}

cudaError_t PageComparison::run(const void *left, const void *right, size_t bytes, size_t pageBytes,
                                std::span<uint8_t> differs) {
  if (differs.empty())
    return cudaSuccess;
  std::lock_guard lock(running);
  if (cudaError_t status = device.synchronize(); status != cudaSuccess)
    return status;
  cudaError_t status = prepare();
  if (status == cudaErrorNoKernelImageForDevice)
    return compareOnHost(left, right, bytes, pageBytes, differs);
  return status == cudaSuccess ? compareOnDevice(left, right, bytes, pageBytes, differs) : status;
}

cudaError_t PageComparison::release() {
  std::lock_guard lock(running);
  function.reset();
  module.reset();
  cudaError_t status = flags ? device.free(flags) : cudaSuccess;
  flags = nullptr;
  flagBytes = 0;
  return status;
}

} // namespace regrain
