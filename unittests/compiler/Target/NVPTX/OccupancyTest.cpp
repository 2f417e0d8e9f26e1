//===- OccupancyTest.cpp - Resident threads of a multiprocessor -----------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The figures are those of NVIDIA's occupancy calculator.
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/NVPTX/Chip/Occupancy.h"
#include "compiler/Target/NVPTX/Assembler/InstructionOrder.h"

#include <gtest/gtest.h>

using regrain::KernelCode;
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

KernelCode codeTaking(int registers, int spilled, int occupancy) {
  KernelCode code;
  code.resources.registers = registers;
  code.resources.spillStoreBytes = code.resources.spillLoadBytes = spilled;
  code.resources.occupancyPercent = occupancy;
  return code;
}

TEST(InstructionOrder, MattersWhereRegistersAreScarce) {
  using regrain::nvptx::takesManyRegisters;
  EXPECT_FALSE(takesManyRegisters(codeTaking(96, 0, 31)));
  EXPECT_TRUE(takesManyRegisters(codeTaking(97, 0, 25)));
  EXPECT_TRUE(takesManyRegisters(codeTaking(32, 4, 100)));
  EXPECT_FALSE(takesManyRegisters(KernelCode()));
}

TEST(InstructionOrder, IsChangedForFewerSpillsThenForMoreThreads) {
  using regrain::nvptx::takesFewer;
  EXPECT_TRUE(takesFewer({codeTaking(255, 8, 12)}, {codeTaking(255, 16, 12)}));
  EXPECT_FALSE(takesFewer({codeTaking(64, 16, 50)}, {codeTaking(255, 8, 12)}));
  EXPECT_TRUE(takesFewer({codeTaking(120, 0, 25)}, {codeTaking(140, 0, 12)}));
  EXPECT_FALSE(takesFewer({codeTaking(120, 0, 25)}, {codeTaking(128, 0, 25)})) << "nothing gained";
}

} // namespace
