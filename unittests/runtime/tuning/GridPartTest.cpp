//===- tuning/GridPartTest.cpp - A part of a launch to time ---------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/tuning/grid_part.h"

#include <gtest/gtest.h>

using namespace regrain;

namespace {

using Part = std::optional<Extent>;

std::vector<Grain> grainsOf(std::initializer_list<uint32_t> factors) {
  std::vector<Grain> grains;
  for (uint32_t factor : factors)
    grains.push_back({.block = {factor, 1, 1}});
  return grains;
}

TEST(PartOf, FirstBlocksInX) {
  EXPECT_EQ(partOf({40000, 1, 1}, 2112, 1, {}), (Part{{2112, 1, 1}}));
  EXPECT_EQ(partOf({40000, 1, 1}, 2112, 1, grainsOf({4, 7})), (Part{{2128, 1, 1}}));
}

TEST(PartOf, DimensionWithMostBlocks_GetsFewer) {
  EXPECT_EQ(partOf({32, 1024, 2}, 1000, 1, {}), (Part{{32, 16, 2}}));
  EXPECT_EQ(partOf({32, 1024, 2}, 1000, 1, grainsOf({5})), (Part{{32, 16, 2}})); // whole in x
}

TEST(PartOf, ShortPart_IsLonger) {
  EXPECT_EQ(partOf({100000, 1, 1}, 100, 0.1, {}), (Part{{2000, 1, 1}}));
}

TEST(PartOf, MoreThanHalf_IsNoPart) {
  EXPECT_EQ(partOf({1000, 1, 1}, 501, 1, {}), Part());
  EXPECT_EQ(partOf({1000, 1, 1}, 500, 1, {}), (Part{{500, 1, 1}}));
  EXPECT_EQ(partOf({1, 1, 1}, 1, 1, {}), Part());
  EXPECT_EQ(partOf({0, 1, 1}, 1, 1, {}), Part());
}

TEST(PartOf, GridWithoutSoManyWholeBlocks_EndsWithinOne) {
  EXPECT_EQ(partOf({1000, 1, 1}, 300, 1, grainsOf({7, 9, 11})), (Part{{300, 1, 1}}));
}

} // namespace
