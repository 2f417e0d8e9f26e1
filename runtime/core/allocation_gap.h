//===- allocation_gap.h - Allocations that do not touch ---------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An address at which one allocation ends and another one begins is in both
// (Allocations::areApart), so code for pointers into different allocations cannot run where a
// program's arrays touch. GPUs place allocations in units; those whose size is a multiple of one
// touch the next. One byte more keeps them apart.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <cstddef>

namespace regrain {

/// What is asked for beyond an allocation's bytes.
inline constexpr size_t gapAskedFor = 1;

/// Gaps take at most this part of a device's memory.
inline constexpr size_t gapShare = 1024;

/// Returns how much memory a gap behind an allocation of `bytes` takes, if it must be asked for;
/// 0 if the device leaves one by itself.
[[nodiscard]] constexpr size_t costOfGap(size_t bytes) {
  constexpr size_t leastUnit = 256, page = size_t(2) << 20;
  if (bytes % leastUnit != 0)
    return 0;
  return bytes % page != 0 ? 2 * leastUnit : page;
}

} // namespace regrain
