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

/// Measures distances in units in the last place of the largest finite number among neighbours.
class NeighboursMeasure {
public:
  NeighboursMeasure(const Format &format, std::span<const std::byte> expected)
      : format(format), expected(expected) {}

  /// Returns the distance of the number at `found` from that at `expected[at]`. Two different
  /// subnormal numbers are far apart: they may be integers.
  uint64_t ulps(const std::byte *found, size_t at) {
    if (isSubnormal(format, found) && isSubnormal(format, &expected[at]))
      return far;
    double unit = unitAt(at);
    double ulps = std::abs(valueOf(format, found) - valueOf(format, &expected[at])) / unit;
    return unit && ulps < 1e18 ? uint64_t(std::ceil(ulps)) : far;
  }

private:
  static constexpr uint64_t far = std::numeric_limits<uint64_t>::max();

  /// Returns the unit for the number at `at`; 0 if all of its neighbours are 0.
  double unitAt(size_t at) {
    size_t bytes = format.bits / 8, groupBytes = neighbours * bytes, begin = at - at % groupBytes;
    if (group == begin)
      return unit;
    group = begin;
    double largest = 0;
    for (size_t i = begin; i < begin + groupBytes && i + bytes <= expected.size(); i += bytes)
      if (double value = std::abs(valueOf(format, &expected[i])); std::isfinite(value))
        largest = std::max(largest, value);
    unit = largest ? std::ldexp(1.0, std::ilogb(largest) - int(format.fractionBits)) : 0;
    return unit;
  }

  Format format;
  std::span<const std::byte> expected;
  std::optional<size_t> group; ///< where the group begins that `unit` belongs to
  double unit = 0;
};

/// Returns the largest distance between words of two blocks, if all words are numbers within
/// `limit`. The loop has no branches, so that it is vectorised.
template <typename Bits>
std::optional<uint64_t> largestIfClose(const Format &format, const std::byte *found,
                                       const std::byte *expected, size_t words, uint64_t limit) {
  const Bits sign = Bits(format.signBit()), infinity = Bits(format.infinity());
  Bits largest = 0;
  bool isAnyOdd = false;
  for (size_t i = 0; i < words; ++i) {
    Bits a, b;
    std::memcpy(&a, found + i * sizeof(Bits), sizeof(Bits));
    std::memcpy(&b, expected + i * sizeof(Bits), sizeof(Bits));
    Bits left = a & Bits(~sign), right = b & Bits(~sign);
    Bits sum = Bits(left + right), apart = Bits(left > right ? left - right : right - left);
    Bits distance = ((a ^ b) & sign) ? sum : apart;
    isAnyOdd |= (a != b) & ((left >= infinity) | (right >= infinity));
    largest = std::max(largest, a == b ? Bits(0) : distance);
  }
  return isAnyOdd || largest > limit ? std::nullopt : std::optional<uint64_t>(largest);
}

/// Does the same for numbers of any format.
std::optional<uint64_t> largestIfClose(const Format &format, const std::byte *found,
                                       const std::byte *expected, size_t words, uint64_t limit) {
  switch (format.bits) {
  case 16:
    return largestIfClose<uint16_t>(format, found, expected, words, limit);
  case 32:
    return largestIfClose<uint32_t>(format, found, expected, words, limit);
  default:
    return largestIfClose<uint64_t>(format, found, expected, words, limit);
  }
}

/// Compares word by word; `begin` is the offset of the first.
void compareWords(StoredTypes types, const Tolerance &tolerance, std::span<const std::byte> found,
                  std::span<const std::byte> expected, size_t begin, size_t end,
                  Apartness &result) {
  size_t step = std::max<size_t>(bytesOfNumber(types), 1);
  std::optional<Format> format = formatOf(types);
  NeighboursMeasure measure(format.value_or(Format{8, 0}), expected);
  for (size_t at = begin; at < end; at += step) {
    size_t bytes = std::min(step, found.size() - at);
    if (std::memcmp(&found[at], &expected[at], bytes) == 0)
      continue;
    std::optional<uint64_t> ulps;
    if (bytes == step)
      ulps = ulpsBetween(types, &found[at], &expected[at]);
    if (ulps && *ulps > tolerance.of(types) && tolerance.isAmongNeighbours)
      ulps = std::min(*ulps, measure.ulps(&found[at], at));
    if (!ulps || *ulps > tolerance.of(types)) {
      result.beyond = at;
      result.ulpsBeyond = ulps;
      return;
    }
    result.largestUlps = std::max(result.largestUlps, *ulps);
  }
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
  constexpr size_t block = 1024; // bytes: a multiple of the neighbours of each format
  Apartness result;
  types = tolerance.measured(types);
  std::optional<Format> format = formatOf(types);
  for (size_t at = 0; at < found.size() && !result.beyond; at += block) {
    size_t end = std::min(at + block, found.size());
    std::optional<uint64_t> largest;
    if (format && (end - at) % (format->bits / 8) == 0)
      largest = largestIfClose(*format, &found[at], &expected[at], (end - at) / (format->bits / 8),
                               tolerance.of(types));
    if (largest)
      result.largestUlps = std::max(result.largestUlps, *largest);
    else
      compareWords(types, tolerance, found, expected, at, end, result);
  }
  return result;
}

} // namespace regrain
