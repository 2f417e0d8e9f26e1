//===- RegisterStepsTests.cpp - Grains that bound registers ---------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Alternatives/RegisterSteps.h"

#include "gtest/gtest.h"

using namespace regrain;

namespace {

using Ids = std::vector<std::string>;

/// The multiprocessor of compute capability 9.0.
constexpr Multiprocessor unit = {32, 64, 32, 228 << 10, 128, 1 << 10, 65536, 256, 4};

Resources taking(int32_t registers, int32_t sharedBytes = 0, int32_t spills = 0) {
  Resources resources;
  resources.registers = registers;
  resources.staticSharedBytes = sharedBytes;
  resources.spillStoreBytes = resources.spillLoadBytes = spills;
  return resources;
}

Ids stepsOf(const Resources &original, const BlockBounds &blocks,
            const Multiprocessor &multiprocessor = unit) {
  Ids ids;
  for (const Grain &grain : registerSteps(multiprocessor, original, blocks))
    ids.push_back(toString(grain));
  return ids;
}

TEST(Multiprocessor, RegistersLimitResidentBlocks) {
  EXPECT_EQ(residentBlocks(unit, 256, 0, 32), 8u);
  EXPECT_EQ(residentBlocks(unit, 256, 0, 33), 6u);
  EXPECT_EQ(residentBlocks(unit, 256, 0, 128), 2u);
  EXPECT_EQ(residentBlocks(unit, 256, 0, 129), 1u);
  EXPECT_EQ(residentBlocks(unit, 256, 100 << 10, 32), 2u) << "shared memory is the limit";
}

TEST(Multiprocessor, MostRegistersAreThoseOfTheStep) {
  for (unsigned threads : {32, 96, 128, 256, 512, 1024})
    for (unsigned blocks = 1; blocks <= residentBlocks(unit, threads, 0); ++blocks) {
      unsigned registers = mostRegisters(unit, threads, blocks);
      EXPECT_GE(residentBlocks(unit, threads, 0, registers), blocks) << threads << " " << blocks;
      EXPECT_LT(residentBlocks(unit, threads, 0, registers + 1), blocks)
          << threads << " " << blocks;
    }
}

TEST(RegisterSteps, MoreBlocksFollowTheOriginals) {
  EXPECT_EQ(stepsOf(taking(130), {256, 0, 0}), (Ids{"registers=128", "registers=80"}));
  EXPECT_EQ(stepsOf(taking(64), {256, 0, 0}),
            (Ids{"registers=48", "registers=40", "registers=32"}));
  EXPECT_EQ(stepsOf(taking(40), {256, 0, 0}), (Ids{"registers=32"}));
}

TEST(RegisterSteps, AKernelWithLaunchBoundsIsToldItsBlocks) {
  EXPECT_EQ(stepsOf(taking(130), {256, 256, 0}), (Ids{"blocks-per-sm=2", "blocks-per-sm=3"}));
  EXPECT_EQ(stepsOf(taking(130), {256, 512, 0}), (Ids{"registers=128", "registers=80"}))
      << "the bound is not that of the usual block";
}

TEST(RegisterSteps, SmallBlocksTakeStepsThatMatter) {
  Ids ids = stepsOf(taking(128), {64, 0, 0});
  EXPECT_EQ(ids, (Ids{"registers=96", "registers=80", "registers=72"}));
}

TEST(RegisterSteps, NothingIsGainedWhereOtherLimitsHold) {
  EXPECT_TRUE(stepsOf(taking(32), {256, 0, 0}).empty()) << "all threads are resident";
  EXPECT_TRUE(stepsOf(taking(64, 100 << 10), {256, 0, 0}).empty()) << "shared memory is full";
  EXPECT_TRUE(stepsOf(taking(16), {1024, 0, 0}).empty());
}

TEST(RegisterSteps, SpillsUnderLaunchBoundsAskForFewerBlocks) {
  EXPECT_EQ(stepsOf(taking(64, 0, 48), {256, 256, 4}), (Ids{"blocks-per-sm=3", "blocks-per-sm=1"}));
  EXPECT_EQ(stepsOf(taking(32, 0, 48), {1024, 1024, 2}), (Ids{"blocks-per-sm=1"}));
  EXPECT_EQ(stepsOf(taking(64, 0, 48), {256, 1024, 0}), (Ids{"bound=256"}));
  EXPECT_NE(stepsOf(taking(64), {256, 1024, 0}).back(), "bound=256") << "nothing is spilled";
  EXPECT_EQ(stepsOf(taking(255, 0, 48), {256, 0, 0}), (Ids{"registers=128"}))
      << "no launch bounds are the reason";
}

TEST(RegisterSteps, SpillsWithinTheProgramsLimitAskForMoreRegisters) {
  EXPECT_EQ(stepsOf(taking(32, 0, 48), {256, 0, 0, 32}), (Ids{"registers=64"}));
  EXPECT_EQ(stepsOf(taking(128, 0, 48), {256, 0, 0, 128}), (Ids{"registers=255"}));
  EXPECT_EQ(stepsOf(taking(40), {256, 0, 0, 64}), (Ids{"registers=32"})) << "nothing is spilled";
}

TEST(RegisterSteps, AreTheGrainsThatBoundRegistersAlone) {
  for (const char *id : {"registers=64", "blocks-per-sm=2", "bound=256"})
    EXPECT_TRUE(onlyBoundsRegisters(parseGrainSpec(id)->grain)) << id;
  for (const char *id : {"original", "block.x=2", "block.x=2,registers=64", "unroll=4"})
    EXPECT_FALSE(onlyBoundsRegisters(parseGrainSpec(id)->grain)) << id;
}

TEST(RegisterSteps, WhatIsNotKnownProposesNothing) {
  EXPECT_TRUE(stepsOf(taking(-1), {256, 0, 0}).empty());
  EXPECT_TRUE(stepsOf(taking(130), {0, 0, 0}).empty());
  Multiprocessor amd = {64, 32, 32, 64 << 10, 512, 0};
  EXPECT_TRUE(stepsOf(taking(130), {256, 0, 0}, amd).empty());
}

} // namespace
