//===- ToleranceTest.cpp - Tolerated distance of two results --------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/tuning/tolerance.h"

#include "Draw.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <vector>

using namespace regrain;

namespace {

template <typename Number> std::optional<uint64_t> between(StoredTypes type, Number a, Number b) {
  return ulpsBetween(type, reinterpret_cast<const std::byte *>(&a),
                     reinterpret_cast<const std::byte *>(&b));
}

std::optional<uint64_t> between(float a, float b) { return between(StoredTypes::Single, a, b); }
std::optional<uint64_t> between(double a, double b) { return between(StoredTypes::Double, a, b); }

constexpr float infinity = std::numeric_limits<float>::infinity();

TEST(ToleranceTest, Neighbours_AreOneApart) {
  EXPECT_EQ(between(1.0f, 1.0f), 0u);
  EXPECT_EQ(between(1.0f, std::nextafter(1.0f, 2.0f)), 1u);
  EXPECT_EQ(between(std::nextafter(1.0f, 0.0f), 1.0f), 1u);
  EXPECT_EQ(between(-1.0, std::nextafter(-1.0, 0.0)), 1u);
  EXPECT_EQ(between(1.0, 2.0), uint64_t(1) << 52);
  EXPECT_EQ(between(StoredTypes::Half, uint16_t(0x3c00), uint16_t(0x3bff)), 1u);
  EXPECT_EQ(between(StoredTypes::BFloat, uint16_t(0x3f80), uint16_t(0x3f84)), 4u);
}

TEST(ToleranceTest, AcrossZero_StepsOfBothSidesCount) {
  float least = std::numeric_limits<float>::denorm_min();
  EXPECT_EQ(between(0.0f, -0.0f), 0u);
  EXPECT_EQ(between(least, -least), 2u);
  EXPECT_EQ(between(-0.0f, least), 1u);
}

TEST(ToleranceTest, OfWhatIsNoNumber_OnlyItselfIsNear) {
  float nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(between(nan, -nan), 0u);
  EXPECT_EQ(between(infinity, infinity), 0u);
  EXPECT_EQ(between(infinity, -infinity), std::nullopt);
  EXPECT_EQ(between(infinity, std::numeric_limits<float>::max()), std::nullopt);
  EXPECT_EQ(between(nan, 1.0f), std::nullopt);
  EXPECT_EQ(between(nan, infinity), std::nullopt);
}

TEST(ToleranceTest, NotOneType_HasNoDistance) {
  EXPECT_EQ(bytesOfNumber(StoredTypes::Single), 4u);
  EXPECT_EQ(bytesOfNumber(StoredTypes::Single | StoredTypes::Other), 0u);
  EXPECT_EQ(bytesOfNumber(StoredTypes::Single | StoredTypes::Double), 0u);
  EXPECT_EQ(bytesOfNumber(StoredTypes::None), 0u);
  EXPECT_EQ(between(StoredTypes::Other, 1.0f, 1.0f), std::nullopt);
}

Apartness compare(StoredTypes types, uint64_t limit, const std::vector<float> &a,
                  const std::vector<float> &b, size_t bytes) {
  auto of = [&](const std::vector<float> &numbers) {
    return std::span(reinterpret_cast<const std::byte *>(numbers.data()), bytes);
  };
  return compareNumbers(types, uniformTolerance(uint32_t(limit)), of(a), of(b));
}

TEST(ToleranceTest, Numbers_UpToTheLimitAreNear) {
  float next = std::nextafter(2.0f, 3.0f), second = std::nextafter(next, 3.0f);
  Apartness near = compare(StoredTypes::Single, 2, {1, 2, 2}, {1, second, next}, 12);
  EXPECT_EQ(near.largestUlps, 2u);
  EXPECT_EQ(near.beyond, std::nullopt);
  Apartness far = compare(StoredTypes::Single, 1, {1, 2, 2}, {1, next, second}, 12);
  EXPECT_EQ(far.largestUlps, 1u);
  EXPECT_EQ(far.beyond, 8u);
  EXPECT_EQ(far.ulpsBeyond, 2u);
}

TEST(ToleranceTest, Sums_MayDifferLessInShortNumbers) {
  for (StoredTypes type : {StoredTypes::Half, StoredTypes::BFloat}) {
    EXPECT_EQ(sumTolerance(64).of(type), usualUlps);
    EXPECT_EQ(sumTolerance(3).of(type), 3u);
    EXPECT_EQ(uniformTolerance(64).of(type), 64u);
  }
  for (StoredTypes type : {StoredTypes::Single, StoredTypes::Double})
    EXPECT_EQ(sumTolerance(64).of(type), 64u);
}

/// Compares 64 numbers, of which the one at 3 differs.
std::optional<uint64_t> amongNeighbours(float found, float expected, float others,
                                        StoredTypes types = StoredTypes::Single,
                                        const Tolerance &tolerance = vendorTolerance(64)) {
  std::vector<float> numbers(64, others), changed(64, others);
  numbers[3] = expected;
  changed[3] = found;
  auto of = [](const std::vector<float> &each) { return std::as_bytes(std::span(each)); };
  Apartness apart = compareNumbers(types, tolerance, of(changed), of(numbers));
  return apart.beyond ? std::nullopt : std::optional(apart.largestUlps);
}

TEST(ToleranceTest, AmongNeighbours_DifferencesOfLargeNumbersAreNear) {
  constexpr float unit = 1.0f / (1 << 23);
  EXPECT_EQ(amongNeighbours(3 * unit, -2 * unit, 1), 5u);
  EXPECT_EQ(amongNeighbours(64 * unit, 0, 1), 64u);
  EXPECT_EQ(amongNeighbours(65 * unit, 0, 1), std::nullopt);
  EXPECT_EQ(amongNeighbours(64 * unit, 0, 0.5f), std::nullopt);
  // The number itself is the largest.
  EXPECT_EQ(amongNeighbours(8 + 64 * 8 * unit, 8, 1), 64u);
  EXPECT_EQ(amongNeighbours(8 + 65 * 8 * unit, 8, 1), std::nullopt);
}

TEST(ToleranceTest, AmongNeighbours_OnlyThoseOfTheGroupCount) {
  std::vector<float> numbers(64, 0.0f), changed(64, 0.0f);
  numbers[32] = changed[32] = 1;
  changed[31] = 1e-7f;
  auto of = [](const std::vector<float> &each) { return std::as_bytes(std::span(each)); };
  EXPECT_EQ(
      compareNumbers(StoredTypes::Single, vendorTolerance(64), of(changed), of(numbers)).beyond,
      31 * sizeof(float));
  changed[31] = 0;
  changed[33] = 1e-7f;
  EXPECT_EQ(
      compareNumbers(StoredTypes::Single, vendorTolerance(64), of(changed), of(numbers)).beyond,
      std::nullopt);
}

TEST(ToleranceTest, AmongNeighbours_IntegersAndInfinitiesAreFar) {
  float one = std::bit_cast<float>(1), two = std::bit_cast<float>(2);
  EXPECT_EQ(amongNeighbours(two, one, 1e-30f), 1u) << "within the ulps of the number itself";
  EXPECT_EQ(amongNeighbours(std::bit_cast<float>(100), one, 1), std::nullopt);
  float infinity = std::numeric_limits<float>::infinity();
  EXPECT_EQ(amongNeighbours(infinity, 1, 1), std::nullopt);
  EXPECT_EQ(amongNeighbours(1, infinity, 1), std::nullopt);
  EXPECT_EQ(amongNeighbours(2e-7f, 1e-7f, infinity), std::nullopt);
}

TEST(ToleranceTest, AmongNeighbours_CopiesAreNumbers) {
  StoredTypes copies = StoredTypes::Single | StoredTypes::Copied;
  EXPECT_EQ(amongNeighbours(1e-7f, 0, 1, copies), 1u);
  EXPECT_EQ(amongNeighbours(1e-7f, 0, 1, copies | StoredTypes::Other), std::nullopt);
  EXPECT_EQ(compare(copies, 64, {1}, {std::nextafter(1.0f, 2.0f)}, 4).beyond, 0u);
}

TEST(ToleranceTest, Sums_AreMeasuredAmongNeighboursButCopiesAreNot) {
  constexpr float unit = 1.0f / (1 << 23);
  Tolerance sums = sumTolerance(64);
  EXPECT_EQ(amongNeighbours(3 * unit, -2 * unit, 1, StoredTypes::Single, sums), 5u);
  EXPECT_EQ(amongNeighbours(65 * unit, 0, 1, StoredTypes::Single, sums), std::nullopt);
  StoredTypes copies = StoredTypes::Single | StoredTypes::Copied;
  EXPECT_EQ(amongNeighbours(unit, 0, 1, copies, sums), std::nullopt);
}

TEST(ToleranceTest, AmongNeighbours_ShortNumbersHaveTheirOwnUnits) {
  // 1 and 0.5 + 2^-10 of bfloat16 and half, as bits.
  for (auto [type, one, small] : {std::tuple(StoredTypes::Half, 0x3c00, 0x1000),
                                  std::tuple(StoredTypes::BFloat, 0x3f80, 0x3c00)}) {
    std::vector<uint16_t> numbers(32, uint16_t(one)), changed = numbers;
    numbers[0] = 0;
    changed[0] = uint16_t(small);
    auto of = [](const std::vector<uint16_t> &each) { return std::as_bytes(std::span(each)); };
    EXPECT_EQ(compareNumbers(type, vendorTolerance(64), of(changed), of(numbers)).largestUlps, 1u);
  }
}

TEST(ToleranceTest, AnythingElse_IsEqualOrBeyond) {
  float next = std::nextafter(2.0f, 3.0f);
  EXPECT_EQ(compare(StoredTypes::Single, 0, {1, 2}, {1, 2}, 8).beyond, std::nullopt);
  EXPECT_EQ(compare(StoredTypes::Other, 9, {1, 2}, {1, next}, 8).beyond, 4u);
  EXPECT_EQ(compare(StoredTypes::None, 9, {1, 2}, {1, next}, 8).beyond, 4u);
  // The last number is truncated: its bytes are not a number.
  EXPECT_EQ(compare(StoredTypes::Single, 9, {1, 2}, {1, next}, 6).beyond, 4u);
  EXPECT_EQ(compare(StoredTypes::Single, 9, {1, 2}, {1, 2}, 6).beyond, std::nullopt);
}

/// Draws numbers of any kind, and for each one that is a few steps away, seldom many.
template <typename Bits> void compareDrawn(StoredTypes type, uint64_t seed) {
  constexpr size_t count = 3000;
  constexpr uint32_t limit = 4;
  Draw draw(seed);
  std::vector<Bits> numbers(count), changed(count);
  for (size_t i = 0; i < count; ++i) {
    numbers[i] = Bits(draw.uniform() * std::pow(2.0, 8 * sizeof(Bits)));
    changed[i] = Bits(numbers[i] + uint64_t(draw.uniform() * 1.001 * (limit + 1)));
  }
  Apartness found = compareNumbers(type, uniformTolerance(limit), std::as_bytes(std::span(changed)),
                                   std::as_bytes(std::span(numbers)));
  uint64_t largest = 0;
  for (size_t i = 0; i < count; ++i) {
    std::optional<uint64_t> ulps = between(type, changed[i], numbers[i]);
    if (changed[i] == numbers[i])
      ulps = 0;
    if (!ulps || *ulps > limit) {
      EXPECT_EQ(found.beyond, i * sizeof(Bits));
      EXPECT_EQ(found.ulpsBeyond, ulps);
      EXPECT_EQ(found.largestUlps, largest);
      return;
    }
    largest = std::max(largest, *ulps);
  }
  EXPECT_EQ(found.beyond, std::nullopt);
  EXPECT_EQ(found.largestUlps, largest);
}

TEST(ToleranceTest, Blocks_AreComparedAsTheirNumbersAre) {
  for (uint64_t seed = 0; seed < 40; ++seed) {
    compareDrawn<uint16_t>(StoredTypes::Half, seed);
    compareDrawn<uint16_t>(StoredTypes::BFloat, seed);
    compareDrawn<uint32_t>(StoredTypes::Single, seed);
    compareDrawn<uint64_t>(StoredTypes::Double, seed);
  }
}

} // namespace
