//===- LaunchClassTest.cpp - Tests of launch classes ----------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/core/launch_class.h"

#include <gtest/gtest.h>

using namespace regrain;

namespace {

int32_t logWaves(Extent grid, uint64_t resident) {
  return classify({grid, {32, 1, 1}, 0}, resident, 16).logWaves;
}

TEST(LaunchClass, GridGrows_WavesArePowersOfTwo) {
  EXPECT_EQ(logWaves({100, 1, 1}, 100), 0);
  EXPECT_EQ(logWaves({101, 1, 1}, 100), 1);
  EXPECT_EQ(logWaves({200, 1, 1}, 100), 1);
  EXPECT_EQ(logWaves({201, 1, 1}, 100), 2);
  EXPECT_EQ(logWaves({50, 1, 1}, 100), -1);
  EXPECT_EQ(logWaves({51, 1, 1}, 100), 0);
  EXPECT_EQ(logWaves({10, 10, 2}, 100), 1);
}

TEST(LaunchClass, GridBeyondEnds_IsOfTheLastClass) {
  EXPECT_EQ(logWaves({1, 1, 1}, 100000), LaunchClass::leastLogWaves);
  EXPECT_EQ(logWaves({0x7fffffff, 65535, 65535}, 1), LaunchClass::mostLogWaves);
  EXPECT_EQ(logWaves({1, 1, 1}, 0), 0);
}

TEST(LaunchClass, Text_ReadsBack) {
  for (int32_t log = LaunchClass::leastLogWaves; log <= LaunchClass::mostLogWaves; ++log) {
    LaunchClass launchClass = {{16, 8, 4}, 49152, 4, log};
    EXPECT_EQ(parseLaunchClass(toString(launchClass)), launchClass) << toString(launchClass);
  }
  EXPECT_EQ(toString(LaunchClass{{256, 1, 1}, 0, 16, 2}),
            "block=256x1x1,shared=0,align=16,waves=4");
  EXPECT_EQ(toString(LaunchClass{{16, 16, 1}, 8, 8, -3}),
            "block=16x16x1,shared=8,align=8,waves=1/8");
}

TEST(LaunchClass, TextIsOfAnotherForm_GivesNothing) {
  for (const char *text :
       {"", "block=256x1x1,shared=0,align=16", "block=256x1,shared=0,align=16,waves=4",
        "block=256x1x1,shared=0,align=16,waves=3", "block=256x1x1,shared=0,align=16,waves=4 ",
        "block=256x1x1,shared=0,align=16,waves=4096"})
    EXPECT_FALSE(parseLaunchClass(text)) << text;
}

} // namespace
