//===- AllocationsTest.cpp - Memory of the program on the devices ---------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/core/allocations.h"

#include <gtest/gtest.h>

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

} // namespace
