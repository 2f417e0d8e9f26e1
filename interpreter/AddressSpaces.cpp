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

/// Pointers to local memory have 32 bits on both kinds of GPUs.
bool AddressSpaces::isSegment(unsigned space) const {
  return space == localSpace || (segmented && space == sharedSpace);
}

uint64_t AddressSpaces::flat(unsigned space, uint64_t pointer, uint64_t own) const {
  if (!isSegment(space))
    return pointer;
  if (pointer == noSegmentAddress)
    return 0;
  return (space == sharedSpace ? aperture : own & ~(localStride - 1)) | pointer;
}

std::optional<uint64_t> AddressSpaces::pointer(unsigned space, uint64_t flat, uint64_t own) const {
  if (!isSegment(space))
    return flat;
  if (flat == 0)
    return noSegmentAddress;
  uint64_t base = space == sharedSpace ? aperture : own & ~(localStride - 1);
  if (flat < base || flat - base >= localStride)
    return std::nullopt;
  return flat - base;
}
