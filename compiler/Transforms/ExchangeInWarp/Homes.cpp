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

/// Returns the register that other lanes use in this access and that is free in those of
/// `homeless`, or nothing.
std::optional<unsigned> Homes::commonRegister(const LaneElements &elements, LaneSet homeless,
                                              int64_t size) const {
  for (const std::optional<int64_t> &element : elements) {
    auto found = element ? known.find(*element) : known.end();
    if (found == known.end())
      continue;
    unsigned number = found->second.home.number;
    if (sizeOf[number] == size && !(taken[number] & homeless))
      return number;
  }
  return std::nullopt;
}

bool Homes::add(const LaneElements &elements, int64_t size) {
  LaneSet homeless = 0;
  for (auto [lane, element] : llvm::enumerate(elements)) {
    if (!element)
      continue;
    if (!isApart(*element, size))
      return false;
    auto found = known.find(*element);
    if (found == known.end())
      homeless |= laneBit(lane);
    else if (found->second.home.lane != lane)
      return false;
  }
  if (!homeless)
    return true;
  std::optional<unsigned> number = commonRegister(elements, homeless, size);
  if (!number) {
    number = sizeOf.size();
    sizeOf.push_back(size);
    taken.push_back(0);
  }
  taken[*number] |= homeless;
  for (auto [lane, element] : llvm::enumerate(elements))
    if (homeless & laneBit(lane)) {
      // Another lane of this store may have been given the element, or a part of it.
      if (known.contains(*element) || !isApart(*element, size))
        return false;
      known[*element] = {size, {*number, unsigned(lane)}};
    }
  return true;
}

std::optional<LaneHomes> Homes::find(const LaneElements &elements, int64_t size) const {
  LaneHomes homes;
  for (const std::optional<int64_t> &element : elements) {
    if (element && !isApart(*element, size))
      return std::nullopt;
    auto found = element ? known.find(*element) : known.end();
    homes.push_back(found == known.end() ? std::nullopt : std::optional(found->second.home));
  }
  return homes;
}
