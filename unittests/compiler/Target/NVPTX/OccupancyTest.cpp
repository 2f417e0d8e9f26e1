//===- OccupancyTest.cpp - Resident threads of a multiprocessor -----------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The figures are those of NVIDIA's occupancy calculator.
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/NVPTX/Occupancy.h"

#include <gtest/gtest.h>

using regrain::Resources;
using regrain::nvptx::occupancyPercent;

namespace {

Resources taking(int registers, int sharedBytes) {
  Resources resources;
  resources.registers = registers;
  resources.staticSharedBytes = sharedBytes;
  return resources;
}

TEST(Occupancy, FewResources_FillTheMultiprocessor) {
  EXPECT_EQ(occupancyPercent(90, taking(32, 0), 256), 100);
  EXPECT_EQ(occupancyPercent(75, taking(32, 0), 256), 100);
}

TEST(Occupancy, Registers_Limit) {
  EXPECT_EQ(occupancyPercent(90, taking(33, 0), 256), 75);
  EXPECT_EQ(occupancyPercent(90, taking(64, 0), 256), 50);
  EXPECT_EQ(occupancyPercent(90, taking(255, 0), 256), 12);
}

TEST(Occupancy, SharedMemory_Limits) {
  EXPECT_EQ(occupancyPercent(90, taking(16, 48 << 10), 256), 50);
  EXPECT_EQ(occupancyPercent(70, taking(16, 48 << 10), 256), 25);
}

TEST(Occupancy, Blocks_Limit) {
  EXPECT_EQ(occupancyPercent(90, taking(16, 0), 32), 50);
  EXPECT_EQ(occupancyPercent(86, taking(16, 0), 32), 33);
}

TEST(Occupancy, PartialWarp_CountsWhole) {
  EXPECT_EQ(occupancyPercent(90, taking(16, 0), 16), occupancyPercent(90, taking(16, 0), 32));
}

TEST(Occupancy, UnknownChipOrRegisters_SaysNothing) {
  EXPECT_EQ(occupancyPercent(42, taking(16, 0), 256), -1);
  EXPECT_EQ(occupancyPercent(90, taking(-1, 0), 256), -1);
  EXPECT_EQ(occupancyPercent(90, taking(16, 0), 0), -1);
}

} // namespace
