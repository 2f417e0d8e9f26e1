//===- AddressSpaces.cpp - Address spaces in flat memory ------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "interpreter/AddressSpaces.h"

#include "compiler/DeviceIR/AddressSpaces.h"
using namespace regrain;

namespace {

constexpr uint64_t noSegmentAddress = 0xffff'ffff;

} // namespace

std::optional<uint64_t> AddressSpaces::baseOf(unsigned space, uint64_t own) const {
  if (space == localSpace)
    return own & ~(localStride - 1);
  if (space == sharedSpace)
    return aperture;
  return space == constantSpace && !segmented ? std::optional(gridWindow) : std::nullopt;
}

uint64_t AddressSpaces::flat(unsigned space, uint64_t pointer, uint64_t own) const {
  std::optional<uint64_t> base = baseOf(space, own);
  if (!base)
    return pointer;
  return segmented && pointer == noSegmentAddress ? 0 : *base + pointer;
}

std::optional<uint64_t> AddressSpaces::pointer(unsigned space, uint64_t flat, uint64_t own) const {
  std::optional<uint64_t> base = baseOf(space, own);
  if (!base)
    return flat;
  if (flat == 0 && !segmented)
    return 0;
  if (flat == 0)
    return noSegmentAddress;
  if (flat < *base || flat - *base >= localStride)
    return std::nullopt;
  return flat - *base;
}
