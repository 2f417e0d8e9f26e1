//===- AllocationsTest.cpp - Memory of the program on the devices ---------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/core/allocations.h"
#include "runtime/core/allocation_gap.h"

#include <gtest/gtest.h>
#include <utility>

using namespace regrain;

namespace {

TEST(Allocations, Take_GivesWhatIsListedOnce) {
  Allocations allocations;
  int memory[4];
  allocations.add(memory, sizeof memory, MemoryKind::Managed);
  EXPECT_FALSE(allocations.take(memory + 1)) << "what is freed is a begin";
  std::optional<Allocation> taken = allocations.take(memory);
  ASSERT_TRUE(taken);
  EXPECT_EQ(taken->bytes, sizeof memory);
  EXPECT_EQ(taken->kind, MemoryKind::Managed);
  EXPECT_FALSE(allocations.take(memory));
  EXPECT_TRUE(allocations.list().empty());
}

TEST(Allocations, Share_ConcernsTheAllocationAroundAnAddress) {
  Allocations allocations;
  int first[4], second[4];
  allocations.add(first, sizeof first, MemoryKind::Device);
  allocations.add(second, sizeof second, MemoryKind::Device);
  allocations.share(first + 3);
  EXPECT_EQ(allocations.take(first)->kind, MemoryKind::Shared);
  EXPECT_EQ(allocations.take(second)->kind, MemoryKind::Device);
}

TEST(Allocations, OfAddressesInUse_ReplacesWhatIsThere) {
  Allocations allocations;
  char memory[100];
  allocations.add(memory, 10, MemoryKind::Device);
  allocations.add(memory + 20, 10, MemoryKind::Device);
  allocations.add(memory + 40, 10, MemoryKind::Device);
  allocations.add(memory + 9, 12, MemoryKind::Device);
  std::vector<Allocation> all = allocations.list();
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].pointer, memory + 9);
  EXPECT_EQ(all[1].pointer, memory + 40);
  allocations.add(memory + 21, 19, MemoryKind::Device);
  EXPECT_EQ(allocations.list().size(), 3u) << "neighbours stay";
}

TEST(Allocations, EachChange_IsCounted) {
  Allocations allocations;
  int memory[4];
  uint64_t last = allocations.changes();
  EXPECT_NE(last, 0u);
  auto grows = [&] { return std::exchange(last, allocations.changes()) < last; };
  allocations.add(memory, sizeof memory, MemoryKind::Device);
  EXPECT_TRUE(grows());
  allocations.share(memory);
  EXPECT_TRUE(grows());
  EXPECT_FALSE(allocations.take(memory + 1));
  EXPECT_FALSE(grows());
  EXPECT_TRUE(allocations.take(memory));
  EXPECT_TRUE(grows());
  allocations.clear();
  EXPECT_TRUE(grows());
}

TEST(Allocations, Gaps_AreCountedWhileTheirAllocationsAreListed) {
  Allocations allocations;
  char memory[100];
  allocations.add(memory, 16, MemoryKind::Device, 512);
  allocations.add(memory + 20, 16, MemoryKind::Device);
  allocations.add(memory + 40, 16, MemoryKind::Managed, 1024);
  EXPECT_EQ(allocations.gapBytes(), 1536u);
  EXPECT_EQ(allocations.take(memory)->gapBytes, 512u);
  EXPECT_EQ(allocations.gapBytes(), 1024u);
  allocations.add(memory + 38, 4, MemoryKind::Device, 256);
  EXPECT_EQ(allocations.gapBytes(), 256u) << "what was there has been freed";
  allocations.clear();
  EXPECT_EQ(allocations.gapBytes(), 0u);
}

TEST(AllocationGap, IsAskedForWhereTheNextAllocationMayTouch) {
  EXPECT_EQ(costOfGap(0x100), 512u);
  EXPECT_EQ(costOfGap(0x300000), 512u);
  EXPECT_EQ(costOfGap(0x600000), size_t(2) << 20) << "another page";
  EXPECT_EQ(costOfGap(1), 0u);
  EXPECT_EQ(costOfGap(0x600080), 0u);
}

/// Three allocations, the first two of which touch.
class ApartAddresses : public testing::Test {
protected:
  ApartAddresses() {
    allocations.add(memory, 16, MemoryKind::Device);
    allocations.add(memory + 16, 16, MemoryKind::Device);
    allocations.add(memory + 48, 16, MemoryKind::Managed);
  }
  bool areApart(std::initializer_list<int> places) {
    std::vector<uintptr_t> addresses;
    for (int place : places)
      addresses.push_back(place < 0 ? 0 : reinterpret_cast<uintptr_t>(memory + place));
    return allocations.areApart(addresses);
  }

  char memory[100];
  Allocations allocations;
  static constexpr int null = -1;
};

TEST_F(ApartAddresses, OfDifferentAllocations) {
  EXPECT_TRUE(areApart({}));
  EXPECT_TRUE(areApart({15}));
  EXPECT_TRUE(areApart({0, 17, 48}));
  EXPECT_TRUE(areApart({15, 63}));
  EXPECT_TRUE(areApart({null, 0, null, 63}));
}

TEST_F(ApartAddresses, NotOfOneAllocation) {
  EXPECT_FALSE(areApart({0, 0}));
  EXPECT_FALSE(areApart({48, 63}));
  EXPECT_FALSE(areApart({48, 0, 50}));
}

TEST_F(ApartAddresses, NotOfUnknownMemory) {
  EXPECT_FALSE(areApart({0, 32})) << "the end of an allocation";
  EXPECT_FALSE(areApart({40}));
  EXPECT_FALSE(areApart({0, 64}));
}

TEST_F(ApartAddresses, EndThatIsABegin_IsInBoth) {
  EXPECT_FALSE(areApart({0, 16}));
  EXPECT_FALSE(areApart({16, 15}));
  EXPECT_TRUE(areApart({16, 48}));
  EXPECT_TRUE(areApart({16}));
}

TEST_F(ApartAddresses, NotOfMemoryWithOtherAddresses) {
  allocations.share(memory + 50);
  EXPECT_FALSE(areApart({0, 48}));
  for (MemoryKind kind : {MemoryKind::Pinned, MemoryKind::Mapped, MemoryKind::Shared}) {
    allocations.add(memory + 48, 16, kind);
    EXPECT_FALSE(areApart({0, 48}));
    EXPECT_FALSE(areApart({48}));
  }
  allocations.add(memory + 48, 16, MemoryKind::Device);
  EXPECT_TRUE(areApart({0, 48}));
}

} // namespace
