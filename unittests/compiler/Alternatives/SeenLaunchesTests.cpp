//===- SeenLaunchesTests.cpp - Grains for recorded launches ---------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Alternatives/SeenLaunches.h"

#include <gtest/gtest.h>
#include <string>

using namespace regrain;

namespace {

Grain grainOf(const char *text) {
  OrError<GrainSpec> spec = parseGrainSpec(text);
  EXPECT_TRUE(spec) << text;
  return spec ? spec->grain : Grain();
}

std::vector<std::string> idsOf(const std::vector<Grain> &grains) {
  std::vector<std::string> ids;
  for (const Grain &grain : grains)
    ids.push_back(toString(grain));
  return ids;
}

std::vector<std::string> added(std::vector<const char *> seen, std::vector<const char *> space) {
  std::vector<KnownLaunch> launches;
  for (const char *text : seen)
    launches.push_back(grainOf(text).known);
  std::vector<Grain> grains;
  for (const char *text : space)
    grains.push_back(grainOf(text));
  return idsOf(addForSeen(launches, grains));
}

using Ids = std::vector<std::string>;

TEST(SeenLaunches, NothingKnown_ChangesNothing) {
  EXPECT_EQ(added({}, {"block.x=2", "thread.x=2"}), (Ids{"block.x=2", "thread.x=2"}));
  EXPECT_EQ(added({"original"}, {"block.x=2"}), (Ids{"block.x=2"}));
}

TEST(SeenLaunches, BlockFirst_ThenAllThatIsKnown) {
  EXPECT_EQ(added({"for.block=64,for.arg1=5"}, {"block.x=2"}),
            (Ids{"for.block=64x1x1", "for.block=64x1x1,for.arg1=5", "block.x=2,for.block=64x1x1",
                 "block.x=2,for.block=64x1x1,for.arg1=5", "block.x=2"}));
  EXPECT_EQ(added({"for.arg1=5"}, {}), (Ids{"for.arg1=5"}));
}

TEST(SeenLaunches, SameBlockTwice_IsOneForm) {
  EXPECT_EQ(added({"for.block=64,for.grid=3", "for.block=64,for.grid=4"}, {}),
            (Ids{"for.block=64x1x1", "for.block=64x1x1,for.grid=3x1x1",
                 "for.block=64x1x1,for.grid=4x1x1"}));
}

TEST(SeenLaunches, FactorsThatDoNotFit_AreLeftOut) {
  EXPECT_EQ(added({"for.block=30"}, {"thread.x=4", "fuse.x=64", "thread.x=2"}),
            (Ids{"for.block=30x1x1", "thread.x=4", "fuse.x=64", "thread.x=2,for.block=30x1x1",
                 "thread.x=2"}));
}

TEST(SeenLaunches, ABoundSaysNothingOfAKnownBlock) {
  EXPECT_EQ(added({"for.block=64,for.arg1=5"}, {"block.x=2,bound=256"}),
            (Ids{"for.block=64x1x1", "for.block=64x1x1,for.arg1=5", "block.x=2,bound=256"}));
  EXPECT_EQ(added({"for.arg1=5"}, {"bound=256"}),
            (Ids{"for.arg1=5", "bound=256,for.arg1=5", "bound=256"}));
}

TEST(SeenLaunches, WhatMustBeDivisible_StaysUnlessItsNumberIsKnown) {
  EXPECT_EQ(
      added({"for.arg1=5"}, {"thread.x=4:contiguous,for.arg1=4n,for.arg2=4n,for.pointers=16"}),
      (Ids{"for.arg1=5", "thread.x=4:contiguous,for.arg1=5,for.arg2=4n,for.pointers=16",
           "thread.x=4:contiguous,for.arg1=4n,for.arg2=4n,for.pointers=16"}));
}

TEST(SeenLaunches, PointersStayApart) {
  EXPECT_EQ(added({"for.arg1=5"}, {"for.aliases=none"}),
            (Ids{"for.arg1=5", "for.arg1=5,for.aliases=none", "for.aliases=none"}));
}

TEST(SeenLaunches, BoundIsThatOfAllLaunches) {
  auto bound = [](std::vector<const char *> seen, unsigned launchBounds = 0) {
    std::vector<KnownLaunch> launches;
    for (const char *text : seen)
      launches.push_back(grainOf(text).known);
    return boundFor(launches, launchBounds);
  };
  EXPECT_EQ(bound({}), usualBound);
  EXPECT_EQ(bound({"for.grid=3x1x1"}), usualBound);
  EXPECT_EQ(bound({"for.block=16x4x1", "for.block=96x1x1"}), 96u);
  EXPECT_EQ(bound({"for.block=16x4x1", "for.grid=3x1x1"}), usualBound);
  EXPECT_EQ(bound({"for.block=512x1x1", "for.grid=3x1x1"}), 512u);
  EXPECT_EQ(bound({"for.block=32x32x1"}), 0u);
  EXPECT_EQ(bound({"for.block=64x1x1"}, 128), 64u);
  EXPECT_EQ(bound({"for.block=128x1x1"}, 128), 0u);
  EXPECT_EQ(bound({}, 192), 0u);
}

TEST(SeenLaunches, CommonBlockIsThatOfAllLaunchesWhereItIsKnown) {
  auto common = [](std::vector<const char *> seen) {
    std::vector<KnownLaunch> launches;
    for (const char *text : seen)
      launches.push_back(grainOf(text).known);
    return commonBlock(launches);
  };
  EXPECT_EQ(common({}), std::nullopt);
  EXPECT_EQ(common({"for.grid=3x1x1"}), std::nullopt);
  EXPECT_EQ(common({"for.block=16x4x1", "for.grid=3x1x1"}), (Factors{16, 4, 1}));
  EXPECT_EQ(common({"for.block=16x4x1,for.arg0=3", "for.block=16x4x1"}), (Factors{16, 4, 1}));
  EXPECT_EQ(common({"for.block=16x4x1", "for.block=64x1x1"}), std::nullopt);
  KnownLaunch impossible;
  impossible.block = Factors{65536, 65536, 1};
  EXPECT_EQ(commonBlock(impossible), std::nullopt);
}

} // namespace
