//===- LaunchClassTest.cpp - Tests of launch classes ----------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/core/launch_class.h"

#include <gtest/gtest.h>
#include <limits>

using namespace regrain;

namespace {

int32_t logWaves(Extent grid, uint64_t resident) {
  return classify({grid, {32, 1, 1}, 0}, resident, 16).logWaves;
}

LaunchClass ofGrid(Extent grid) { return classify({grid, {32, 1, 1}, 0}, 100, 16); }

TEST(LaunchClass, GridGrows_WavesArePowersOfTwo) {
  EXPECT_EQ(logWaves({100, 1, 1}, 100), 0);
  EXPECT_EQ(logWaves({101, 1, 1}, 100), 1);
  EXPECT_EQ(logWaves({200, 1, 1}, 100), 1);
  EXPECT_EQ(logWaves({201, 1, 1}, 100), 2);
  EXPECT_EQ(logWaves({50, 1, 1}, 100), -1);
  EXPECT_EQ(logWaves({51, 1, 1}, 100), 0);
  EXPECT_EQ(logWaves({10, 10, 2}, 100), 1);
}

/// That is the least one whose power of two has room for the grid.
TEST(LaunchClass, WavesAreTheFewestThatHoldTheGrid) {
  for (uint64_t resident : {1, 3, 7, 64, 100, 1056})
    for (uint32_t blocks = 1; blocks < 300; ++blocks) {
      int32_t log = logWaves({blocks, 1, 1}, resident);
      auto holds = [&](int32_t log) {
        return log < 0 ? blocks <= resident >> -log : blocks <= resident << log;
      };
      EXPECT_TRUE(holds(log)) << blocks << " of " << resident;
      EXPECT_TRUE(log == LaunchClass::leastLogWaves || !holds(log - 1))
          << blocks << " of " << resident;
    }
}

TEST(LaunchClass, GridBeyondEnds_IsOfTheLastClass) {
  EXPECT_EQ(logWaves({1, 1, 1}, 100000), LaunchClass::leastLogWaves);
  EXPECT_EQ(logWaves({0x7fffffff, 65535, 65535}, 1), LaunchClass::mostLogWaves);
  EXPECT_EQ(logWaves({1, 1, 1}, 0), 0);
}

TEST(LaunchClass, AsManyBlocksInAnotherShape_AreAnotherClass) {
  EXPECT_NE(ofGrid({1024, 1, 1}), ofGrid({1, 1024, 1}));
  EXPECT_NE(ofGrid({1024, 1, 1}), ofGrid({32, 32, 1}));
  EXPECT_NE(ofGrid({32, 32, 1}), ofGrid({32, 1, 32}));
  EXPECT_EQ(ofGrid({32, 32, 1}), ofGrid({31, 33, 1})) << "nearly the same shape";
  EXPECT_EQ(ofGrid({1024, 1, 1}), ofGrid({1000, 1, 1}));
}

TEST(Magnitude, PowersOfFourFromFourOn) {
  for (auto [value, expected] : {std::pair<int64_t, int>(0, 0),
                                 {1, 1},
                                 {2, 2},
                                 {3, 2},
                                 {4, 3},
                                 {15, 3},
                                 {16, 4},
                                 {63, 4},
                                 {64, 5},
                                 {-1, -1},
                                 {-3, -2},
                                 {-4, -3},
                                 {-16, -4},
                                 {INT64_MAX, 33},
                                 {INT64_MIN, -33}})
    EXPECT_EQ(magnitudeOf(value), expected) << value;
}

TEST(Magnitude, LeastIsOfItAndNothingNearerToZeroIs) {
  for (int magnitude = -33; magnitude <= 33; ++magnitude) {
    int64_t least = leastOf(Magnitude(magnitude));
    EXPECT_EQ(magnitudeOf(least), magnitude);
    if (least != 0) {
      EXPECT_NE(magnitudeOf(least > 0 ? least - 1 : least + 1), magnitude) << least;
    }
  }
}

TEST(Magnitudes, ReadIntegersOfAllSizesWhereTheyLie) {
  struct {
    int16_t narrow = -20;
    uint8_t flag = 1;
    uint64_t wide = uint64_t(1) << 40;
  } structure;
  int32_t number = 1000;
  void *arguments[] = {&number, &structure};
  auto offsetOf = [&](const void *member) {
    return uint32_t(static_cast<const char *>(member) - reinterpret_cast<const char *>(&structure));
  };
  std::vector<image::IntegerArgument> integers = {{0, 0, 4},
                                                  {1, offsetOf(&structure.narrow), 2},
                                                  {1, offsetOf(&structure.flag), 1},
                                                  {1, offsetOf(&structure.wide), 8}};
  Magnitudes read = readMagnitudes(integers, arguments);
  ASSERT_EQ(read.count, 4);
  EXPECT_EQ(leastOf(read.of[0]), 256);
  EXPECT_EQ(leastOf(read.of[1]), -16);
  EXPECT_EQ(leastOf(read.of[2]), 1);
  EXPECT_EQ(leastOf(read.of[3]), int64_t(1) << 40);
}

TEST(Magnitudes, MoreThanThereIsRoomFor_AreTheFirst) {
  int32_t number = 5;
  void *arguments[] = {&number};
  std::vector<image::IntegerArgument> integers(mostIntegers + 1, image::IntegerArgument(0, 0, 4));
  EXPECT_EQ(readMagnitudes(integers, arguments).count, mostIntegers);
}

TEST(LaunchClass, Text_ReadsBack) {
  for (int32_t log = LaunchClass::leastLogWaves; log <= LaunchClass::mostLogWaves; ++log) {
    LaunchClass launchClass = {{16, 8, 4}, 49152, 4, log, 5, 2, {3, {7, -2, 0}}};
    EXPECT_EQ(parseLaunchClass(toString(launchClass)), launchClass) << toString(launchClass);
  }
  LaunchClass full = {{1, 1, 1}, 0, 1, 0};
  full.integers.count = mostIntegers;
  full.integers.of.fill(-33);
  EXPECT_EQ(parseLaunchClass(toString(full)), full);
  full.cluster = {2, 1, 4};
  EXPECT_EQ(parseLaunchClass(toString(full)), full);
  EXPECT_EQ(toString(LaunchClass{{256, 1, 1}, 0, 16, 2}),
            "block=256x1x1,shared=0,align=16,waves=4,grid=*x1x1");
  EXPECT_EQ(toString(LaunchClass{{16, 16, 1}, 8, 8, -3, 3, 2, {2, {5, -1}}}),
            "block=16x16x1,shared=8,align=8,waves=1/8,grid=*x4x2,integers=64:-1");
  LaunchClass clustered = classify({{16, 1, 1}, {64, 1, 1}, 0, {8, 2, 1}}, 16, 16);
  EXPECT_EQ(toString(clustered), "block=64x1x1,shared=0,align=16,waves=1,grid=*x1x1,cluster=8x2x1");
  EXPECT_NE(clustered, classify({{16, 1, 1}, {64, 1, 1}, 0}, 16, 16));
}

TEST(LaunchClass, TextIsOfAnotherForm_GivesNothing) {
  std::string tooMany = "block=256x1x1,shared=0,align=16,waves=4,grid=*x1x1,integers=0";
  for (size_t i = 0; i < mostIntegers; ++i)
    tooMany += ":0";
  for (std::string_view text :
       {std::string_view(""), std::string_view("block=256x1x1,shared=0,align=16,waves=4"),
        std::string_view("block=256x1,shared=0,align=16,waves=4,grid=*x1x1"),
        std::string_view("block=256x1x1,shared=0,align=16,waves=3,grid=*x1x1"),
        std::string_view("block=256x1x1,shared=0,align=16,waves=0,grid=*x1x1"),
        std::string_view("block=256x1x1,shared=0,align=16,waves=4,grid=*x1x1 "),
        std::string_view("block=256x1x1,shared=0,align=16,waves=2048,grid=*x1x1"),
        std::string_view("block=256x1x1,shared=0,align=16,waves=1/128,grid=*x1x1"),
        std::string_view("block=256x1x1,shared=0,align=16,waves=4,grid=*x3x1"),
        std::string_view("block=256x1x1,shared=0,align=16,waves=4,grid=*x1x1,integers="),
        std::string_view("block=256x1x1,shared=0,align=16,waves=4,grid=*x1x1,cluster=1x1x1"),
        std::string_view("block=256x1x1,shared=0,align=16,waves=4,grid=*x1x1,cluster=2x1"),
        std::string_view(
            "block=256x1x1,shared=0,align=16,waves=4,grid=*x1x1,cluster=2x1x1,integers=4"),
        std::string_view("block=256x1x1,shared=0,align=16,waves=4,grid=*x1x1,integers=5"),
        std::string_view("block=256x1x1,shared=0,align=16,waves=4,grid=*x1x1,integers=4:"),
        std::string_view(tooMany)})
    EXPECT_FALSE(parseLaunchClass(text)) << text;
}

} // namespace
