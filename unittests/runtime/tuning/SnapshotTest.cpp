//===- tuning/SnapshotTest.cpp - Copies of device memory on the CPU -------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The CPU device's memory is the host's: the tests write to it themselves.
//
//===----------------------------------------------------------------------===//
#include "runtime/tuning/expected_memory.h"

#include <gtest/gtest.h>

#include <cstring>

using namespace regrain;

namespace {

constexpr size_t page = 16 << 10;

class SnapshotTest : public testing::TestWithParam<Snapshot::Place> {
protected:
  void SetUp() override {
    std::string reason;
    ASSERT_EQ(regrainCpuPlugin()->probe(reason), cudaSuccess) << reason;
    ASSERT_EQ(regrainCpuPlugin()->open(0, device, reason), cudaSuccess) << reason;
    ASSERT_EQ(device->bindThread(), cudaSuccess);
  }
  void TearDown() override {
    for (void *memory : allocated)
      EXPECT_EQ(device->free(memory), cudaSuccess);
  }

  MemoryRange allocate(size_t bytes) {
    void *memory = nullptr;
    EXPECT_EQ(device->allocate(bytes, memory), cudaSuccess);
    allocated.push_back(memory);
    std::memset(memory, 1, bytes);
    return {static_cast<std::byte *>(memory), bytes};
  }
  std::unique_ptr<Snapshot> take(std::vector<MemoryRange> ranges) {
    std::unique_ptr<Snapshot> snapshot;
    EXPECT_EQ(Snapshot::take(*device, std::move(ranges), GetParam(), nullptr, snapshot),
              cudaSuccess);
    return snapshot;
  }
  /// Returns them as offsets from `from`.
  static std::vector<std::pair<size_t, size_t>> changed(Snapshot &snapshot, MemoryRange from) {
    std::vector<MemoryRange> ranges;
    EXPECT_EQ(snapshot.changed(ranges), cudaSuccess);
    std::vector<std::pair<size_t, size_t>> offsets;
    for (const MemoryRange &range : ranges)
      offsets.push_back({size_t(range.begin - from.begin), range.bytes});
    return offsets;
  }
  using Offsets = std::vector<std::pair<size_t, size_t>>;

  static const std::byte *firstDifference(std::vector<Snapshot *> layers, MemoryRange range) {
    const std::byte *at = range.begin;
    EXPECT_EQ(ExpectedMemory(std::move(layers)).firstDifference({range}, at), cudaSuccess);
    return at;
  }

