//===- TrafficTests.cpp - Memory traffic of a stencil ---------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "bench/amd/footprint/Traffic.h"

#include "gtest/gtest.h"

using namespace regrain::footprint;

namespace {

const PointAccess centre = {Touch::Load, {0, 0, 0}}, below = {Touch::Load, {0, 0, -1}},
                  above = {Touch::Load, {0, 0, 1}}, before = {Touch::Load, {0, -1, 0}},
                  left = {Touch::Load, {-1, 0, 0}}, right = {Touch::Load, {1, 0, 0}},
                  behind = {Touch::Load, {0, 1, 0}}, store = {Touch::Store, {0, 0, 0}},
                  storePast = {Touch::StorePast, {0, 0, 0}};

constexpr uint64_t pointsInX = 512, pointsInY = 512, lineBytes = 128;

Sweep sweepOf(uint32_t slices, uint32_t resident) {
  return {.points = {pointsInX, pointsInY, slices}, .residentBlocks = resident};
}

/// Returns the bytes of that many slices.
uint64_t slicesOf(uint64_t count) { return count * pointsInX * pointsInY * sizeof(double); }
constexpr uint64_t rowBytes = pointsInX * sizeof(double);

TEST(Traffic, ALargeCacheFetchesEachLineOnce) {
  constexpr CacheShape large = {.bytes = 256 << 20};
  std::vector<PointAccess> accesses = {centre, before, behind, below, above, store};
  Traffic traffic = simulate(accesses, sweepOf(8, 880), large);
  // The edges count, too: a thread reads all of its rows, and lines are read
  // whole.
  EXPECT_EQ(traffic.fetchedBytes, slicesOf(8));
  EXPECT_EQ(traffic.writtenBytes, slicesOf(6) - 6 * 2 * rowBytes);
}

TEST(Traffic, NoCacheFetchesWithEachAccess) {
  constexpr CacheShape none = {.bytes = 16 * lineBytes};
  std::vector<PointAccess> accesses = {below, centre, above};
  // Without skew, and in the order of blocks, the lines of a row are in each
  // set, twice.
  Traffic traffic = simulate(accesses, sweepOf(5, 1), none);
  EXPECT_EQ(traffic.fetchedBytes, 3 * (slicesOf(3)));
}

TEST(Traffic, ThreeSlicesOfReadsFitAndAFourthOfStoresDoesNot) {
  // A slice takes 2 MiB: four of them fill the 8 MiB to the last line.
  std::vector<PointAccess> centreFirst = {centre, left, right, before, behind, below, above, store};
  std::vector<PointAccess> ascending = {below, before, left, centre, right, behind, above, store};
  std::vector<PointAccess> past = centreFirst;
  past.back() = storePast;
  const uint64_t least = slicesOf(24);
  EXPECT_GT(simulate(centreFirst, sweepOf(24, 880), {}).fetchedBytes, least * 17 / 10);
  EXPECT_LT(simulate(ascending, sweepOf(24, 880), {}).fetchedBytes, least * 11 / 10);
  EXPECT_LT(simulate(past, sweepOf(24, 880), {}).fetchedBytes, least * 11 / 10);
}

TEST(Traffic, ALargerSliceFetchesThreeTimes) {
  Sweep sweep = sweepOf(8, 110);
  sweep.points = {1024, 2048, 8};
  std::vector<PointAccess> ascending = {below, centre, above, store};
  // A slice takes 16 MiB: it has been evicted completely when the next slice
  // comes.
  uint64_t slice = uint64_t(1024) * 2048 * sizeof(double);
  EXPECT_EQ(simulate(ascending, sweep, {}).fetchedBytes, 3 * 6 * slice);
}

TEST(Traffic, RowsOfAThreadAreClippedAtTheGrid) {
  constexpr CacheShape large = {.bytes = 256 << 20};
  Sweep sweep = sweepOf(4, 100);
  sweep.rows = 4;
  std::vector<PointAccess> accesses;
  for (int row = -1; row <= 4; ++row)
    accesses.push_back({Touch::Load, {0, row, 0}});
  for (int row = 0; row < 4; ++row)
    accesses.push_back({Touch::Store, {0, row, 0}});
  Traffic traffic = simulate(accesses, sweep, large);
  EXPECT_EQ(traffic.fetchedBytes, slicesOf(2));
  EXPECT_EQ(traffic.writtenBytes, slicesOf(2) - 2 * 2 * rowBytes);
}

} // namespace
