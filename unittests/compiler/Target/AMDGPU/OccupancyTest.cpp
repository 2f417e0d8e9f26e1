//===- OccupancyTest.cpp - Resident waves of a SIMD unit ------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The figures for registers are those that LLVM 19's code generator reports.
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/AMDGPU/Occupancy.h"
#include "compiler/Target/AMDGPU/AMDGPU.h"

#include <gtest/gtest.h>

using namespace regrain;
using namespace regrain::amdgpu;

namespace {

/// Returns the waves of a SIMD unit.
int waves(const char *chip, int vector, int scalar, int sharedBytes = 0, unsigned threads = 256) {
  Resources resources;
  resources.registers = vector;
  resources.scalarRegisters = scalar;
  resources.staticSharedBytes = sharedBytes;
  setOccupancy(*findChip(chip), threads, resources);
  return resources.waves;
}

TEST(AMDOccupancy, VectorRegisters_Limit) {
  EXPECT_EQ(waves("gfx90a", 24, 20), 8);
  EXPECT_EQ(waves("gfx90a", 64, 20), 8);
  EXPECT_EQ(waves("gfx90a", 65, 20), 7);
  EXPECT_EQ(waves("gfx90a", 90, 30), 5);
  EXPECT_EQ(waves("gfx90a", 128, 36), 4);
  EXPECT_EQ(waves("gfx942", 170, 30), 2);
  EXPECT_EQ(waves("gfx90a", 512, 30), 1);
  EXPECT_EQ(waves("gfx1030", 65, 20), 12);
  EXPECT_EQ(waves("gfx1100", 97, 20), 12);
  EXPECT_EQ(waves("gfx1100", 96, 20), 16);
}

TEST(AMDOccupancy, ScalarRegisters_LimitOlderChipsAlone) {
  EXPECT_EQ(waves("gfx90a", 24, 96), 8);
  EXPECT_EQ(waves("gfx90a", 24, 102), 7);
  EXPECT_EQ(waves("gfx1100", 24, 106), 16);
}

TEST(AMDOccupancy, LocalMemory_Limits) {
  EXPECT_EQ(waves("gfx90a", 24, 20, 8 << 10), 8);
  EXPECT_EQ(waves("gfx90a", 24, 20, 16 << 10), 4);
  EXPECT_EQ(waves("gfx90a", 24, 20, 64 << 10), 1);
  EXPECT_EQ(waves("gfx1030", 24, 20, 16 << 10), 16);
  EXPECT_EQ(waves("gfx1030", 24, 20, 64 << 10), 4);
  EXPECT_EQ(waves("gfx90a", 24, 20, 2048, 16), 8);
}

TEST(AMDOccupancy, LocalMemory_IsGivenOutInUnits) {
  constexpr int bytes = 4 * (16 * 16 + 17 * 17); // 2180: 25 blocks of 2560, 30 would be 8 waves
  EXPECT_EQ(waves("gfx90a", 24, 20, bytes, 16), 7);
  EXPECT_EQ(waves("gfx1100", 24, 20, bytes, 16), 13);
}

TEST(AMDOccupancy, UnknownRegisters_SayNothing) {
  EXPECT_EQ(waves("gfx90a", -1, 20), -1);
  EXPECT_EQ(waves("gfx90a", 24, -1), -1);
}

TEST(AMDTarget, UnknownChip_ListsThoseKnown) {
  auto target = createAMDGPUTarget("gfx906");
  ASSERT_FALSE(bool(target));
  EXPECT_EQ(llvm::toString(target.takeError()),
            "'gfx906' is not a known AMD GPU; known are gfx90a, gfx942, gfx1030, gfx1100");
}

TEST(AMDTarget, MissingLibraries_SayWhereWasLooked) {
  AMDGPUOptions options;
  options.deviceLibraries = "/nonexistent";
  auto target = createAMDGPUTarget("gfx90a", options);
  ASSERT_FALSE(bool(target));
  EXPECT_EQ(llvm::toString(target.takeError()),
            "no device libraries for AMD GPUs: ocml.bc is not in /nonexistent (Debian: the package "
            "rocm-device-libs)");
}

} // namespace
