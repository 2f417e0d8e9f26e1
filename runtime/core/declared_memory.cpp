//===- declared_memory.cpp - Memory that the program declares -------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/core/declared_memory.h"

#include <algorithm>

namespace regrain {

static std::vector<MemoryExtent> &declared() {
  thread_local std::vector<MemoryExtent> extents;
  return extents;
}

void declareMemory(const MemoryExtent &extent) {
  if (extent.bytes)
    declared().push_back(extent);
}

void withdrawMemory(const MemoryExtent &extent) {
  std::vector<MemoryExtent> &all = declared();
  auto at = std::find_if(all.rbegin(), all.rend(), [&](const MemoryExtent &each) {
    return each.begin == extent.begin && each.bytes == extent.bytes;
  });
  if (at != all.rend())
    all.erase(std::next(at).base());
}

std::optional<MemoryExtent> declaredAround(uintptr_t address) {
  const std::vector<MemoryExtent> &all = declared();
  auto at = std::find_if(all.begin(), all.end(), [&](const MemoryExtent &each) {
    return address - each.begin < each.bytes;
  });
  if (at == all.end())
    return std::nullopt;
  MemoryExtent whole = *at;
  for (bool grows = true; grows;) {
    grows = false;
    for (const MemoryExtent &each : all) {
      uintptr_t begin = std::min(whole.begin, each.begin);
      uintptr_t end = std::max(whole.begin + whole.bytes, each.begin + each.bytes);
      bool overlaps =
          each.begin < whole.begin + whole.bytes && whole.begin < each.begin + each.bytes;
      if (overlaps && end - begin > whole.bytes) {
        whole = {begin, end - begin};
        grows = true;
      }
    }
  }
  return whole;
}

} // namespace regrain
