//===- SpaceTests.cpp - The list of grains --------------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Alternatives/Space.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <limits>
#include <set>

using namespace regrain;

namespace {

constexpr CoordinateUse oneDimension = {{true, false, false}, {true, false, false}};
constexpr CoordinateUse twoDimensions = {{true, true, false}, {true, true, false}};
constexpr size_t all = std::numeric_limits<size_t>::max();

TEST(Space, NoCoordinateRead_GivesNothing) { EXPECT_TRUE(enumerateGrains({}, all).empty()); }

TEST(Space, LeavesOutTheOriginalAndRepeatsNothing) {
  std::set<std::string> ids;
  std::vector<Grain> grains = enumerateGrains(twoDimensions, all);
  for (const Grain &grain : grains)
    ids.insert(toString(grain));
  EXPECT_EQ(ids.size(), grains.size());
  EXPECT_FALSE(ids.count("original"));
}

TEST(Space, KeepsToTheDimensionsThatAreRead) {
  for (const Grain &grain : enumerateGrains(oneDimension, all)) {
    EXPECT_EQ(grain.block[1] * grain.block[2], 1u) << toString(grain);
    EXPECT_EQ(grain.thread[1] * grain.thread[2], 1u) << toString(grain);
  }
}

TEST(Space, AShorterListIsAPrefixOfALongerOne) {
  std::vector<Grain> few = enumerateGrains(twoDimensions, 8);
  std::vector<Grain> many = enumerateGrains(twoDimensions, 24);
  ASSERT_EQ(few.size(), 8u);
  ASSERT_EQ(many.size(), 24u);
  EXPECT_TRUE(std::equal(few.begin(), few.end(), many.begin()));
}

TEST(Space, PublishedPeaksAreInTheSpace) {
  std::vector<Grain> grains = enumerateGrains(oneDimension, all);
  for (const char *id : {"block.x=7", "block.x=9", "block.x=2,thread.x=8"})
    EXPECT_TRUE(std::any_of(grains.begin(), grains.end(), [&](const Grain &grain) {
      return toString(grain) == id;
    })) << id;
}

} // namespace
