//===- ReachTest.cpp - Memory that a launch can reach ---------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/tuning/reach.h"

#include <gtest/gtest.h>

using namespace regrain;

namespace {

constexpr uintptr_t deviceAt = 0x10000, pinnedAt = 0x20000, managedAt = 0x30000, otherAt = 0x40000,
                    nowhere = 0x90000;
constexpr size_t bytes = 0x1000;

Allocation at(uintptr_t address, MemoryKind kind) {
  return {reinterpret_cast<void *>(address), bytes, kind};
}

/// Returns the surroundings of a kernel that stays in its arguments, on a device
/// that only has its own memory.
LaunchSurroundings launchWith(std::vector<ArgumentWord> words) {
  LaunchSurroundings launch;
  launch.words = std::move(words);
  launch.staysInArguments = true;
  launch.usesSystemScope = false;
  launch.owned = {at(deviceAt, MemoryKind::Device)};
  launch.isForeign = [](uintptr_t address) { return address == nowhere; };
  return launch;
}

ArgumentWord pointer(uintptr_t value) { return {0, true, value}; }
ArgumentWord inStructure(uintptr_t value) { return {1, false, value}; }

TEST(Reach, DeviceMemory_IsIsolated) {
  EXPECT_EQ(whyNotIsolated(launchWith({pointer(deviceAt), pointer(deviceAt + bytes - 4)})), "");
  EXPECT_EQ(whyNotIsolated(launchWith({inStructure(deviceAt + 8), pointer(0)})), "");
}

TEST(Reach, EndOfAnAllocation_IsInIt) {
  LaunchSurroundings launch = launchWith({pointer(deviceAt + bytes)});
  EXPECT_EQ(whyNotIsolated(launch), "");
  launch.words = {pointer(deviceAt + bytes + 1)};
  EXPECT_NE(whyNotIsolated(launch), "");
}

/// The host takes no part in what a kernel does to memory of its device.
TEST(Reach, SystemScope_MattersWhereThereIsAnotherDevice) {
  LaunchSurroundings launch = launchWith({pointer(deviceAt)});
  launch.usesSystemScope = true;
  EXPECT_EQ(whyNotIsolated(launch), "");
  launch.elsewhere = {at(otherAt, MemoryKind::Device)};
  EXPECT_EQ(whyNotIsolated(launch), "the kernel has a fence or an atomic operation of system "
                                    "scope, and the program has memory on another device");
  launch.usesSystemScope = false;
  EXPECT_EQ(whyNotIsolated(launch), "");
}

/// An address between two allocations may be the end of one or the beginning of the other.
TEST(Reach, EndThatIsABegin_IsInBoth) {
  LaunchSurroundings launch = launchWith({pointer(deviceAt + bytes)});
  launch.owned.push_back(at(deviceAt + bytes, MemoryKind::Pinned));
  EXPECT_EQ(whyNotIsolated(launch), "argument 0 points to page-locked host memory, which the "
                                    "program may change during a measurement");
}

TEST(Reach, HostMemory_IsNot) {
  for (MemoryKind kind : {MemoryKind::Pinned, MemoryKind::Mapped}) {
    LaunchSurroundings launch = launchWith({pointer(pinnedAt)});
    launch.owned.push_back(at(pinnedAt, kind));
    EXPECT_EQ(whyNotIsolated(launch), "argument 0 points to page-locked host memory, which the "
                                      "program may change during a measurement");
    launch.words = {inStructure(pinnedAt + 16)};
    EXPECT_EQ(whyNotIsolated(launch), "argument 1 holds an address of page-locked host memory, "
                                      "which the program may change during a measurement");
  }
}

TEST(Reach, HostMemoryThatNoArgumentNames_IsNoObstacle) {
  LaunchSurroundings launch = launchWith({pointer(deviceAt)});
  launch.owned.push_back(at(pinnedAt, MemoryKind::Pinned));
  EXPECT_EQ(whyNotIsolated(launch), "");
}

TEST(Reach, ForeignMemory_IsNot) {
  EXPECT_EQ(
      whyNotIsolated(launchWith({pointer(nowhere)})),
      "argument 0 points to memory that Regrain's runtime did not allocate, and cannot restore");
  EXPECT_EQ(whyNotIsolated(launchWith({inStructure(nowhere)})),
            "argument 1 holds an address of memory that Regrain's runtime did not allocate, and "
            "cannot restore");
  // An unknown pointer is still a pointer; a number in a structure is not.
  EXPECT_NE(whyNotIsolated(launchWith({pointer(0x77)})), "");
  EXPECT_EQ(whyNotIsolated(launchWith({inStructure(0x77)})), "");
}

TEST(Reach, OtherDevicesMemory_IsNot) {
  LaunchSurroundings launch = launchWith({inStructure(otherAt)});
  launch.elsewhere = {at(otherAt, MemoryKind::Device)};
  EXPECT_EQ(whyNotIsolated(launch), "argument 1 holds an address of memory of another device");
}

TEST(Reach, ManagedMemory_IsWhereNoOtherThreadRuns) {
  LaunchSurroundings launch = launchWith({pointer(managedAt)});
  launch.owned.push_back(at(managedAt, MemoryKind::Managed));
  EXPECT_EQ(whyNotIsolated(launch), "");
  EXPECT_TRUE(isSaved(launch, launch.owned.back()));
  launch.otherThreads = 1;
  EXPECT_EQ(whyNotIsolated(launch), "argument 0 points to managed memory, which 1 other thread of "
                                    "the program may use during a measurement");
  EXPECT_FALSE(isSaved(launch, launch.owned.back()));
  launch.words = {pointer(deviceAt)};
  EXPECT_EQ(whyNotIsolated(launch), "") << "it is not reached";
}

TEST(Reach, MemoryOfSeveralProcesses_IsNotSaved) {
  LaunchSurroundings launch = launchWith({pointer(otherAt)});
  launch.owned.push_back(at(otherAt, MemoryKind::Shared));
  EXPECT_EQ(whyNotIsolated(launch),
            "argument 0 points to memory that another process may change during a measurement "
            "(cudaIpcGetMemHandle)");
  EXPECT_FALSE(isSaved(launch, launch.owned.back()));
}

TEST(Reach, ManagedVariable_MayAlwaysBeReached) {
  LaunchSurroundings launch = launchWith({pointer(deviceAt)});
  launch.owned.push_back(at(managedAt, MemoryKind::ManagedVariable));
  EXPECT_EQ(whyNotIsolated(launch), "");
  launch.otherThreads = 2;
  EXPECT_NE(whyNotIsolated(launch), "");
}

TEST(Reach, TextureOfHostMemory_MayAlwaysBeRead) {
  LaunchSurroundings launch = launchWith({pointer(deviceAt)});
  launch.hasTextureOfHost = true;
  EXPECT_EQ(whyNotIsolated(launch),
            "the program has a texture of memory that it may change during a measurement");
}

/// Each fact is tested separately, for a kernel that loads addresses.
TEST(Reach, LoadedAddresses_MayLeadAnywhere) {
  LaunchSurroundings launch = launchWith({pointer(deviceAt)});
  launch.staysInArguments = false;
  EXPECT_EQ(whyNotIsolated(launch), "");
  auto refused = [&](auto change) {
    LaunchSurroundings changed = launch;
    change(changed);
    std::string loading = whyNotIsolated(changed);
    changed.staysInArguments = true;
    EXPECT_EQ(whyNotIsolated(changed), "") << "the nearest that is isolated";
    return loading.substr(0, loading.find(','));
  };
  const std::string reason = "the kernel may use more memory than its arguments point to";
  EXPECT_EQ(refused([](auto &l) { l.owned.push_back(at(pinnedAt, MemoryKind::Pinned)); }), reason);
  EXPECT_EQ(refused([](auto &l) { l.elsewhere.push_back(at(otherAt, MemoryKind::Device)); }),
            reason);
  EXPECT_EQ(refused([](auto &l) { l.mayHaveHeap = true; }), reason);
  EXPECT_EQ(refused([](auto &l) { l.reachesAllOfHost = true; }), reason);
  EXPECT_EQ(refused([](auto &l) {
              l.owned.push_back(at(managedAt, MemoryKind::Managed));
              l.otherThreads = 1;
            }),
            reason);
  launch.owned.push_back(at(managedAt, MemoryKind::Managed));
  EXPECT_EQ(whyNotIsolated(launch), "") << "managed memory is saved where no other thread runs";
}

/// Returns a launch of which argument 0 points to memory of another allocator.
LaunchSurroundings launchOnForeign() {
  LaunchSurroundings launch = launchWith({pointer(nowhere + 16)});
  launch.mayWriteVariables = false;
  launch.memoryExtent = [](uintptr_t address, MemoryExtent &extent, std::string &reason) {
    extent = {nowhere, 0x100};
    reason = "which is the host's";
    return address - nowhere < 0x100;
  };
  return launch;
}

std::string whyNotOnCopies(const LaunchSurroundings &launch) {
  std::vector<MemoryExtent> extents;
  return whyNotOnCopies(launch, extents);
}

const std::string foreign = "argument 0 points to memory that Regrain's runtime did not allocate, ";

TEST(Copies, OfAllThatTheArgumentsReach) {
  LaunchSurroundings launch = launchOnForeign();
  launch.words.push_back(pointer(deviceAt + 8));
  launch.words.push_back(pointer(nowhere + 32));
  launch.words.push_back(pointer(0));
  EXPECT_TRUE(reachesOtherAllocators(launch));
  std::vector<MemoryExtent> extents;
  EXPECT_EQ(whyNotOnCopies(launch, extents), "");
  ASSERT_EQ(extents.size(), 2u);
  EXPECT_EQ(extents[0].begin, deviceAt);
  EXPECT_EQ(extents[0].bytes, bytes);
  EXPECT_EQ(extents[1].begin, nowhere);
  EXPECT_EQ(extents[1].bytes, 0x100u);
  EXPECT_FALSE(reachesOtherAllocators(launchWith({pointer(deviceAt)})));
}

TEST(Copies, OverlappingExtents_AreOne) {
  LaunchSurroundings launch = launchOnForeign();
  launch.words.push_back(pointer(nowhere + 0x120));
  launch.memoryExtent = [](uintptr_t address, MemoryExtent &extent, std::string &) {
    extent = {address < nowhere + 0x100 ? nowhere : nowhere + 0x80, 0x100};
    return true;
  };
  std::vector<MemoryExtent> extents;
  EXPECT_EQ(whyNotOnCopies(launch, extents), "");
  ASSERT_EQ(extents.size(), 1u);
  EXPECT_EQ(extents[0].begin, nowhere);
  EXPECT_EQ(extents[0].bytes, 0x180u);
}

/// A kernel that is given the begin and the end of a range would run on through the guards.
TEST(Copies, TouchingExtents_AreOne) {
  LaunchSurroundings launch = launchOnForeign();
  launch.words.push_back(pointer(nowhere + 0x100));
  launch.memoryExtent = [](uintptr_t address, MemoryExtent &extent, std::string &) {
    extent = {address < nowhere + 0x100 ? nowhere : nowhere + 0x100, 0x100};
    return true;
  };
  std::vector<MemoryExtent> extents;
  EXPECT_EQ(whyNotOnCopies(launch, extents), "");
  ASSERT_EQ(extents.size(), 1u);
  EXPECT_EQ(extents[0].begin, nowhere);
  EXPECT_EQ(extents[0].bytes, 0x200u);
}

TEST(Copies, AddressBetweenTwoAllocations_JoinsThem) {
  LaunchSurroundings launch = launchOnForeign();
  launch.owned.push_back(at(deviceAt + bytes, MemoryKind::Device));
  launch.words.push_back(pointer(deviceAt + bytes));
  std::vector<MemoryExtent> extents;
  EXPECT_EQ(whyNotOnCopies(launch, extents), "");
  ASSERT_EQ(extents.size(), 2u);
  EXPECT_EQ(extents[0].bytes, 2 * bytes);
}

TEST(Copies, MemoryWithoutAnExtent_SaysWhy) {
  LaunchSurroundings launch = launchOnForeign();
  launch.words = {pointer(nowhere + 0x100)};
  EXPECT_EQ(whyNotOnCopies(launch), foreign + "which is the host's");
}

TEST(Copies, WhatTheKernelMayDoBesides_Refuses) {
  LaunchSurroundings launch = launchOnForeign();
  launch.staysInArguments = false;
  EXPECT_EQ(whyNotOnCopies(launch),
            foreign + "and the kernel may use more memory than its arguments point to");
  launch = launchOnForeign();
  launch.usesSystemScope = true;
  EXPECT_NE(whyNotOnCopies(launch).find("system scope"), std::string::npos);
  launch = launchOnForeign();
  launch.hasTextures = true;
  EXPECT_NE(whyNotOnCopies(launch).find("textures"), std::string::npos);
  launch = launchOnForeign();
  launch.owned.push_back(at(otherAt, MemoryKind::Variable));
  EXPECT_EQ(whyNotOnCopies(launch), "");
  launch.mayWriteVariables = true;
  EXPECT_NE(whyNotOnCopies(launch).find("may write variables"), std::string::npos);
}

/// A number that happens to be an address would be changed, and a pointer would not be moved.
TEST(Copies, AddressesInStructures_Refuse) {
  LaunchSurroundings launch = launchOnForeign();
  launch.words.push_back(inStructure(deviceAt));
  EXPECT_NE(whyNotOnCopies(launch).find("argument 1 holds an address"), std::string::npos);
  launch.words.back() = inStructure(nowhere);
  EXPECT_NE(whyNotOnCopies(launch).find("argument 1 holds an address"), std::string::npos);
  launch.words.back() = inStructure(12345);
  EXPECT_EQ(whyNotOnCopies(launch), "");
}

TEST(Copies, OtherMemoryOfTheProgram_IsRefusedAsAlways) {
  LaunchSurroundings launch = launchOnForeign();
  launch.words.push_back({1, true, pinnedAt});
  launch.owned.push_back(at(pinnedAt, MemoryKind::Pinned));
  EXPECT_NE(whyNotOnCopies(launch).find("page-locked"), std::string::npos);
  launch.words.back() = {1, true, managedAt};
  launch.owned.back() = at(managedAt, MemoryKind::Managed);
  EXPECT_NE(whyNotOnCopies(launch).find("managed memory or a variable"), std::string::npos);
  launch.words.back() = {1, true, deviceAt + bytes};
  EXPECT_NE(whyNotOnCopies(launch).find("the end of an allocation"), std::string::npos);
  launch = launchOnForeign();
  launch.owned.push_back(at(otherAt, MemoryKind::ManagedVariable));
  launch.otherThreads = 1;
  EXPECT_NE(whyNotOnCopies(launch).find("managed variables"), std::string::npos);
}

} // namespace
