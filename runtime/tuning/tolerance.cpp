//===- tolerance.cpp - Tolerated distance of two results ------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/tuning/tolerance.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

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

/// Returns the number that `at` holds. All formats fit into a double.
double valueOf(const Format &format, const std::byte *at) {
  uint64_t bits = 0;
  std::memcpy(&bits, at, format.bits / 8);
  if (format.bits == 64)
    return std::bit_cast<double>(bits);
  uint64_t magnitude = bits & ~format.signBit();
  int bias = (1 << (format.bits - format.fractionBits - 2)) - 1;
  int exponent = int(magnitude >> format.fractionBits);
  double fraction = double(magnitude & ((uint64_t(1) << format.fractionBits) - 1));
  fraction += exponent ? double(uint64_t(1) << format.fractionBits) : 0;
  double value =
      magnitude >= format.infinity()
          ? std::numeric_limits<double>::infinity()
          : std::ldexp(fraction, std::max(exponent, 1) - bias - int(format.fractionBits));
  return bits & format.signBit() ? -value : value;
}

bool isSubnormal(const Format &format, const std::byte *at) {
  uint64_t bits = 0;
  std::memcpy(&bits, at, format.bits / 8);
  bits &= ~format.signBit();
  return bits != 0 && bits < uint64_t(1) << format.fractionBits;
}

/// Returns the distance of the number at `found` from that at `expected[at]` in units in the last
/// place of the largest finite number among its neighbours. Two different subnormal numbers are far
/// apart: they may be integers.
uint64_t ulpsAmong(StoredTypes type, const std::byte *found, std::span<const std::byte> expected,
                   size_t at) {
  constexpr uint64_t far = std::numeric_limits<uint64_t>::max();
  Format format = *formatOf(type);
  if (isSubnormal(format, found) && isSubnormal(format, &expected[at]))
    return far;
  size_t bytes = format.bits / 8, group = neighbours * bytes;
  double largest = 0;
  for (size_t i = at / group * group; i < (at / group + 1) * group && i + bytes <= expected.size();
       i += bytes)
    if (double value = std::abs(valueOf(format, &expected[i])); std::isfinite(value))
      largest = std::max(largest, value);
  if (largest == 0)
    return far;
  double unit = std::ldexp(1.0, std::ilogb(largest) - int(format.fractionBits));
  double ulps = std::abs(valueOf(format, found) - valueOf(format, &expected[at])) / unit;
  return ulps < 1e18 ? uint64_t(std::ceil(ulps)) : far;
}

} // namespace

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

Apartness compareNumbers(StoredTypes types, const Tolerance &tolerance,
                         std::span<const std::byte> found, std::span<const std::byte> expected) {
  Apartness result;
  types = tolerance.measured(types);
  size_t step = std::max<size_t>(bytesOfNumber(types), 1);
  for (size_t at = 0; at < found.size(); at += step) {
    size_t bytes = std::min(step, found.size() - at);
    if (std::memcmp(&found[at], &expected[at], bytes) == 0)
      continue;
    std::optional<uint64_t> ulps;
    if (bytes == step)
      ulps = ulpsBetween(types, &found[at], &expected[at]);
    if (ulps && *ulps > tolerance.of(types) && tolerance.isAmongNeighbours)
      ulps = std::min(*ulps, ulpsAmong(types, &found[at], expected, at));
    if (!ulps || *ulps > tolerance.of(types)) {
      result.beyond = at;
      result.ulpsBeyond = ulps;
      return result;
    }
    result.largestUlps = std::max(result.largestUlps, *ulps);
  }
  return result;
}

} // namespace regrain
