//===- tuning/ResultReadsTest.cpp - Whether a launch reads its results ----===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/tuning/result_reads.h"

#include <gtest/gtest.h>

using namespace regrain;

namespace {

struct Accessed {
  const char *memory;
  bool reads, writes;
};

constexpr uintptr_t first = 0x10000, second = 0x20000, variable = 0x30000, elsewhere = 0x90000;

struct Launch {
  std::vector<Accessed> accesses = {{"parameter 0", true, false}, {"parameter 1", false, true}};
  std::vector<uintptr_t> pointers = {first, second};
  bool staysInArguments = true;
  bool hasFootprint = true;
};

bool isProved(const Launch &launch) {
  flatbuffers::FlatBufferBuilder builder;
  std::vector<flatbuffers::Offset<image::FootprintAccess>> accesses;
  for (const Accessed &each : launch.accesses)
    accesses.push_back(
        image::CreateFootprintAccessDirect(builder, each.memory, each.reads, each.writes));
  auto footprint = image::CreateFootprintDirect(builder, nullptr, &accesses);
  auto symbol = builder.CreateString("k");
  auto alternatives = builder.CreateVector(std::vector<flatbuffers::Offset<image::Alternative>>());
  image::KernelBuilder kernel(builder);
  kernel.add_symbol(symbol);
  kernel.add_name(symbol);
  kernel.add_alternatives(alternatives);
  kernel.add_stays_in_arguments(launch.staysInArguments);
  if (launch.hasFootprint)
    kernel.add_footprint(footprint);
  builder.Finish(kernel.Finish());
  auto pointerTo = [](uintptr_t address) { return reinterpret_cast<void *>(address); };
  std::vector<Allocation> owned = {{pointerTo(first), 0x1000, MemoryKind::Device},
                                   {pointerTo(second), 0x1000, MemoryKind::Device},
                                   {pointerTo(variable), 0x1000, MemoryKind::Variable}};
  std::vector<ArgumentWord> words;
  for (uint32_t i = 0; i < launch.pointers.size(); ++i)
    words.push_back({i, true, launch.pointers[i]});
  return readsNoResults(*flatbuffers::GetRoot<image::Kernel>(builder.GetBufferPointer()), words,
                        owned);
}

TEST(ResultReads, WritesOneAllocationAndReadsAnother_Proved) {
  EXPECT_TRUE(isProved({}));
  EXPECT_TRUE(isProved({.pointers = {first, 0}})); // nothing is written through null
  EXPECT_TRUE(isProved({.accesses = {{"parameter 0", false, true}, {"table", true, false}}}));
}

TEST(ResultReads, ReadsWhatItWrites_NotProved) {
  EXPECT_FALSE(
      isProved({.accesses = {{"parameter 0", true, false}, {"parameter 0", false, true}}}));
  EXPECT_FALSE(isProved({.accesses = {{"parameter 1", true, true}}})); // an atomic operation
  EXPECT_FALSE(isProved({.accesses = {{"count", true, false}, {"count", false, true}}}));
}

TEST(ResultReads, TwoParametersPointIntoOneAllocation_NotProved) {
  EXPECT_FALSE(isProved({.pointers = {first, first + 0x800}}));
  EXPECT_FALSE(isProved({.pointers = {first, variable}}));
}

TEST(ResultReads, SomethingIsNotKnown_NotProved) {
  EXPECT_FALSE(
      isProved({.accesses = {{"other memory", true, false}, {"parameter 1", false, true}}}));
  EXPECT_FALSE(
      isProved({.accesses = {{"parameter 7", true, false}, {"parameter 1", false, true}}}));
  EXPECT_FALSE(isProved({.pointers = {elsewhere, second}}));
  EXPECT_FALSE(isProved({.staysInArguments = false}));
  EXPECT_FALSE(isProved({.hasFootprint = false}));
}

} // namespace
