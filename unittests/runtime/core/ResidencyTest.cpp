//===- ResidencyTest.cpp - Tests of limits of resident blocks -------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/core/residency.h"

#include <algorithm>
#include <gtest/gtest.h>

using namespace regrain;

namespace {

constexpr uint64_t kib = 1024;

/// As a GPU of compute capability 9.0 has it.
SharedMemoryUnits hopper() {
  SharedMemoryUnits units = {kib, 128, 227 * kib, {}};
  for (uint64_t size : {8, 16, 32, 64, 100, 132, 164, 196, 228})
    units.sizes.push_back(size * kib);
  return units;
}

/// As an AMD GPU has it.
SharedMemoryUnits gfx9() { return {0, 512, 64 * kib, {64 * kib}}; }

/// Returns how many such blocks find room in `size` bytes.
uint64_t fitting(const SharedMemoryUnits &units, uint64_t own, uint64_t size) {
  uint64_t taken = (own + units.reserved + units.granule - 1) / units.granule * units.granule;
  return size / taken;
}

/// Returns the size that an H200 has for such blocks when it is asked for a part: it makes room for
/// as many blocks as find room in the part without what is reserved.
uint64_t sizeOnH200(const SharedMemoryUnits &units, uint64_t own, uint64_t percent) {
  uint64_t asked = units.sizes.back() * percent / 100;
  uint64_t bytes = std::max<uint64_t>(asked / own, 1) * (own + units.reserved);
  return *std::lower_bound(units.sizes.begin(), units.sizes.end(), bytes);
}

TEST(Residency, IsTheLimitForAnyBlock) {
  for (const SharedMemoryUnits &units : {hopper(), gfx9()})
    for (uint64_t statics : {0, 4, 1000, 9000, 40000})
      for (uint64_t dynamic : {0, 16, 5000})
        for (uint64_t blocks = 1; blocks <= 12; ++blocks) { // of more, a granule leaves out some
          BlockMemory block = {statics, dynamic, units.mostPerBlock - statics, 1};
          std::optional<Residency> found = limitResidency(units, block, blocks);
          bool hasRoom = fitting(units, std::max<uint64_t>(statics + dynamic, 1),
                                 units.sizes.back()) >= blocks;
          EXPECT_EQ(found.has_value(), hasRoom) << statics << ' ' << dynamic << ' ' << blocks;
          if (!found)
            continue;
          uint64_t own = statics + found->dynamicBytes;
          uint64_t size = found->sharedPercent ? sizeOnH200(units, own, *found->sharedPercent)
                                               : units.sizes.back();
          EXPECT_GE(found->dynamicBytes, dynamic);
          EXPECT_EQ(fitting(units, own, size), blocks);
        }
}

/// These are the sizes of an H200 by how many blocks of 128 threads were on a multiprocessor.
TEST(Residency, ModelIsThatOfTheDevice) {
  struct {
    uint64_t percent, own, resident;
  } const measured[] = {{0, 1024, 4},   {3, 1024, 8},   {3, 3072, 2},   {7, 1024, 16},
                        {7, 3072, 8},   {7, 7168, 2},   {14, 7168, 4},  {28, 7168, 12},
                        {28, 15360, 4}, {43, 15360, 6}, {57, 15360, 8}, {85, 49152, 4}};
  for (auto [percent, own, resident] : measured)
    EXPECT_EQ(fitting(hopper(), own, sizeOnH200(hopper(), own, percent)), resident)
        << percent << ' ' << own;
}

TEST(Residency, LeavesTheCacheWhatBlocksDoNotNeed) {
  EXPECT_EQ(limitResidency(hopper(), {0, 0, 48 * kib, 1}, 3), (Residency{1025, 0}));
  EXPECT_EQ(limitResidency(hopper(), {101, 0, 48 * kib, 1}, 7), (Residency{0, 0}));
  EXPECT_EQ(limitResidency(hopper(), {40 * kib, 0, 8 * kib, 1}, 3), (Residency{0, 53}));
  EXPECT_EQ(limitResidency(gfx9(), {0, 0, 64 * kib, 1}, 3), (Residency{16385, std::nullopt}));
}

/// Nothing is reserved for blocks without shared memory, so that any number of them find room.
TEST(Residency, BlocksTakeSome) {
  for (uint64_t blocks : {1, 4, 8, 16})
    EXPECT_GT(limitResidency(hopper(), {0, 0, 48 * kib, 1}, blocks)->dynamicBytes, 0u);
}

TEST(Residency, KeepsToWhatTheCodeMayBeLaunchedWith) {
  SharedMemoryUnits all = hopper();
  all.sizes = {228 * kib};
  EXPECT_EQ(limitResidency(all, {0, 0, 48 * kib, 1}, 4), (Residency{45671, std::nullopt}));
  EXPECT_FALSE(limitResidency(all, {0, 0, 48 * kib, 1}, 3)) << "a block would need 57 KiB";
  EXPECT_TRUE(limitResidency(all, {0, 0, 227 * kib, 1}, 3));
  EXPECT_EQ(limitResidency(all, {100 * kib, 0, 0, 1}, 2), (Residency{0, std::nullopt}))
      << "nothing is added where the block takes enough by itself";
  EXPECT_FALSE(limitResidency(all, {120 * kib, 0, 100 * kib, 1}, 2)) << "two find no room";
}

TEST(Residency, KeepsCopiesAligned) {
  EXPECT_EQ(limitResidency(hopper(), {0, 96, 48 * kib, 96}, 3)->dynamicBytes % 96, 0u);
  EXPECT_EQ(limitResidency(hopper(), {0, 96, 48 * kib, 1}, 3)->dynamicBytes, 1025u);
}

TEST(Residency, StepsAreFewAndBelowWhatTheDeviceHolds) {
  EXPECT_EQ(residentSteps(8), (std::vector<uint64_t>{3, 1}));
  EXPECT_EQ(residentSteps(16), (std::vector<uint64_t>{6, 2}));
  EXPECT_EQ(residentSteps(2), std::vector<uint64_t>{1});
  EXPECT_TRUE(residentSteps(1).empty());
  for (uint64_t blocks = 0; blocks <= 32; ++blocks) {
    std::vector<uint64_t> steps = residentSteps(blocks);
    EXPECT_LE(steps.size(), mostResidentSteps);
    for (uint64_t step : steps)
      EXPECT_TRUE(step > 0 && step < blocks);
  }
}

} // namespace
