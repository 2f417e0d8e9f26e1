//===- expected_memory.cpp - Expected memory after a run ------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/tuning/expected_memory.h"

#include <algorithm>

namespace regrain {
namespace {

bool isBefore(const MemoryRange &a, const MemoryRange &b) { return a.begin < b.begin; }

} // namespace

std::vector<MemoryRange> outside(const std::vector<MemoryRange> &ranges,
                                 const std::vector<MemoryRange> &holes) {
  std::vector<MemoryRange> left;
  auto first = holes.begin();
  for (const MemoryRange &range : ranges) {
    std::byte *at = range.begin, *end = range.begin + range.bytes;
    while (first != holes.end() && first->begin + first->bytes <= at)
      ++first;
    for (auto hole = first; hole != holes.end() && hole->begin < end; ++hole) {
      if (hole->begin > at)
        left.push_back({at, size_t(hole->begin - at)});
      at = hole->begin + hole->bytes;
    }
    if (at < end)
      left.push_back({at, size_t(end - at)});
  }
  return left;
}

std::vector<MemoryRange> within(const std::vector<MemoryRange> &ranges,
                                const std::vector<MemoryRange> &others) {
  return outside(ranges, outside(ranges, others));
}

std::vector<MemoryRange> together(const std::vector<MemoryRange> &ranges,
                                  const std::vector<MemoryRange> &others) {
  std::vector<MemoryRange> all = outside(ranges, others);
  all.insert(all.end(), others.begin(), others.end());
  std::sort(all.begin(), all.end(), isBefore);
  return all;
}

cudaError_t ExpectedMemory::differing(std::vector<MemoryRange> &out) {
  out.clear();
  std::vector<MemoryRange> covered, changed;
  for (size_t i = layers.size(); i-- > 0;) {
    if (cudaError_t status = layers[i]->changed(changed); status != cudaSuccess)
      return status;
    out = together(outside(changed, covered), out);
    covered = together(covered, layers[i]->ranges());
  }
  return cudaSuccess;
}

std::vector<ExpectedMemory::Part>
ExpectedMemory::partsOf(const std::vector<MemoryRange> &ranges) const {
  std::vector<Part> parts;
  std::vector<MemoryRange> left = ranges;
  for (size_t i = layers.size(); i-- > 0;) {
    for (const MemoryRange &range : within(left, layers[i]->ranges()))
      parts.push_back({layers[i], range});
    left = outside(left, layers[i]->ranges());
  }
  std::sort(parts.begin(), parts.end(),
            [](const Part &a, const Part &b) { return isBefore(a.range, b.range); });
  return parts;
}

cudaError_t ExpectedMemory::compare(const std::vector<MemoryRange> &ranges, const Visit &visit) {
  std::vector<std::byte> now(pieceBytes), expected(pieceBytes);
  for (const Part &part : partsOf(ranges))
    for (size_t offset = 0; offset < part.range.bytes; offset += pieceBytes) {
      size_t bytes = std::min(pieceBytes, part.range.bytes - offset);
      MemoryRange piece = {part.range.begin + offset, bytes};
      cudaError_t status = part.layer->read(piece, now.data(), expected.data());
      if (status != cudaSuccess)
        return status;
      if (!visit(piece.begin, {now.data(), bytes}, {expected.data(), bytes}))
        return cudaSuccess;
    }
  return cudaSuccess;
}

cudaError_t ExpectedMemory::firstDifference(const std::vector<MemoryRange> &ranges,
                                            const std::byte *&at) {
  at = nullptr;
  return compare(ranges, [&](std::byte *begin, auto now, auto expected) {
    auto different = std::mismatch(now.begin(), now.end(), expected.begin()).first;
    if (different != now.end())
      at = begin + (different - now.begin());
    return !at;
  });
}

cudaError_t ExpectedMemory::restore(const std::vector<MemoryRange> &ranges, cudaStream_t stream) {
  for (const Part &part : partsOf(ranges))
    if (cudaError_t status = part.layer->restore({part.range}, stream); status != cudaSuccess)
      return status;
  return cudaSuccess;
}

} // namespace regrain