  std::unique_ptr<Device> device;
  std::vector<void *> allocated;
};

TEST_P(SnapshotTest, Untouched_NothingHasChanged) {
  MemoryRange memory = allocate(3 * page + 7), byte = allocate(1);
  auto snapshot = take({memory, byte});
  EXPECT_EQ(changed(*snapshot, memory), Offsets());
  EXPECT_EQ(firstDifference({snapshot.get()}, memory), nullptr);
}

TEST_P(SnapshotTest, OfNothing_IsEmpty) {
  auto snapshot = take({});
  EXPECT_EQ(changed(*snapshot, {}), Offsets());
  EXPECT_EQ(snapshot->restore(nullptr), cudaSuccess);
}

TEST_P(SnapshotTest, Changes_AreWholePagesJoined) {
  MemoryRange memory = allocate(6 * page + 7);
  auto snapshot = take({memory});
  for (size_t at : {page + 5, 3 * page - 1, 6 * page + 6})
    memory.begin[at] = std::byte(9);
  EXPECT_EQ(changed(*snapshot, memory), (Offsets{{page, 2 * page}, {6 * page, 7}}));
  auto firstIn = [&](size_t offset, size_t bytes) {
    return firstDifference({snapshot.get()}, {memory.begin + offset, bytes}) - memory.begin;
  };
  EXPECT_EQ(firstIn(page, 2 * page), page + 5);
  EXPECT_EQ(firstIn(page + 6, 5 * page), 3 * page - 1);
  EXPECT_EQ(firstIn(3 * page, 3 * page + 7), 6 * page + 6);
}

TEST_P(SnapshotTest, Layers_TheLastThatHasThePlaceCounts) {
  MemoryRange memory = allocate(6 * page), other = allocate(page);
  auto before = take({memory, other});
  std::memset(memory.begin + page, 2, 2 * page);
  auto after = take({{memory.begin + page, 2 * page}});
  std::memset(memory.begin + 2 * page, 3, page);
  auto onTop = take({{memory.begin + 2 * page, page}});
  ExpectedMemory expected({before.get(), after.get(), onTop.get()});
  std::vector<MemoryRange> wrong;
  EXPECT_EQ(expected.differing(wrong), cudaSuccess);
  EXPECT_TRUE(wrong.empty());
  EXPECT_EQ(firstDifference({before.get(), after.get()}, memory), memory.begin + 2 * page);
  EXPECT_EQ(firstDifference({before.get()}, memory), memory.begin + page);

  std::memset(memory.begin, 9, memory.bytes);
  other.begin[5] = std::byte(9);
  EXPECT_EQ(expected.differing(wrong), cudaSuccess);
  EXPECT_EQ(totalBytes(wrong), memory.bytes + other.bytes);
  EXPECT_EQ(expected.restore(wrong, nullptr), cudaSuccess);
  EXPECT_EQ(device->synchronize(), cudaSuccess);
  for (auto [number, value] : {std::pair(0, 1), {1, 2}, {2, 3}, {3, 1}, {5, 1}})
    EXPECT_EQ(memory.begin[number * page + 7], std::byte(value)) << number;
  EXPECT_EQ(other.begin[5], std::byte(1));
}

TEST(MemoryRangesTest, ArePutTogetherAndTakenApart) {
  static std::byte memory[100];
  using Ranges = std::vector<MemoryRange>;
  auto text = [](const Ranges &ranges) {
    std::string all;
    for (const MemoryRange &range : ranges)
      all += std::to_string(range.begin - memory) + "+" + std::to_string(range.bytes) + " ";
    return all;
  };
  Ranges two = {{memory + 10, 20}, {memory + 50, 10}};
  Ranges across = {{memory + 5, 10}, {memory + 20, 5}, {memory + 28, 30}};
  EXPECT_EQ(text(outside(two, across)), "15+5 25+3 58+2 ");
  EXPECT_EQ(text(within(two, across)), "10+5 20+5 28+2 50+8 ");
  EXPECT_EQ(text(together(two, across)), "5+10 15+5 20+5 25+3 28+30 58+2 ");
  EXPECT_EQ(text(outside(two, {})), "10+20 50+10 ");
  EXPECT_EQ(text(outside({}, two)), "");
}

TEST_P(SnapshotTest, PiecesThatTouch_AreNotJoined) {
  MemoryRange memory = allocate(2 * page);
  auto snapshot = take({{memory.begin + page, page}, {memory.begin, page}});
  memory.begin[page - 1] = memory.begin[page] = std::byte(9);
  EXPECT_EQ(changed(*snapshot, memory), (Offsets{{0, page}, {page, page}}));
}

TEST_P(SnapshotTest, Restore_WritesBackThatAlone) {
  MemoryRange memory = allocate(2 * page + 3), other = allocate(5);
  auto snapshot = take({memory, other});
  for (std::byte *at :
       {memory.begin, memory.begin + 2 * page, memory.begin + 2 * page + 2, other.begin + 4})
    *at = std::byte(9);
  EXPECT_EQ(snapshot->restore({{memory.begin + 2 * page, 2}}, nullptr), cudaSuccess);
  EXPECT_EQ(device->synchronize(), cudaSuccess);
  EXPECT_EQ(memory.begin[0], std::byte(9));
  EXPECT_EQ(memory.begin[2 * page], std::byte(1));
  EXPECT_EQ(memory.begin[2 * page + 2], std::byte(9));
  EXPECT_EQ(snapshot->restore(nullptr), cudaSuccess);
  EXPECT_EQ(changed(*snapshot, memory), Offsets());
  EXPECT_EQ(other.begin[4], std::byte(1));
}

TEST_P(SnapshotTest, ManyRanges_AreJoinedOverGaps) {
  constexpr size_t pages = 1200;
  MemoryRange memory = allocate(pages * page), far = allocate(page);
  auto snapshot = take({memory, far});
  for (size_t i = 1; i < pages; i += 4)
    memory.begin[i * page] = std::byte(9);
  far.begin[0] = std::byte(9);
  std::vector<MemoryRange> ranges;
  EXPECT_EQ(snapshot->changed(ranges), cudaSuccess);
  EXPECT_LE(ranges.size(), 256u);
  EXPECT_LE(totalBytes(ranges), (pages + 1) * page);
  EXPECT_EQ(snapshot->restore(ranges, nullptr), cudaSuccess);
  EXPECT_EQ(changed(*snapshot, memory), Offsets());
}

TEST_P(SnapshotTest, LargePiece_IsSeenToItsEnd) {
  constexpr size_t bytes = (64 << 20) + 5; // more than goes through the host at once
  MemoryRange memory = allocate(bytes);
  memory.begin[bytes - 5] = std::byte(2);
  auto snapshot = take({memory});
  EXPECT_EQ(changed(*snapshot, memory), Offsets());
  memory.begin[bytes - 3] = std::byte(9);
  EXPECT_EQ(changed(*snapshot, memory), (Offsets{{64 << 20, 5}}));
}

TEST_P(SnapshotTest, NoRoom_SaysSo) {
  MemoryRange memory = allocate(1);
  std::unique_ptr<Snapshot> snapshot;
  EXPECT_EQ(
      Snapshot::take(*device, {{memory.begin, size_t(1) << 50}}, GetParam(), nullptr, snapshot),
      cudaErrorMemoryAllocation);
  EXPECT_EQ(snapshot, nullptr);
}

INSTANTIATE_TEST_SUITE_P(Places, SnapshotTest,
                         testing::Values(Snapshot::Place::Device, Snapshot::Place::Host),
                         [](const auto &place) {
                           return place.param == Snapshot::Place::Device ? "Device" : "Host";
                         });

} // namespace
