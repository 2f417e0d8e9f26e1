//===- ExchangeTests.cpp - Homes of elements, and sources of lanes --------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Transforms/ExchangeInWarp/Homes.h"
#include "compiler/Transforms/ExchangeInWarp/LaneSource.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "gtest/gtest.h"

using namespace regrain;

namespace {

/// Returns the source that a formula gives a lane.
unsigned sourceOf(const LaneSource &formula, unsigned lane) {
  switch (formula.kind) {
  case LaneSource::Same:
    return formula.base;
  case LaneSource::Down:
    return lane + formula.base;
  case LaneSource::Up:
    return lane - formula.base;
  case LaneSource::Across:
    return lane ^ formula.base;
  case LaneSource::Linear:
    return (lane * formula.factor + formula.base) % warpThreads;
  case LaneSource::Bits:
    break;
  }
  unsigned source = formula.base;
  for (unsigned bit = 0; bit < laneBits; ++bit)
    source ^= lane >> bit & 1 ? formula.masks[bit] : 0;
  return source;
}

using PerLane = llvm::function_ref<std::optional<unsigned>(unsigned)>;

/// Expects a formula of a kind that gives each lane its source.
void expectFormula(LaneSource::Kind kind, PerLane of) {
  SourceLanes sources;
  for (unsigned lane = 0; lane < warpThreads; ++lane)
    sources.push_back(of(lane));
  std::optional<LaneSource> formula = findLaneSource(sources);
  ASSERT_TRUE(formula);
  EXPECT_EQ(formula->kind, kind);
  for (unsigned lane = 0; lane < warpThreads; ++lane)
    if (sources[lane])
      EXPECT_EQ(sourceOf(*formula, lane), *sources[lane]) << "lane " << lane;
}

std::optional<unsigned> onlyIf(bool condition, unsigned source) {
  return condition ? std::optional(source) : std::nullopt;
}

TEST(LaneSources, FindsTheCheapestFormula) {
  expectFormula(LaneSource::Same, [](unsigned) { return 7; });
  expectFormula(LaneSource::Down, [](unsigned lane) { return onlyIf(lane < 16, lane + 16); });
  expectFormula(LaneSource::Up, [](unsigned lane) { return onlyIf(lane >= 3, lane - 3); });
  expectFormula(LaneSource::Across, [](unsigned lane) { return lane ^ 21; });
  expectFormula(LaneSource::Linear, [](unsigned lane) { return (lane + 5) % 32; });
  expectFormula(LaneSource::Linear, [](unsigned lane) { return (31 * lane + 4) % 32; });
}

TEST(LaneSources, FindsBits) {
  auto reversed = [](unsigned lane) {
    unsigned source = 0;
    for (unsigned bit = 0; bit < laneBits; ++bit)
      source |= (lane >> bit & 1) << (laneBits - 1 - bit);
    return source;
  };
  expectFormula(LaneSource::Bits, reversed);
  expectFormula(LaneSource::Bits,
                [&](unsigned lane) { return onlyIf(lane % 3 != 0, reversed(lane) ^ 9); });
}

TEST(LaneSources, RefusesWhatHasNoFormula) {
  SourceLanes sources;
  for (unsigned lane = 0; lane < warpThreads; ++lane)
    sources.push_back(lane * lane / 32);
  EXPECT_FALSE(findLaneSource(sources));
}

/// Returns what the threads of a block of several warps access.
WarpElements elements(llvm::function_ref<std::optional<int64_t>(unsigned)> of, unsigned warps = 1) {
  WarpElements all(warps);
  for (unsigned thread = 0; thread < warps * warpThreads; ++thread)
    all[thread / warpThreads].push_back(of(thread));
  return all;
}

TEST(Homes, AreInTheLaneThatWrites) {
  Homes homes;
  ASSERT_TRUE(homes.add(elements([](unsigned lane) { return 4 * lane; }), 4));
  ASSERT_TRUE(homes.add(elements([](unsigned lane) { return 4 * lane + 128; }), 4));
  EXPECT_EQ(homes.sizes().size(), 2u);
  auto found = homes.find(elements([](unsigned lane) { return 4 * lane + 4; }), 4);
  ASSERT_TRUE(found);
  EXPECT_EQ((*found)[0], (Home{0, 1}));
  EXPECT_EQ((*found)[31], (Home{1, 0}));
}

TEST(Homes, OfSomeLanesShareARegister) {
  Homes homes;
  ASSERT_TRUE(homes.add(elements([](unsigned lane) { return 4 * lane; }), 4));
  auto again = [](unsigned lane) { return lane == 3 ? std::optional<int64_t>(12) : std::nullopt; };
  ASSERT_TRUE(homes.add(elements(again), 4));
  EXPECT_EQ(homes.sizes().size(), 1u);
  auto outside = homes.find(elements([](unsigned) { return 1024; }), 4);
  ASSERT_TRUE(outside);
  EXPECT_FALSE((*outside)[0]);
}

TEST(Homes, AreRefusedToOtherLanesAndPartsOfElements) {
  Homes homes;
  ASSERT_TRUE(homes.add(elements([](unsigned lane) { return 4 * lane; }), 4));
  EXPECT_FALSE(homes.add(elements([](unsigned lane) { return 4 * (lane ^ 1); }), 4));
  EXPECT_FALSE(homes.add(elements([](unsigned lane) { return 4 * lane + 2; }), 4));
  EXPECT_FALSE(homes.add(elements([](unsigned lane) { return 4 * lane; }), 2));
  EXPECT_FALSE(homes.find(elements([](unsigned lane) { return 4 * lane + 2; }), 1));
  EXPECT_FALSE(homes.find(elements([](unsigned lane) { return 4 * lane - 2; }), 4));
  Homes same;
  EXPECT_FALSE(same.add(elements([](unsigned) { return 0; }), 4));
  Homes overlapping;
  EXPECT_FALSE(overlapping.add(elements([](unsigned lane) { return 2 * lane; }), 4));
}

TEST(Homes, AreAlikeInAllWarps) {
  Homes homes;
  ASSERT_TRUE(homes.add(elements([](unsigned thread) { return 4 * thread; }, 2), 4));
  EXPECT_EQ(homes.sizes().size(), 1u);
  auto rotated = [](unsigned thread) { return 4 * (thread / 32 * 32 + (thread + 1) % 32); };
  auto found = homes.find(elements(rotated, 2), 4);
  ASSERT_TRUE(found);
  EXPECT_EQ((*found)[31], (Home{0, 0}));
  auto across = [](unsigned thread) { return 4 * ((thread + 1) % 64); };
  EXPECT_FALSE(homes.find(elements(across, 2), 4));
  auto different = [](unsigned thread) { return 4 * (thread < 32 ? thread : thread ^ 1); };
  EXPECT_FALSE(homes.find(elements(different, 2), 4));
}

} // namespace
