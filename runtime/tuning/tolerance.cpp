//===- tolerance.cpp - Tolerated distance of two results ------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/tuning/tolerance.h"

#include <algorithm>
#include <cstring>

namespace regrain {
namespace {

/// An IEEE format: sign, exponent, fraction.
struct Format {
  unsigned bits, fractionBits;
  uint64_t signBit() const { return uint64_t(1) << (bits - 1); }
  /// Returns the bits of an infinity; larger magnitudes are NaNs.
  uint64_t infinity() const { return signBit() - (uint64_t(1) << fractionBits); }
};

std::optional<Format> formatOf(StoredTypes types) {
  switch (types) {
  case StoredTypes::Half:
    return Format{16, 10};
  case StoredTypes::BFloat:
    return Format{16, 7};
  case StoredTypes::Single:
    return Format{32, 23};
  case StoredTypes::Double:
    return Format{64, 52};
  default:
    return std::nullopt;
  }
}

} // namespace

size_t bytesOfNumber(StoredTypes types) {
  std::optional<Format> format = formatOf(types);
  return format ? format->bits / 8 : 0;
}

uint32_t Tolerance::of(StoredTypes types) const {
  return bytesOfNumber(types) == sizeof(uint16_t) ? ofShort : ulps;
}

std::optional<uint64_t> ulpsBetween(StoredTypes type, const std::byte *a, const std::byte *b) {
  std::optional<Format> format = formatOf(type);
  if (!format)
    return std::nullopt;
  uint64_t left = 0, right = 0;
  std::memcpy(&left, a, format->bits / 8);
  std::memcpy(&right, b, format->bits / 8);
  uint64_t sign = format->signBit(), infinity = format->infinity();
  uint64_t leftMagnitude = left & ~sign, rightMagnitude = right & ~sign;
  if (leftMagnitude > infinity && rightMagnitude > infinity)
    return 0;
  if (leftMagnitude >= infinity || rightMagnitude >= infinity)
    return left == right ? std::optional<uint64_t>(0) : std::nullopt;
  bool isSameSign = (left & sign) == (right & sign);
  return !isSameSign
             ? leftMagnitude + rightMagnitude
             : std::max(leftMagnitude, rightMagnitude) - std::min(leftMagnitude, rightMagnitude);
}

Apartness compareNumbers(StoredTypes types, uint64_t limit, std::span<const std::byte> a,
                         std::span<const std::byte> b) {
  Apartness found;
  size_t step = std::max<size_t>(bytesOfNumber(types), 1);
  for (size_t at = 0; at < a.size(); at += step) {
    size_t bytes = std::min(step, a.size() - at);
    if (std::memcmp(&a[at], &b[at], bytes) == 0)
      continue;
    std::optional<uint64_t> ulps;
    if (bytes == step)
      ulps = ulpsBetween(types, &a[at], &b[at]);
    if (!ulps || *ulps > limit) {
      found.beyond = at;
      found.ulpsBeyond = ulps;
      return found;
    }
    found.largestUlps = std::max(found.largestUlps, *ulps);
  }
  return found;
}

} // namespace regrain
