//===- SpaceTests.cpp - The list of grains --------------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Alternatives/Model.h"
#include "compiler/Alternatives/Space.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <set>

using namespace regrain;

namespace {

constexpr CoordinateUse oneDimension = {{true, false, false}, {true, false, false}};
constexpr CoordinateUse twoDimensions = {{true, true, false}, {true, true, false}};
constexpr uint8_t ofBlockX = uint8_t(Dependence::BlockX), ofThreadX = uint8_t(Dependence::ThreadX);

/// Returns a kernel that loads, computes and stores, differently for each thread.
Statistics streaming(const CoordinateUse &use) {
  Statistics statistics;
  statistics.use = use;
  auto &counts = statistics.work[ofBlockX | ofThreadX];
  counts[unsigned(Work::Arithmetic)].terms[{}] = 10;
  counts[unsigned(Work::Global)].terms[{}] = 2;
  statistics.held[ofBlockX | ofThreadX] = 4;
  return statistics;
}

std::vector<std::string> idsOf(const Statistics &statistics) {
  std::vector<std::string> ids;
  for (const Grain &grain : enumerateGrains(statistics))
    ids.push_back(toString(grain));
  return ids;
}

size_t placeOf(const std::vector<std::string> &ids, const std::string &id) {
  return std::find(ids.begin(), ids.end(), id) - ids.begin();
}

bool holds(const std::vector<std::string> &ids, const std::string &id) {
  return placeOf(ids, id) < ids.size();
}

bool holdsPart(const std::vector<std::string> &ids, const std::string &part) {
  return std::any_of(ids.begin(), ids.end(),
                     [&](const std::string &id) { return id.find(part) != std::string::npos; });
}

Grain blocksOf(uint32_t x) {
  Grain grain;
  grain.block[0] = x;
  return grain;
}

Grain threadsOf(uint32_t x) {
  Grain grain;
  grain.thread[0] = x;
  return grain;
}

TEST(Space, NoCoordinateRead_GivesNothing) { EXPECT_TRUE(idsOf(Statistics()).empty()); }

TEST(Space, LeavesOutTheOriginalRepeatsNothingAndContradictsNothing) {
  Statistics statistics = streaming(twoDimensions);
  statistics.isWidenable = true;
  std::vector<std::string> ids = idsOf(statistics);
  EXPECT_EQ(std::set<std::string>(ids.begin(), ids.end()).size(), ids.size());
  EXPECT_FALSE(holds(ids, "original"));
  for (const Grain &grain : enumerateGrains(statistics))
    EXPECT_EQ(findContradiction(grain), "") << toString(grain);
}

TEST(Space, KeepsToTheDimensionsThatAreRead) {
  for (const Grain &grain : enumerateGrains(streaming(oneDimension))) {
    for (const Factors &factors : {grain.block, grain.thread, grain.fuse})
      EXPECT_EQ(factors[1] * factors[2], 1u) << toString(grain);
    if (grain.shape)
      EXPECT_EQ((*grain.shape)[1] * (*grain.shape)[2], 1u) << toString(grain);
  }
}

TEST(Space, SharedArraysApart_StandBehindUnited) {
  Statistics statistics = streaming(twoDimensions);
  EXPECT_FALSE(holdsPart(idsOf(statistics), "shared"));
  statistics.sharedBytes = 1024;
  std::vector<std::string> ids = idsOf(statistics);
  for (const char *id : {"block.x=2", "block.x=7", "block.x=4,block.y=2"}) {
    ASSERT_TRUE(holds(ids, id + std::string(",shared=apart")));
    EXPECT_LT(placeOf(ids, id), placeOf(ids, id + std::string(",shared=apart")));
  }
  for (const Grain &grain : enumerateGrains(statistics))
    EXPECT_EQ(findContradiction(grain), "") << toString(grain);
}

TEST(Space, CommonArrays_ComeFirst_AndOneOfThemWhereRefused) {
  Statistics statistics = streaming(oneDimension);
  statistics.isWidenable = true;
  statistics.alignsAccesses = true;
  statistics.joinable.least = statistics.joinable.most = 4;
  EXPECT_FALSE(holdsPart(idsOf(statistics), "shared=common"));
  statistics.accumulatesShared = statistics.hasCommonArrays = true;
  std::vector<std::string> ids = idsOf(statistics);
  std::vector<std::string> common;
  llvm::copy_if(ids, std::back_inserter(common), [](const std::string &id) {
    return id.find("shared=common") != std::string::npos;
  });
  std::vector<std::string> first = {
      "block.x=256,steps=32,shared=common",
      "block.x=64,steps=8,shared=common",
      "block.x=32,shared=common",
      "block.x=16,shared=common",
      "block.x=8,shared=common",
      "block.x=256,thread.x=4:contiguous,steps=32,shared=common,for.pointers=16"};
  ASSERT_EQ(common.size(), 10u);
  EXPECT_EQ(std::vector(common.begin(), common.begin() + 6), first);
  EXPECT_EQ(ids.front(), first.front());
  EXPECT_LT(placeOf(ids, "block.x=32,shared=common"), placeOf(ids, "block.x=2"));
  for (const Grain &grain : enumerateGrains(statistics))
    EXPECT_EQ(findContradiction(grain), "") << toString(grain);
  statistics.hasCommonArrays = false;
  ids = idsOf(statistics);
  EXPECT_EQ(
      llvm::count_if(
          ids, [](const std::string &id) { return id.find("shared=common") != std::string::npos; }),
      1);
}

TEST(Space, TheBlockSeen_WhereWorthCompilingFor_StandsBeforeAnyBlock) {
  Statistics statistics = streaming(twoDimensions);
  statistics.isWidenable = true;
  statistics.seenBlock = {16, 15, 1};
  EXPECT_FALSE(holdsPart(idsOf(statistics), "for."));
  statistics.gainsByBlock = true;
  std::vector<std::string> ids = idsOf(statistics);
  EXPECT_EQ(ids.front(), "for.block=16x15x1");
  for (const char *id : {"block.x=2", "block.x=7", "thread.x=4:contiguous", "thread.x=2"}) {
    ASSERT_TRUE(holds(ids, id + std::string(",for.block=16x15x1")));
    EXPECT_LT(placeOf(ids, id + std::string(",for.block=16x15x1")), placeOf(ids, id));
  }
  EXPECT_TRUE(holds(ids, "thread.y=2"));
  EXPECT_FALSE(holds(ids, "thread.y=2,for.block=16x15x1")) << "two does not divide 15";
  EXPECT_LT(placeOf(ids, "thread.x=2:contiguous,for.block=16x15x1"),
            placeOf(ids, "thread.x=2,for.block=16x15x1"));
  for (const Grain &grain : enumerateGrains(statistics))
    if (grain.known.block)
      EXPECT_TRUE(!grain.shape && grain.fuse == (Factors{1, 1, 1})) << toString(grain);
}

TEST(Space, TheBlockSeen_WhereItsThreadsMeet_StandsFirst_IfTheLaunchedBlockIsOneWarp) {
  Statistics statistics = streaming(oneDimension);
  statistics.seenBlock = {16, 1, 1};
  EXPECT_FALSE(holdsPart(idsOf(statistics), "for."));
  statistics.meetsInWarps = true;
  std::vector<std::string> ids = idsOf(statistics);
  EXPECT_TRUE(holds(ids, "for.block=16x1x1"));
  for (const char *id : {"fuse.x=2", "block.x=2", "block.x=2,fuse.x=2", "thread.x=2,fuse.x=4"}) {
    ASSERT_TRUE(holds(ids, id + std::string(",for.block=16x1x1"))) << id;
    EXPECT_LT(placeOf(ids, id + std::string(",for.block=16x1x1")), placeOf(ids, id));
  }
  EXPECT_TRUE(holds(ids, "fuse.x=4"));
  EXPECT_FALSE(holds(ids, "fuse.x=4,for.block=16x1x1")) << "two warps";
  statistics.seenBlock = {64, 1, 1};
  ids = idsOf(statistics);
  EXPECT_FALSE(holds(ids, "for.block=64x1x1"));
  EXPECT_TRUE(holds(ids, "thread.x=2,for.block=64x1x1"));
}

TEST(Space, Bounds_AreForTargetsAndGrainsThatNeedTheRegisters) {
  Statistics statistics = streaming(twoDimensions);
  EXPECT_FALSE(holdsPart(idsOf(statistics), "bound"));
  statistics.bound = 256;
  std::vector<std::string> ids = idsOf(statistics);
  // The estimate is 16 registers, and 4 for each copy in x.
  for (const char *id : {"bound=256", "block.x=8,bound=256", "thread.x=2,bound=128"})
    EXPECT_FALSE(holds(ids, id)) << id;
  for (const char *id : {"block.x=16,bound=256", "block.x=8,thread.x=2,bound=128"})
    EXPECT_TRUE(holds(ids, id)) << id;
  EXPECT_LT(placeOf(ids, "block.x=16,bound=256"), placeOf(ids, "block.x=16"));
  for (const Grain &grain : enumerateGrains(statistics)) {
    EXPECT_EQ(findContradiction(grain), "") << toString(grain);
    EXPECT_FALSE(grain.bound && grain.shape) << toString(grain);
  }
  statistics.held[0] = 60;
  ids = idsOf(statistics);
  EXPECT_TRUE(holds(ids, "bound=256"));
  EXPECT_TRUE(holds(ids, "fuse.x=4,bound=1024"));
  EXPECT_TRUE(holds(ids, "fuse.x=8"));
  EXPECT_FALSE(holds(ids, "fuse.x=8,bound=2048"));
  statistics.held.clear();
  EXPECT_FALSE(holdsPart(idsOf(statistics), "bound"));
  statistics.arrayBytes = 100;
  ids = idsOf(statistics);
  EXPECT_FALSE(holds(ids, "bound=256"));
  EXPECT_TRUE(holds(ids, "block.x=2,bound=256"));
}

TEST(Space, AddressesOfALoop_AreTriedAloneFirst) {
  Statistics statistics = streaming(twoDimensions);
  EXPECT_FALSE(holdsPart(idsOf(statistics), "addresses"));
  statistics.choosesAddresses = true;
  std::vector<std::string> ids = idsOf(statistics);
  for (const std::string id : {"addresses=indexed", "addresses=wide"}) {
    EXPECT_LT(placeOf(ids, id), 24u) << id;
    ASSERT_TRUE(holds(ids, "block.x=2," + id));
    EXPECT_LT(placeOf(ids, id), placeOf(ids, "block.x=2," + id));
    EXPECT_LT(placeOf(ids, "block.x=2"), placeOf(ids, "block.x=2," + id));
  }
  for (const Grain &grain : enumerateGrains(statistics))
    EXPECT_EQ(findContradiction(grain), "") << toString(grain);
}

TEST(Space, LoopsAndBranches_AreTriedAfterSmallFactors) {
  Statistics statistics = streaming(twoDimensions);
  statistics.loops = {.hasShort = true, .hasOther = true, .hasGuards = true};
  EXPECT_FALSE(holdsPart(idsOf(statistics), "unroll")) << "no target can be told";
  statistics.choosesControlFlow = true;
  std::vector<std::string> ids = idsOf(statistics);
  for (const char *id :
       {"unroll=full", "unroll=4", "unroll=8", "unroll=none", "branches=predicated"}) {
    EXPECT_LT(placeOf(ids, id), 64u) << id;
    EXPECT_LT(placeOf(ids, "block.x=2"), placeOf(ids, id)) << id;
  }
  statistics.loops = {.hasOther = true};
  ids = idsOf(statistics);
  EXPECT_FALSE(holdsPart(ids, "unroll=full"));
  EXPECT_FALSE(holdsPart(ids, "branches"));
  EXPECT_TRUE(holds(ids, "unroll=4"));
}

TEST(Space, StoresPastTheCaches_AreTriedAloneFirst) {
  Statistics statistics = streaming(twoDimensions);
  EXPECT_FALSE(holdsPart(idsOf(statistics), "stores"));
  statistics.streamsStores = true;
  std::vector<std::string> ids = idsOf(statistics);
  EXPECT_LT(placeOf(ids, "stores=nontemporal"), 24u);
  ASSERT_TRUE(holds(ids, "block.x=2,stores=nontemporal"));
  EXPECT_LT(placeOf(ids, "stores=nontemporal"), placeOf(ids, "block.x=2,stores=nontemporal"));
  EXPECT_LT(placeOf(ids, "block.x=2"), placeOf(ids, "block.x=2,stores=nontemporal"));
  statistics.bound = 256;
  statistics.held[0] = 60;
  EXPECT_TRUE(holds(idsOf(statistics), "block.x=2,stores=nontemporal,bound=256"));
}

TEST(Space, CacheHints_AreFourGrainsAmongTheFirst) {
  Statistics statistics = streaming(oneDimension);
  statistics.streamsStores = statistics.streamsLoads = statistics.scattersLoads = true;
  std::vector<std::string> ids = idsOf(statistics);
  for (const std::string id :
       {"stores=nontemporal", "loads=streaming", "prefetch=128", "prefetch=256"}) {
    EXPECT_LT(placeOf(ids, id), 20u) << id;
    EXPECT_LT(placeOf(ids, "block.x=2"), placeOf(ids, id)) << id;
    EXPECT_LT(placeOf(ids, id), placeOf(ids, "block.x=2," + id)) << id;
  }
  ids.resize(20);
  EXPECT_EQ(llvm::count_if(ids,
                           [](const std::string &id) {
                             return llvm::StringRef(id).contains("loads=") ||
                                    llvm::StringRef(id).contains("prefetch=") ||
                                    llvm::StringRef(id).contains("stores=");
                           }),
            4);
}

/// These are the multiprocessors of gfx90a and of compute capability 9.0.
constexpr Multiprocessor amdUnit = {64, 32, 32, 64 << 10, 512, 0},
                         nvidiaUnit = {32, 64, 32, 228 << 10, 128, 1 << 10};

/// Returns a kernel in blocks of 16 threads with a tile of 16x16 and one of 17x17
/// elements.
Statistics inTiles() {
  Statistics statistics = streaming(oneDimension);
  statistics.seenBlock = Factors{16, 1, 1};
  statistics.sharedBytes = 4 * (16 * 16 + 17 * 17);
  statistics.cooperates = true;
  return statistics;
}

TEST(Space, ExchangesInWarps_AreEarlyAlsoForAlignedPointers) {
  Statistics statistics = streaming(oneDimension);
  statistics.seenBlock = Factors{128, 1, 1};
  statistics.sharedBytes = 512;
  statistics.cooperates = true;
  EXPECT_FALSE(holdsPart(idsOf(statistics), "exchange"));
  Grain grain = {.thread = {4, 1, 1}, .contiguous = true};
  grain.words["exchange"] = "warp";
  grain.known.block = statistics.seenBlock;
  statistics.warpExchanges = {grain};
  const std::string any = "thread.x=4:contiguous,exchange=warp,for.block=128x1x1";
  EXPECT_LT(placeOf(idsOf(statistics), any), 8u);
  EXPECT_FALSE(holdsPart(idsOf(statistics), "for.pointers"));
  statistics.alignsAccesses = true;
  statistics.joinable.least = statistics.joinable.most = 4;
  EXPECT_LT(placeOf(idsOf(statistics), any + ",for.pointers=16"), 12u);
  EXPECT_LT(
      placeOf(idsOf(statistics),
              "thread.x=4:contiguous,fuse.x=4,exchange=warp,for.block=128x1x1,for.pointers=16"),
      8u);
  // Strided copies of a thread are of one block, too, and have no wide accesses.
  statistics.warpExchanges.front().contiguous = false;
  EXPECT_FALSE(holdsPart(idsOf(statistics), "exchange=warp,for.pointers"));
  EXPECT_LT(placeOf(idsOf(statistics), "thread.x=4,fuse.x=8,exchange=warp,for.block=128x1x1"), 8u);
}

TEST(Space, SharedArraysInGlobalMemory_AreForTargetsThatThenHoldMoreBlocks) {
  Statistics statistics = inTiles();
  std::vector<std::string> unknown = idsOf(statistics);
  EXPECT_FALSE(holdsPart(unknown, "shared=global"));
  statistics.multiprocessors = {nvidiaUnit};
  EXPECT_EQ(idsOf(statistics), unknown) << "32 blocks are resident, as many as can be";
  statistics.multiprocessors = {nvidiaUnit, amdUnit};
  std::vector<std::string> ids = idsOf(statistics);
  for (const char *id : {"shared=global", "block.x=4,shared=global", "thread.x=2,shared=global"})
    EXPECT_TRUE(holds(ids, id)) << id;
  EXPECT_LT(placeOf(ids, "shared=global"), placeOf(ids, "thread.x=2,shared=global"));
  std::erase_if(ids, [](const std::string &id) { return id.ends_with("shared=global"); });
  EXPECT_EQ(ids, unknown) << "the others keep their order";
  statistics.sharedBytes = 2048;
  EXPECT_FALSE(holdsPart(idsOf(statistics), "shared=global")) << "32 blocks fit";
  statistics.seenBlock = Factors{256, 1, 1};
  statistics.sharedBytes = 48 << 10;
  statistics.multiprocessors = {nvidiaUnit};
  EXPECT_TRUE(holds(idsOf(statistics), "shared=global"));
}

TEST(Space, SharedArraysInGlobalMemory_StandLateWhereTheyGainLittle) {
  Statistics statistics = inTiles();
  statistics.seenBlock = Factors{128, 1, 1};
  statistics.multiprocessors = {amdUnit};
  statistics.sharedBytes = 16 << 10; // 4 of 16 blocks
  size_t early = placeOf(idsOf(statistics), "shared=global");
  EXPECT_LT(early, 24u);
  statistics.sharedBytes = 4097; // 14 of 16
  std::vector<std::string> ids = idsOf(statistics);
  EXPECT_GT(placeOf(ids, "shared=global"), early);
  EXPECT_GT(placeOf(ids, "shared=global"), placeOf(ids, "block.x=4"));
}

TEST(Space, BlocksOfFlatShapesAreJoinedWhereTheyAreFlatFirst) {
  Statistics statistics = streaming({{true, true, true}, {true, true, true}});
  statistics.seenBlock = {256, 1, 1};
  std::vector<std::string> ids = idsOf(statistics);
  EXPECT_LT(placeOf(ids, "block.z=2,shape=32x8x1"), 24u);
  for (const char *id :
       {"block.x=2,shape=32x8x1", "block.y=2,shape=32x8x1", "block.z=2,shape=32x4x2"})
    EXPECT_LT(placeOf(ids, "block.z=2,shape=32x8x1"), placeOf(ids, id)) << id;
}

TEST(Space, PublishedPeaksAreInTheSpace) {
  std::vector<std::string> ids = idsOf(streaming(oneDimension));
  for (const char *id : {"block.x=3", "block.x=5", "block.x=6", "block.x=7", "block.x=9",
                         "block.x=2,thread.x=8", "block.x=4,fuse.x=16"})
    EXPECT_TRUE(holds(ids, id)) << id;
}

TEST(Space, ASmallBudgetCoversEachKind) {
  Statistics statistics = streaming(oneDimension);
  statistics.isWidenable = true;
  std::vector<std::string> ids = idsOf(statistics);
  for (const char *id : {"block.x=2", "thread.x=2:contiguous", "fuse.x=2", "shape=256x1x1"})
    EXPECT_LT(placeOf(ids, id), 4u) << id;
  EXPECT_LT(placeOf(ids, "block.x=4"), placeOf(ids, "block.x=16"));
  EXPECT_LT(placeOf(ids, "block.x=2"), placeOf(ids, "block.x=2,thread.x=2"));
}

TEST(Space, FusesSmallBlocksAlone) {
  Statistics statistics = streaming(oneDimension);
  EXPECT_TRUE(holdsPart(idsOf(statistics), "fuse.x=16")) << "the size is not known";
  statistics.mostThreads = smallBlock;
  EXPECT_FALSE(holdsPart(idsOf(statistics), "fuse"));
  statistics.mostThreads = 96;
  EXPECT_TRUE(holdsPart(idsOf(statistics), "fuse.x=8"));
  EXPECT_FALSE(holdsPart(idsOf(statistics), "fuse.x=16")) << "more threads than a block can have";
}

TEST(Space, CutsAnewWhereNoThreadCooperates) {
  Statistics statistics = streaming(twoDimensions);
  EXPECT_TRUE(holds(idsOf(statistics), "shape=64x4x1"));
  statistics.cooperates = true;
  EXPECT_FALSE(holdsPart(idsOf(statistics), "shape"));
}

TEST(Space, GivesThreadsNeighboursWhereAccessesWiden) {
  Statistics statistics = streaming(oneDimension);
  EXPECT_FALSE(holdsPart(idsOf(statistics), "contiguous"));
  statistics.isWidenable = true;
  EXPECT_TRUE(holds(idsOf(statistics), "thread.x=4:contiguous"));
}

/// Returns a kernel that accesses elements of `bytes` bytes through pointer parameters.
Statistics joinable(uint32_t bytes) {
  Statistics statistics = streaming(oneDimension);
  statistics.isWidenable = true;
  statistics.joinable = {bytes, bytes, {}};
  statistics.alignsAccesses = true;
  return statistics;
}

TEST(Space, NeighboursAreForAlignedPointersFirst) {
  std::vector<std::string> ids = idsOf(joinable(4));
  for (const char *id : {"thread.x=4:contiguous,for.pointers=16", "thread.x=2:contiguous"})
    EXPECT_LT(placeOf(ids, id), 12u) << id;
  for (const char *id :
       {"thread.x=2:contiguous,for.pointers=8", "thread.x=8:contiguous,for.pointers=16"})
    EXPECT_TRUE(holds(ids, id)) << id;
  EXPECT_LT(placeOf(ids, "thread.x=4:contiguous,for.pointers=16"),
            placeOf(ids, "thread.x=8:contiguous,for.pointers=16"));
  EXPECT_LT(placeOf(ids, "thread.x=4:contiguous,for.pointers=16"),
            placeOf(ids, "thread.x=4:contiguous"));
  EXPECT_FALSE(holdsPart(ids, "thread.x=16"));
  EXPECT_EQ(std::set<std::string>(ids.begin(), ids.end()).size(), ids.size());
  for (const Grain &grain : enumerateGrains(joinable(4)))
    EXPECT_EQ(findContradiction(grain), "") << toString(grain);
}

/// Marches with the same keys are nearly the same, and stand apart.
TEST(Space, JoinedGuards_AreNoNearDuplicateOfOtherMarches) {
  Statistics statistics = joinable(4);
  for (uint32_t rows : {2, 4, 8}) {
    Grain march = {.thread = {1, rows, 1}, .shape = Factors{32, 8 * rows, 1}, .contiguous = true};
    march.block[2] = 16;
    march.codegen["steps"] = 16;
    statistics.marched.push_back(march);
  }
  Grain joining = {.shape = Factors{32, 8, 1}};
  joining.block[2] = 16;
  joining.codegen["steps"] = 16;
  joining.words["guards"] = "joined";
  statistics.marched.push_back(joining);
  std::vector<std::string> ids = idsOf(statistics);
  std::string joined = "block.z=16,thread.x=4:contiguous,shape=128x8x1,steps=16,guards=joined,"
                       "for.pointers=16";
  ASSERT_TRUE(holds(ids, joined));
  EXPECT_LT(placeOf(ids, joined),
            placeOf(ids, "block.z=16,thread.y=4:contiguous,shape=32x32x1,steps=16"));
}

TEST(Space, NeighboursInAsManyFusedBlocks_AreAmongTheFirst) {
  const char *four = "thread.x=4:contiguous,fuse.x=4,for.pointers=16";
  Statistics statistics = joinable(4);
  EXPECT_LT(placeOf(idsOf(statistics), four), 6u);
  statistics.seenBlock = Factors{64, 1, 1}; // a launched block of 16 threads otherwise
  EXPECT_LT(placeOf(idsOf(statistics), four),
            placeOf(idsOf(statistics), "thread.x=4:contiguous,for.pointers=16"));
  statistics.cooperates = true;
  EXPECT_FALSE(holdsPart(idsOf(statistics), "contiguous,fuse"));
}

TEST(Space, PointersThatMayMeet_AreAlsoTriedApart) {
  Statistics statistics = joinable(4);
  EXPECT_FALSE(holdsPart(idsOf(statistics), "for.aliases"));
  statistics.meetsPointers = true;
  std::vector<std::string> ids = idsOf(statistics);
  EXPECT_TRUE(holds(ids, "for.aliases=none"));
  EXPECT_TRUE(holds(ids, "thread.x=4:contiguous,for.pointers=16,for.aliases=none"));
  EXPECT_LT(placeOf(ids, "thread.x=4:contiguous,for.pointers=16"),
            placeOf(ids, "thread.x=4:contiguous,for.pointers=16,for.aliases=none"));
  EXPECT_LE(llvm::count_if(ids, [](const std::string &id) { return id.ends_with("=none"); }), 4);
  EXPECT_EQ(std::set<std::string>(ids.begin(), ids.end()).size(), ids.size());
}

TEST(Space, NeighboursThatAreJoinedFillAnAccess) {
  std::vector<std::string> ids = idsOf(joinable(1));
  EXPECT_LT(placeOf(ids, "thread.x=16:contiguous,for.pointers=16"), 12u);
  EXPECT_TRUE(holds(ids, "thread.x=8:contiguous,for.pointers=8"));
  EXPECT_FALSE(holdsPart(ids, "thread.x=4:contiguous,for"));
  ids = idsOf(joinable(8));
  EXPECT_LT(placeOf(ids, "thread.x=2:contiguous,for.pointers=16"), 12u);
  EXPECT_FALSE(holdsPart(ids, "thread.x=8:contiguous,for"));
}

TEST(Space, StridesAreMultiplesOfAnAccess) {
  Statistics statistics = joinable(4);
  statistics.joinable.strides = {2, 5};
  std::vector<std::string> ids = idsOf(statistics);
  EXPECT_TRUE(holds(ids, "thread.x=4:contiguous,for.arg2=4n,for.arg5=4n,for.pointers=16"));
  EXPECT_TRUE(holds(ids, "thread.x=2:contiguous,for.arg2=2n,for.arg5=2n,for.pointers=8"));
  EXPECT_FALSE(holds(ids, "thread.x=4:contiguous,for.pointers=16"));
  statistics.joinable.most = 8;
  EXPECT_TRUE(
      holds(idsOf(statistics), "thread.x=2:contiguous,for.arg2=2n,for.arg5=2n,for.pointers=16"));
}

TEST(Space, AThreadWithNeighboursOfItsOwn_IsTriedWithAlignedPointersAlone) {
  Statistics statistics = streaming(oneDimension);
  statistics.alignsAccesses = true;
  statistics.ownJoinable = {4, 4, {3}};
  std::vector<std::string> ids = idsOf(statistics);
  EXPECT_LT(placeOf(ids, "for.arg3=4n,for.pointers=16"), 12u);
  EXPECT_FALSE(holdsPart(ids, "contiguous"));
  statistics.alignsAccesses = false;
  EXPECT_FALSE(holdsPart(idsOf(statistics), "for."));
}

TEST(Space, NeighboursInRowsHaveNoAlignment) {
  Statistics statistics = joinable(4);
  statistics.joinable.strides = {2};
  Grain exchange = {.thread = {1, 8, 1}, .contiguous = true, .words = {{"exchange", "warp"}}};
  exchange.known.block = Factors{32, 8, 1};
  statistics.warpExchanges = {exchange};
  std::vector<std::string> ids = idsOf(statistics);
  EXPECT_TRUE(holds(ids, "thread.y=8:contiguous,exchange=warp,for.block=32x8x1"));
  EXPECT_FALSE(holdsPart(ids, "=1n"));
  exchange.thread = {4, 1, 1};
  statistics.warpExchanges = {exchange};
  EXPECT_TRUE(holds(idsOf(statistics), "thread.x=4:contiguous,exchange=warp,for.block=32x8x1,"
                                       "for.arg2=4n,for.pointers=16"));
  EXPECT_TRUE(Joinable(16, 16, {2}).alignedFor(2).multiples.empty());
}

TEST(Space, WithoutNeedNothingIsAligned) {
  Statistics statistics = joinable(4);
  statistics.alignsAccesses = false;
  EXPECT_FALSE(holdsPart(idsOf(statistics), "for."));
  statistics = joinable(4);
  statistics.joinable = {};
  EXPECT_FALSE(holdsPart(idsOf(statistics), "for."));
}

TEST(Space, WhatIsPredictedSlowStandsLate) {
  Statistics statistics = streaming(oneDimension);
  size_t before = placeOf(idsOf(statistics), "block.x=8");
  statistics.sharedBytes = 32 << 10; // eight copies fill a multiprocessor and more
  EXPECT_GT(placeOf(idsOf(statistics), "block.x=8"), before);
}

/// Returns the first `count` of the order, as grains.
std::vector<Grain> firstOf(const Statistics &statistics, size_t count) {
  std::vector<Grain> grains = enumerateGrains(statistics);
  grains.resize(std::min(count, grains.size()));
  return grains;
}

unsigned product(const Factors &factors) { return factors[0] * factors[1] * factors[2]; }

/// Returns a kernel of two dimensions, launched in blocks of 4x4, whose
/// accesses are consecutive in y.
Statistics inTinyBlocks() {
  Statistics statistics = streaming(twoDimensions);
  statistics.seenBlock = Factors{4, 4, 1};
  statistics.consecutive[ofBlockX | ofThreadX][1].terms[{}] = 2;
  return statistics;
}

TEST(Space, BlocksTooSmallToFillTheGpuAreMadeMuchLargerFirst) {
  for (const Grain &grain : firstOf(inTinyBlocks(), 24)) {
    unsigned threads = grain.shape ? product(*grain.shape) : 16 * product(grain.fuse);
    EXPECT_GE(threads * product(grain.block), 64u) << toString(grain);
  }
  std::vector<std::string> ids = idsOf(inTinyBlocks());
  for (const char *id : {"block.x=2", "block.y=2", "fuse.x=2", "thread.x=2"})
    EXPECT_LT(placeOf(ids, id), ids.size()) << id;
  EXPECT_TRUE(holds(ids, "block.x=8,block.y=8"));
  EXPECT_TRUE(holds(ids, "block.x=2,block.y=2,fuse.x=4,fuse.y=4"));
}

TEST(Space, OfBlocksTooSmallEachWayToMakeThemLargerComesEarly) {
  bool block = false, fuse = false, shape = false;
  for (const Grain &grain : firstOf(inTinyBlocks(), 24)) {
    block |= product(grain.block) >= 16 && !grain.shape && product(grain.fuse) == 1;
    fuse |= product(grain.fuse) >= 8;
    shape |= grain.shape.has_value();
  }
  EXPECT_TRUE(block);
  EXPECT_TRUE(fuse);
  EXPECT_TRUE(shape);
}

TEST(Space, LanesLieWhereAccessesAreConsecutive) {
  Statistics statistics = inTinyBlocks();
  std::vector<std::string> ids = idsOf(statistics);
  EXPECT_LT(placeOf(ids, "shape=1x256x1"), placeOf(ids, "shape=256x1x1"));
  std::swap(statistics.consecutive.begin()->second[0], statistics.consecutive.begin()->second[1]);
  ids = idsOf(statistics);
  EXPECT_LT(placeOf(ids, "shape=256x1x1"), ids.size());
  EXPECT_FALSE(holds(ids, "shape=1x256x1"));
}

TEST(Space, BlocksSeenToBeLargeAreFusedLate) {
  Statistics statistics = streaming(twoDimensions);
  statistics.seenBlock = Factors{16, 16, 1};
  for (const Grain &grain : firstOf(statistics, 40))
    EXPECT_EQ(product(grain.fuse), 1u) << toString(grain);
  EXPECT_TRUE(holdsPart(idsOf(statistics), "fuse")) << "other files may launch small ones";
}

TEST(Space, NearDuplicatesDoNotPushOthersOut) {
  Statistics statistics = streaming(twoDimensions);
  statistics.isWidenable = true;
  statistics.seenBlock = Factors{16, 16, 1};
  std::vector<std::string> ids = idsOf(statistics);
  EXPECT_LT(placeOf(ids, "thread.x=2:contiguous"), placeOf(ids, "thread.x=2"));
  EXPECT_GT(placeOf(ids, "shape=16x16x1"), 40u);
  size_t shapes = 0;
  for (const Grain &grain : firstOf(statistics, 24))
    shapes += grain.shape && grain.block == Factors{1, 1, 1} && grain.thread == Factors{1, 1, 1};
  EXPECT_GE(shapes, 1u);
  EXPECT_LE(shapes, 4u);
}

TEST(Space, PublishedPeaksAreAmongTheFirst) {
  Statistics statistics = streaming(oneDimension);
  std::vector<std::string> ids = idsOf(statistics);
  for (const char *id : {"block.x=3", "block.x=6", "block.x=7", "block.x=8", "block.x=9"})
    EXPECT_LT(placeOf(ids, id), 24u) << id;
  statistics = streaming(twoDimensions);
  statistics.cooperates = true;
  statistics.seenBlock = Factors{16, 16, 1};
  statistics.work[uint8_t(Dependence::BlockY) | ofThreadX] = statistics.work[ofBlockX | ofThreadX];
  ids = idsOf(statistics);
  for (const char *id : {"block.x=3", "block.x=6", "block.x=8", "block.y=4", "block.x=2,block.y=2"})
    EXPECT_LT(placeOf(ids, id), 24u) << id;
}

TEST(Space, FactorsStandEarlierWhereBlocksShareMore) {
  Statistics statistics = streaming(twoDimensions);
  std::vector<std::string> ids = idsOf(statistics); // depends only on blocks in x
  EXPECT_LT(placeOf(ids, "block.y=4"), placeOf(ids, "block.x=4"));
  EXPECT_LT(placeOf(ids, "fuse.x=2"), placeOf(ids, "block.x=2")); // despite equal predictions
  auto work = statistics.work.extract(ofBlockX | ofThreadX);
  work.key() = uint8_t(Dependence::BlockY) | ofThreadX;
  statistics.work.insert(std::move(work));
  ids = idsOf(statistics);
  EXPECT_LT(placeOf(ids, "block.x=4"), placeOf(ids, "block.y=4"));
}

TEST(Space, WhatTheBlockSeenCannotBeDividedByStandsLast) {
  Statistics statistics = streaming(twoDimensions);
  statistics.seenBlock = Factors{100, 1, 1};
  std::vector<std::string> ids = idsOf(statistics);
  EXPECT_LT(placeOf(ids, "thread.x=4"), 24u);
  EXPECT_GT(placeOf(ids, "thread.x=8"), ids.size() / 2);
  EXPECT_GT(placeOf(ids, "thread.y=2"), ids.size() / 2);
}

TEST(Model, StartingTinyBlocksIsTheLimit) {
  Statistics statistics = streaming(oneDimension);
  statistics.work.clear();
  statistics.seenBlock = Factors{16, 1, 1};
  double original = predictCycles(statistics, Grain());
  EXPECT_GT(original, 100);
  EXPECT_DOUBLE_EQ(predictCycles(statistics, blocksOf(4)), original / 4);
  EXPECT_DOUBLE_EQ(predictCycles(statistics, threadsOf(2)), original);
}

TEST(Model, LanesShareSectorsAlongConsecutiveAddresses) {
  Statistics statistics = inTinyBlocks();
  statistics.consecutive.begin()->second[1].terms[{}] = 100;
  Grain along, across;
  along.shape = Factors{1, 256, 1};
  across.shape = Factors{256, 1, 1};
  EXPECT_DOUBLE_EQ(predictCycles(statistics, across), 8 * predictCycles(statistics, along));
}

TEST(Model, WorkThatCopiesShareIsDoneOnce) {
  Statistics own = streaming(oneDimension);
  own.work[ofBlockX | ofThreadX][unsigned(Work::Arithmetic)].terms[{}] = 1000;
  Statistics common = own;
  common.work[ofThreadX] = common.work[ofBlockX | ofThreadX];
  common.work.erase(ofBlockX | ofThreadX);
  EXPECT_LT(predictCycles(common, blocksOf(4)), predictCycles(own, blocksOf(4)));
  EXPECT_EQ(predictCycles(common, Grain()), predictCycles(own, Grain()));
}

TEST(Model, CopiesOverlapTheirAccesses) {
  Statistics statistics = streaming(oneDimension);
  statistics.work.begin()->second[unsigned(Work::Global)].terms[{}] = 20;
  statistics.held[0] = 60; // the same for all copies: few warps are resident
  EXPECT_LT(predictCycles(statistics, blocksOf(2)), predictCycles(statistics, Grain()));
}

TEST(Model, SmallBlocksPayForEmptyLanes) {
  Statistics statistics = streaming(oneDimension);
  statistics.mostThreads = 32;
  statistics.work.begin()->second[unsigned(Work::Arithmetic)].terms[{}] = 1000;
  EXPECT_GT(predictCycles(statistics, threadsOf(8)), 2 * predictCycles(statistics, Grain()));
  EXPECT_EQ(launchedThreads(statistics, threadsOf(8)), 4u);
}

TEST(Model, WhatDoesNotFitIsNeverDone) {
  Statistics statistics = streaming(oneDimension);
  statistics.sharedBytes = 200 << 10;
  EXPECT_TRUE(std::isinf(predictCycles(statistics, blocksOf(2))));
}

TEST(Model, SharedArraysInGlobalMemoryTakeNone) {
  Statistics statistics = streaming(oneDimension);
  statistics.sharedBytes = 200 << 10;
  Grain demoted = blocksOf(2);
  demoted.shared = SharedArrays::Global;
  EXPECT_FALSE(std::isinf(predictCycles(statistics, demoted)));
}

TEST(Model, GainWithoutSharedIsThatOfTheTargetThatGainsMost) {
  Statistics statistics = inTiles();
  EXPECT_EQ(gainWithoutShared(statistics, Grain()), 1);
  statistics.multiprocessors = {nvidiaUnit, amdUnit};
  EXPECT_DOUBLE_EQ(gainWithoutShared(statistics, Grain()), 32.0 / 25);
  EXPECT_DOUBLE_EQ(gainWithoutShared(statistics, blocksOf(4)), 32.0 / 7);
  statistics.sharedBytes = 128 << 10;
  EXPECT_DOUBLE_EQ(gainWithoutShared(statistics, Grain()), 32) << "not one block fits";
}

TEST(Model, CountsArePolynomials) {
  Count count;
  count.terms[{}] = 3;
  count.terms[{1}] = 2;
  count.terms[{1, 2}] = 0.5;
  EXPECT_EQ(count.text(), "3 + 2*n1 + 0.5*n1*n2");
  EXPECT_EQ(count.at(4), 3 + 8 + 8);
  EXPECT_EQ(Count().text(), "0");
}

} // namespace
