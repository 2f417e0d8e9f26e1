//===- PruneTests.cpp - Grains that are not worth keeping -----------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Alternatives/Limits.h"
#include "compiler/Alternatives/Prune.h"
#include "runtime/image/grain_keys.h"
#include "runtime/image/ring_form.h"

#include <gtest/gtest.h>

using namespace regrain;

namespace {

Resources figures(int32_t spilled, int32_t occupancy) {
  Resources resources;
  resources.spillStoreBytes = resources.spillLoadBytes = spilled;
  resources.occupancyPercent = occupancy;
  return resources;
}

Grain byBlocks(uint32_t factor) {
  Grain grain;
  grain.block[0] = factor;
  return grain;
}

TEST(Prune, SpillsCountPerThreadOfTheProgram) {
  EXPECT_EQ(findExcess(byBlocks(2), figures(8, 100), figures(0, 100)),
            "more spills: 16 bytes per launched thread, the original has 0");
  EXPECT_FALSE(findExcess(byBlocks(2), figures(16, 100), figures(8, 100)));
  EXPECT_TRUE(findExcess(byBlocks(2), figures(17, 100), figures(8, 100)));
}

TEST(Prune, ABoundOfRegistersMaySpillEachOnce) {
  auto taking = [](int32_t registers, int32_t spilled) {
    Resources resources = figures(spilled, 50);
    resources.registers = registers;
    return resources;
  };
  Grain bounded = byBlocks(1);
  ASSERT_TRUE(addPiece(bounded, "registers=64"));
  EXPECT_FALSE(findExcess(bounded, taking(64, 4 * 64), taking(130, 0)));
  EXPECT_TRUE(findExcess(bounded, taking(64, 4 * 64 + 1), taking(130, 0)));
  EXPECT_TRUE(findExcess(byBlocks(1), taking(64, 1), taking(130, 0))) << "it asks for no bound";
  EXPECT_TRUE(findExcess(bounded, taking(64, 1), taking(64, 0))) << "the bound has gained nothing";
}

TEST(Prune, NewScratchCountsOnAMD) {
  auto taking = [](int32_t scratch, int32_t scalar) {
    Resources resources;
    resources.stackBytes = scratch;
    resources.scalarRegisters = scalar;
    return resources;
  };
  EXPECT_EQ(findExcess(byBlocks(2), taking(8, 20), taking(0, 20)),
            "more scratch memory: 8 bytes per launched thread, the original has 0");
  EXPECT_FALSE(findExcess(byBlocks(2), taking(16, 20), taking(8, 20)));
  EXPECT_FALSE(findExcess(byBlocks(2), taking(8, -1), taking(0, -1))) << "an NVIDIA GPU's stack";
}

TEST(Prune, WhatTheBackEndDoesNotReportSpeaksForTheCandidate) {
  EXPECT_FALSE(findExcess(byBlocks(2), Resources(), figures(0, 100)));
  EXPECT_FALSE(findExcess(byBlocks(2), figures(8, 10), Resources()));
}

TEST(Prune, OccupancyCollapsesBelowAQuarterAndHalfOfTheThreads) {
  EXPECT_EQ(findExcess(byBlocks(2), figures(0, 24), figures(0, 100)),
            "low occupancy: 24%, the original has 100%");
  EXPECT_FALSE(findExcess(byBlocks(2), figures(0, 25), figures(0, 100)));
  EXPECT_FALSE(findExcess(byBlocks(2), figures(0, 20), figures(0, 40)));
  EXPECT_FALSE(findExcess(byBlocks(4), figures(0, 24), figures(0, 100)));
}

TEST(Prune, LargeCodeMayGrowTwice) {
  EXPECT_EQ(findGrowth(20001, 10000), "code growth: 20001 instructions, the original has 10000");
  EXPECT_FALSE(findGrowth(20000, 10000));
  EXPECT_FALSE(findGrowth(1000000, 0));
}

TEST(Prune, OnlyGrainsThatAreLaunchedAlikeAreDuplicates) {
  Grain contiguous = byBlocks(2);
  contiguous.contiguous = true;
  EXPECT_TRUE(launchesAlike(byBlocks(2), contiguous));
  EXPECT_FALSE(launchesAlike(byBlocks(2), byBlocks(4)));
}

TEST(Prune, AGrainThatAsksForMoreSharedMemoryStandsInForNoOther) {
  auto ring = [](uint32_t kibibytes) {
    Grain grain = byBlocks(2);
    grain.codegen[dynamicSharedKey] = kibibytes;
    return grain;
  };
  EXPECT_TRUE(launchesAlike(ring(64), ring(120)));
  EXPECT_FALSE(launchesAlike(ring(120), ring(64)));
}

TEST(Prune, AGrainForOneLaunchStandsInForNoOther) {
  Grain known = byBlocks(2);
  known.known.block = {64, 1, 1};
  EXPECT_TRUE(launchesAlike(byBlocks(2), known));
  EXPECT_FALSE(launchesAlike(known, byBlocks(2)));
  Grain shaped = {.shape = Factors{32, 4, 1}}, sliced = shaped;
  sliced.words["slices"] = "z";
  EXPECT_TRUE(launchesAlike(shaped, sliced));
  EXPECT_FALSE(launchesAlike(sliced, shaped));
}

/// Returns the grain of block.x=2 for the launches that `known` describes.
Grain grainFor(const std::string &known) { return parseGrainSpec("block.x=2," + known)->grain; }

TEST(Prune, AGrainForFewerLaunchesStandsInForNoOther) {
  Grain eight = grainFor("for.pointers=8"), sixteen = grainFor("for.pointers=16");
  EXPECT_TRUE(launchesAlike(byBlocks(2), sixteen));
  EXPECT_TRUE(launchesAlike(eight, sixteen));
  EXPECT_FALSE(launchesAlike(sixteen, eight));
  EXPECT_FALSE(launchesAlike(sixteen, byBlocks(2)));
  Grain apart = grainFor("for.aliases=none");
  EXPECT_TRUE(launchesAlike(byBlocks(2), apart));
  EXPECT_TRUE(launchesAlike(apart, grainFor("for.pointers=8,for.aliases=none")));
  EXPECT_FALSE(launchesAlike(apart, byBlocks(2)));
  EXPECT_FALSE(launchesAlike(apart, sixteen));
  Grain ofFour = grainFor("for.arg1=4n"), ofEight = grainFor("for.arg1=8n");
  EXPECT_TRUE(launchesAlike(ofFour, ofEight));
  EXPECT_FALSE(launchesAlike(ofEight, ofFour));
  EXPECT_FALSE(launchesAlike(ofFour, grainFor("for.arg2=4n")));
  EXPECT_TRUE(launchesAlike(ofFour, grainFor("for.arg1=12")));
  EXPECT_FALSE(launchesAlike(ofFour, grainFor("for.arg1=6")));
  Grain numbered = grainFor("for.arg1=12");
  EXPECT_TRUE(launchesAlike(numbered, grainFor("for.arg1=12,for.arg2=3")));
  EXPECT_FALSE(launchesAlike(numbered, grainFor("for.arg1=13")));
  EXPECT_FALSE(launchesAlike(numbered, ofFour));
}

TEST(Prune, SpilledRegistersCountAsBytes) {
  Resources original, candidate;
  original.vectorSpills = 2;
  candidate.vectorSpills = 5;
  EXPECT_EQ(findExcess(Grain(), candidate, original),
            "more spills: 40 bytes per launched thread, the original has 16");
  EXPECT_FALSE(findExcess(byBlocks(3), candidate, original));
}

TEST(Prune, RegistersInPlaceOfSpillsMayCostOccupancy) {
  Resources original, candidate;
  original.vectorSpills = 630;
  original.occupancyPercent = 50;
  candidate.vectorSpills = 0;
  candidate.occupancyPercent = 12;
  EXPECT_FALSE(findExcess(Grain(), candidate, original));
  original.vectorSpills = 0;
  EXPECT_TRUE(findExcess(Grain(), candidate, original));
}

TEST(Prune, AGrainForSmallBlocksStandsInForNoLargerOnes) {
  Grain bounded = byBlocks(2), tighter = byBlocks(2);
  bounded.bound = 256;
  tighter.bound = 128;
  EXPECT_TRUE(launchesAlike(byBlocks(2), bounded));
  EXPECT_FALSE(launchesAlike(bounded, byBlocks(2)));
  EXPECT_TRUE(launchesAlike(bounded, tighter));
  EXPECT_FALSE(launchesAlike(tighter, bounded));
}

TEST(Prune, AGrainThatNeedsLentMemoryIsLaunchedInAnotherWay) {
  Grain global = byBlocks(2);
  global.shared = SharedArrays::Global;
  EXPECT_FALSE(launchesAlike(byBlocks(2), global));
  EXPECT_FALSE(launchesAlike(global, byBlocks(2)));
  EXPECT_TRUE(launchesAlike(global, global));
}

std::string excessOf(const NestSize &size, const TargetLimits &limits) {
  std::optional<Refusal> refusal = checkLimits(size, limits);
  return refusal ? refusal->reason : "";
}

TEST(Prune, AGrainWithFewerResidentBlocksStandsInForNoOther) {
  Grain limited = {.codegen = {{"max-resident", 2}}};
  EXPECT_FALSE(launchesAlike({}, limited));
  EXPECT_FALSE(launchesAlike(limited, {}));
  EXPECT_TRUE(launchesAlike(limited, limited));
}

TEST(Limits, WhatIsNotKnownIsNoExcess) {
  TargetLimits gpu = {48 << 10, 1024, {1024, 1024, 64}, {0x7fffffff, 65535, 65535}};
  NestSize size;
  EXPECT_EQ(excessOf(size, gpu), "");
  size.staticSharedBytes = 49153;
  EXPECT_EQ(checkLimits(size, gpu)->kind, RefusalKind::SharedMemory);
  EXPECT_EQ(excessOf(size, TargetLimits()), "");
  size = {};
  size.block = Factors{1, 1, 65};
  EXPECT_EQ(excessOf(size, gpu), "a block has 65 threads in z, and the target allows 64");
  size = {};
  size.mostThreads = 2048;
  EXPECT_NE(excessOf(size, gpu), "");
  size = {};
  size.grid = {1, 65536, 1};
  EXPECT_EQ(excessOf(size, gpu), "the grid has 65536 blocks in y, and the target allows 65535");
}

} // namespace
