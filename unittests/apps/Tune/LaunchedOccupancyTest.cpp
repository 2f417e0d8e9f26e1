//===- LaunchedOccupancyTest.cpp - Occupancy of launched blocks -----------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "apps/Tune/LaunchedOccupancy.h"

#include <gtest/gtest.h>

namespace regrain::tune {
namespace {

/// Returns "PERCENT@THREADS" of code with 32 registers, for which the compiler assumed 256 threads.
std::string occupancyOf(const std::string &chip, const std::string &grain, const std::string &block,
                        unsigned dynamicShared = 0) {
  OrError<GrainSpec> spec = parseGrainSpec(grain);
  EXPECT_TRUE(spec) << grain;
  std::string launchClass = "block=" + block + ",shared=" + std::to_string(dynamicShared) +
                            ",align=16,waves=1,grid=*x1x1";
  Resources figures = ofLaunchedBlock(
      {.registers = 32, .staticSharedBytes = 0, .occupancyPercent = 75, .occupancyThreads = 256},
      {chip, spec ? spec->grain : Grain(), launchClass});
  EXPECT_EQ(figures.registers, 32);
  return std::to_string(figures.occupancyPercent) + "@" + std::to_string(figures.occupancyThreads);
}

TEST(LaunchedOccupancy, IsThatOfTheProgramsBlock) {
  EXPECT_EQ(occupancyOf("sm_90", "original", "256x1x1"), "100@256");
  EXPECT_EQ(occupancyOf("sm_90a", "original", "16x1x1"), "50@16") << "32 blocks of one warp";
  EXPECT_EQ(occupancyOf("sm_90", "original", "8x8x1"), "100@64");
}

TEST(LaunchedOccupancy, IsThatOfTheGrainsBlock) {
  EXPECT_EQ(occupancyOf("sm_90", "thread.x=8", "256x1x1"), "50@32");
  EXPECT_EQ(occupancyOf("sm_90", "fuse.x=16", "16x1x1"), "100@256");
  EXPECT_EQ(occupancyOf("sm_90", "block.x=64,steps=8", "16x1x1"), "50@16");
  EXPECT_EQ(occupancyOf("sm_90", "shape=64x1x1", "16x16x1"), "100@64");
}

TEST(LaunchedOccupancy, CountsDynamicSharedMemoryOfJoinedBlocks) {
  EXPECT_EQ(occupancyOf("sm_90", "original", "256x1x1", 50 << 10), "50@256") << "4 of 228 KiB";
  EXPECT_EQ(occupancyOf("sm_90", "block.x=2", "256x1x1", 50 << 10), "25@256");
}

TEST(LaunchedOccupancy, OfAnotherVendor_IsTheCompilersWhereItAssumedTheBlock) {
  EXPECT_EQ(occupancyOf("", "original", "256x1x1"), "75@256");
  EXPECT_EQ(occupancyOf("", "original", "64x1x1"), "-1@64");
  EXPECT_EQ(occupancyOf("", "original", "256x1x1", 1024), "-1@256");
}

TEST(LaunchedOccupancy, IsNotKnownOfVariantsAndOfBlocksThatDoNotDivide) {
  EXPECT_EQ(occupancyOf("sm_90", "variant=wide", "256x1x1"), "-1@-1");
  EXPECT_EQ(occupancyOf("sm_90", "thread.x=8", "100x1x1"), "-1@-1");
  EXPECT_EQ(occupancyOf("sm_35", "original", "256x1x1"), "-1@256") << "a chip without limits";
}

} // namespace
} // namespace regrain::tune
