//===- tolerance.h - How far two results may be apart -----------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/image/memory_use.h"

#include <optional>
#include <span>

namespace regrain {

/// Units in the last place between the original's result and the control's, at most, where
/// nothing else is said: what two or three products that are fused, or are not, come to.
inline constexpr uint32_t usualUlps = 4;

/// Bytes of a number where `types` is one floating-point type; 0 where it is not.
[[nodiscard]] size_t bytesOfNumber(StoredTypes types);

/// How many steps there are from one number of the type to the next between the two: 0 for
/// zeros of either sign, and for two NaNs, whose bits no rule of arithmetic fixes. Nothing
/// where one is infinite or no number and the other is not the same.
[[nodiscard]] std::optional<uint64_t> ulpsBetween(StoredTypes type, const std::byte *a,
                                                  const std::byte *b);

/// What a comparison of words has found.
struct Apartness {
  uint64_t largestUlps = 0; ///< of the pairs within the limit
  /// The first word beyond it, as an offset, and how far it is, where that can be said.
  std::optional<size_t> beyond;
  std::optional<uint64_t> ulpsBeyond;
};

/// Compares numbers that lie one after the other, up to the first beyond `limit`. Bytes that
/// are no whole number, and all where `types` is not one type, are to be equal.
[[nodiscard]] Apartness compareNumbers(StoredTypes types, uint64_t limit,
                                       std::span<const std::byte> a, std::span<const std::byte> b);

} // namespace regrain
