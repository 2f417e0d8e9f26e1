//===- ArgumentCopiesTest.cpp - Copies in place of foreign memory ---------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "image_generated.h"
#include "runtime/core/declared_memory.h"
#include "runtime/tuning/argument_copies.h"

#include <atomic>
#include <cstring>
#include <gtest/gtest.h>
#include <thread>

using namespace regrain;

namespace {

uintptr_t addressOf(const void *pointer) { return reinterpret_cast<uintptr_t>(pointer); }

class ArgumentCopiesTest : public testing::Test {
protected:
  void SetUp() override {
    std::string reason;
    ASSERT_EQ(regrainCpuPlugin()->probe(reason), cudaSuccess) << reason;
    ASSERT_EQ(regrainCpuPlugin()->open(0, device, reason), cudaSuccess) << reason;
    ASSERT_EQ(device->bindThread(), cudaSuccess);
  }
  std::unique_ptr<ArgumentCopies> take(const std::vector<MemoryExtent> &extents) {
    std::unique_ptr<ArgumentCopies> copies;
    EXPECT_EQ(ArgumentCopies::take(*device, extents, nullptr, copies, whyNot), cudaSuccess);
    return copies;
  }

  std::unique_ptr<Device> device;
  std::string whyNot;
};

TEST_F(ArgumentCopiesTest, EachAddress_KeepsItsContentsAndAlignment) {
  std::vector<char> first(10000, 'a'), second(77, 'b');
  MemoryExtent one = {addressOf(first.data()) + 3, 9000}, two = {addressOf(second.data()), 77};
  auto copies = take({one, two});
  EXPECT_EQ(whyNot, "");
  for (uintptr_t at : {one.begin, one.begin + 8999, two.begin, two.begin + 76}) {
    uintptr_t moved = copies->moved(at);
    EXPECT_NE(moved, at);
    EXPECT_EQ(moved % ArgumentCopies::alignment, at % ArgumentCopies::alignment);
    EXPECT_EQ(*reinterpret_cast<char *>(moved), *reinterpret_cast<char *>(at));
  }
  EXPECT_EQ(copies->moved(one.begin + 8999) - copies->moved(one.begin), 8999u);
  EXPECT_EQ(copies->moved(one.begin + 9000), 0u);
  EXPECT_EQ(copies->moved(one.begin - 1), 0u);
}

TEST_F(ArgumentCopiesTest, Copies_LieBetweenGuardsOfZeros) {
  std::vector<char> memory(5000, 'a');
  auto copies = take({{addressOf(memory.data()), memory.size()}});
  std::vector<Allocation> allocations = copies->allocations();
  ASSERT_EQ(allocations.size(), 1u);
  MemoryExtent copy = copies->copyIn(allocations[0]);
  EXPECT_EQ(copy.bytes, memory.size());
  uintptr_t begin = addressOf(allocations[0].pointer), end = begin + allocations[0].bytes;
  EXPECT_GE(copy.begin - begin, ArgumentCopies::guardBytes);
  EXPECT_GE(end - (copy.begin + copy.bytes), ArgumentCopies::guardBytes);
  for (uintptr_t at : {begin, copy.begin - 1, copy.begin + copy.bytes, end - 1})
    EXPECT_EQ(*reinterpret_cast<char *>(at), 0);
  EXPECT_GE(copies->bytes(), allocations[0].bytes);
}

TEST_F(ArgumentCopiesTest, MemoryThatChangesMeanwhile_IsNoticed) {
  std::vector<int> memory(1 << 18);
  std::atomic<bool> isOver = false;
  std::thread other([&] {
    for (volatile int *word = &memory.back(); !isOver;)
      *word = *word + 1;
  });
  for (int attempt = 0; whyNot.empty() && attempt < 10000; ++attempt)
    take({{addressOf(memory.data()), memory.size() * sizeof(int)}});
  isOver = true;
  other.join();
  EXPECT_EQ(whyNot, "other work of the process changed the memory while it was copied");
}

TEST_F(ArgumentCopiesTest, Arguments_PointIntoTheCopies) {
  std::vector<int> memory(100);
  flatbuffers::FlatBufferBuilder builder;
  std::vector<flatbuffers::Offset<image::Parameter>> parameters = {
      image::CreateParameter(builder, 0, 8, /*pointer=*/true),
      image::CreateParameter(builder, 8, 4), image::CreateParameter(builder, 16, 8, true),
      image::CreateParameter(builder, 24, 8, true)};
  builder.Finish(image::CreateKernelDirect(builder, "k", "k()", "k.cu", 1, &parameters));
  const auto &kernel = *flatbuffers::GetRoot<image::Kernel>(builder.GetBufferPointer());
  int *begin = memory.data(), *middle = begin + 50, *none = nullptr, number = 7;
  void *arguments[] = {&begin, &number, &middle, &none};
  auto copies = take({{addressOf(begin), 400}});
  MovedArguments moved(kernel, arguments,
                       {{0, true, addressOf(begin)}, {2, true, addressOf(middle)}, {3, true, 0}},
                       *copies);
  auto pointerAt = [&](int index) { return *static_cast<int **>(moved.values()[index]); };
  EXPECT_EQ(addressOf(pointerAt(0)), copies->moved(addressOf(begin)));
  EXPECT_EQ(pointerAt(2) - pointerAt(0), 50);
  EXPECT_EQ(pointerAt(3), nullptr);
  EXPECT_EQ(*static_cast<int *>(moved.values()[1]), 7);
  EXPECT_EQ(begin, memory.data());
}

TEST(DeclaredMemory, IsThatOfTheThread_AndOverlapsAreOne) {
  declareMemory({1000, 100});
  declareMemory({1050, 100});
  declareMemory({2000, 10});
  std::optional<MemoryExtent> found = declaredAround(1149);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->begin, 1000u);
  EXPECT_EQ(found->bytes, 150u);
  EXPECT_FALSE(declaredAround(1150));
  std::thread([] { EXPECT_FALSE(declaredAround(2000)); }).join();
  withdrawMemory({1050, 100});
  withdrawMemory({2000, 11});
  EXPECT_FALSE(declaredAround(1149));
  EXPECT_TRUE(declaredAround(2000));
  withdrawMemory({1000, 100});
  withdrawMemory({2000, 10});
  EXPECT_FALSE(declaredAround(1000));
}

} // namespace
