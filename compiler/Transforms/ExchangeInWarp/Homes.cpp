//===- Homes.cpp - The registers in which elements live -------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Transforms/ExchangeInWarp/Homes.h"

#include "llvm/ADT/STLExtras.h"

using namespace regrain;

/// Returns whether the bytes are an element, or part of none.
bool Homes::isApart(int64_t offset, int64_t size) const {
  auto next = known.lower_bound(offset);
  if (next != known.end() && next->first == offset)
    return next->second.size == size;
  if (next != known.end() && next->first < offset + size)
    return false;
  return next == known.begin() || std::prev(next)->first + std::prev(next)->second.size <= offset;
}

bool Homes::isFree(unsigned number, const BlockSet &lanes) const {
  return llvm::all_of(llvm::zip_equal(taken[number], lanes), [](const auto &sets) {
    return (std::get<0>(sets) & std::get<1>(sets)) == 0;
  });
}

/// Returns the lanes whose elements have no home yet; nothing if one has a home in another lane.
std::optional<Homes::BlockSet> Homes::findHomeless(const WarpElements &elements,
                                                   int64_t size) const {
  BlockSet homeless(elements.size(), 0);
  for (auto [warp, own] : llvm::enumerate(elements))
    for (auto [lane, element] : llvm::enumerate(own)) {
      if (!element)
        continue;
      if (!isApart(*element, size))
        return std::nullopt;
      auto found = known.find(*element);
      if (found == known.end())
        homeless[warp] |= laneBit(lane);
      else if (found->second.warp != warp || found->second.home.lane != lane)
        return std::nullopt;
    }
  return homeless;
}

/// Returns a register that is free in the lanes: one that other lanes use in this access, or a new
/// one.
unsigned Homes::registerFor(const WarpElements &elements, const BlockSet &homeless, int64_t size) {
  for (const LaneElements &own : elements)
    for (const std::optional<int64_t> &element : own) {
      auto found = element ? known.find(*element) : known.end();
      if (found == known.end())
        continue;
      unsigned number = found->second.home.number;
      if (sizeOf[number] == size && isFree(number, homeless))
        return number;
    }
  sizeOf.push_back(size);
  taken.emplace_back(elements.size(), 0);
  return sizeOf.size() - 1;
}

bool Homes::add(const WarpElements &elements, int64_t size) {
  std::optional<BlockSet> homeless = findHomeless(elements, size);
  if (!homeless)
    return false;
  if (llvm::all_of(*homeless, [](LaneSet lanes) { return lanes == 0; }))
    return true;
  unsigned number = registerFor(elements, *homeless, size);
  for (auto [warp, own] : llvm::enumerate(elements)) {
    taken[number][warp] |= (*homeless)[warp];
    for (auto [lane, element] : llvm::enumerate(own)) {
      if (!((*homeless)[warp] & laneBit(lane)))
        continue;
      // Another lane of this store may have been given the element, or a part of it.
      if (known.contains(*element) || !isApart(*element, size))
        return false;
      known[*element] = {size, warp, {number, unsigned(lane)}};
    }
  }
  return true;
}

std::optional<LaneHomes> Homes::find(const WarpElements &elements, int64_t size) const {
  LaneHomes homes(elements.front().size());
  for (auto [warp, own] : llvm::enumerate(elements))
    for (auto [home, element] : llvm::zip_equal(homes, own)) {
      if (element && !isApart(*element, size))
        return std::nullopt;
      auto found = element ? known.find(*element) : known.end();
      if (found == known.end())
        continue;
      if (found->second.warp != warp || (home && *home != found->second.home))
        return std::nullopt;
      home = found->second.home;
    }
  return homes;
}
