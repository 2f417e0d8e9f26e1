//===- tolerance.h - Tolerated distance of two results ----------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/image/memory_use.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>

namespace regrain {

/// The default limit of units in the last place between the original's result and the
/// control's: the effect of two or three products that are fused in one of them only.
inline constexpr uint32_t usualUlps = 4;

/// The default limit for grains whose sums have another order: the effect on sums of some ten
/// thousand floats of like magnitude.
inline constexpr uint32_t usualSumUlps = 64;

/// The numbers, from a multiple of as many, in which the largest is the measure of rounding.
inline constexpr size_t neighbours = 32;

/// How far numbers may be apart, in units in the last place.
struct Tolerance {
  uint32_t ulps = 0;
  uint32_t ofShort = 0; ///< for numbers of 16 bits, which have few digits
  /// Units are those of the largest of the neighbours, if that is larger than the number.
  bool isAmongNeighbours = false;
  /// Words that may be copies count as numbers.
  bool measuresCopies = false;

  uint32_t of(StoredTypes types) const;
  /// Returns the types of words that this tolerance measures as numbers.
  StoredTypes measured(StoredTypes types) const {
    return measuresCopies ? types - StoredTypes::Copied : types;
  }
};

/// Returns the tolerance that holds for numbers of every type.
inline Tolerance uniformTolerance(uint32_t ulps) { return {ulps, ulps}; }

/// Returns the tolerance for sums in another order. A sum that is rounded to 16 bits differs by
/// one, or by a few if it was formed with 16 bits. Where terms cancel, or a sum is taken from a
/// number like it, the error is that of the terms, of which the neighbours tell the magnitude.
inline Tolerance sumTolerance(uint32_t ulps) {
  return {.ulps = ulps, .ofShort = std::min(ulps, usualUlps), .isAmongNeighbours = true};
}

/// Returns the tolerance for another compiler's rounding, which adds up in loops like that of sums
/// in another order.
inline Tolerance vendorTolerance(uint32_t ulps) {
  Tolerance tolerance = sumTolerance(ulps);
  tolerance.measuresCopies = true;
  return tolerance;
}

/// Returns the number of steps between adjacent numbers of the type from one to the other:
/// 0 for zeros of either sign, and for two NaNs, whose bits no rule of arithmetic
/// determines. Returns nothing if one is infinite or a NaN and the other is not the same.
[[nodiscard]] std::optional<uint64_t> ulpsBetween(StoredTypes type, const std::byte *a,
                                                  const std::byte *b);

/// The result of a comparison of words.
struct Apartness {
  uint64_t largestUlps = 0; ///< over the pairs within the limit
  /// The offset of the first word beyond the limit, and its distance if that is
  /// defined.
  std::optional<size_t> beyond;
  std::optional<uint64_t> ulpsBeyond;
};

/// Compares adjacent numbers with the expected ones, up to the first beyond the tolerance. Bytes
/// that are not a whole number must be equal, and so must all bytes if the tolerance measures no
/// numbers in words of these types.
[[nodiscard]] Apartness compareNumbers(StoredTypes types, const Tolerance &tolerance,
                                       std::span<const std::byte> found,
                                       std::span<const std::byte> expected);

} // namespace regrain
