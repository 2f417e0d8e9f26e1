//===- CacheTests.cpp - Fetches and writes of a cache ---------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "bench/amd/footprint/Cache.h"

#include "gtest/gtest.h"

using namespace regrain::footprint;

namespace {

/// This cache has two sets of two ways.
constexpr CacheShape small = {.bytes = 512, .ways = 2, .lineBytes = 128};

TEST(Cache, TheLeastRecentOfASetLeaves) {
  Cache cache(small);
  for (uint64_t line : {0, 2, 0, 4}) // 4 replaces 2
    cache.touch(line, Touch::Load);
  EXPECT_EQ(cache.fetchedLines(), 3u);
  cache.touch(0, Touch::Load);
  EXPECT_EQ(cache.fetchedLines(), 3u);
  cache.touch(2, Touch::Load);
  EXPECT_EQ(cache.fetchedLines(), 4u);
}

TEST(Cache, SetsDoNotShareTheirWays) {
  Cache cache(small);
  for (uint64_t line : {0, 2, 1, 3, 0, 2, 1, 3})
    cache.touch(line, Touch::Load);
  EXPECT_EQ(cache.fetchedLines(), 4u);
}

TEST(Cache, AStoreFetchesNothingAndIsWrittenBackOnce) {
  Cache cache(small);
  cache.touch(0, Touch::Store);
  cache.touch(0, Touch::Store);
  EXPECT_EQ(cache.writtenLines(), 1u);
  cache.touch(2, Touch::Load);
  cache.touch(4, Touch::Load); // 0 is evicted
  EXPECT_EQ(cache.fetchedLines(), 2u);
  EXPECT_EQ(cache.writtenLines(), 1u);
  cache.touch(0, Touch::Load);
  EXPECT_EQ(cache.fetchedLines(), 3u);
}

TEST(Cache, AStorePastTheCacheTakesNoPlace) {
  Cache cache(small);
  cache.touch(0, Touch::Load);
  cache.touch(2, Touch::Load);
  cache.touch(4, Touch::StorePast);
  EXPECT_EQ(cache.writtenLines(), 1u);
  cache.touch(0, Touch::Load);
  cache.touch(2, Touch::Load);
  EXPECT_EQ(cache.fetchedLines(), 2u);
  // Data that is already in the cache is written in place.
  cache.touch(2, Touch::StorePast);
  EXPECT_EQ(cache.writtenLines(), 2u);
}

} // namespace
