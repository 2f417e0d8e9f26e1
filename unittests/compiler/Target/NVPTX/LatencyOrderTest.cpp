//===- LatencyOrderTest.cpp - Issue times of machine code -----------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/NVPTX/Assembler/LatencyOrder.h"

#include "gtest/gtest.h"

using namespace regrain::nvptx;

namespace {

constexpr unsigned load = 0x981, multiply = 0x223, root = 0x308;
constexpr unsigned none = 7;

/// Writes instructions of 16 bytes.
class Code {
public:
  Code &add(unsigned opcode, unsigned cycles, unsigned releases = none, unsigned waits = 0,
            unsigned reads = none) {
    uint64_t control = cycles | releases << 5 | reads << 8 | waits << 11;
    append(opcode, control << 41);
    return *this;
  }

  /// A branch whose target is the instruction `target` of the code.
  Code &branch(unsigned target, unsigned capability = 90) {
    int64_t words = (int64_t(target) * 16 - int64_t(bytes.size()) - 16) / 4;
    uint64_t rest = capability < 90 ? words : words >> 8;
    uint64_t low = capability < 90 ? 0 : (words & 255) << 16;
    append(0x947 | low | rest << 34, (rest >> 30 & 0x3ffff) | uint64_t(5) << 41 |
                                         uint64_t(none) << 46 | uint64_t(none) << 49);
    return *this;
  }

  KernelTimes times(unsigned capability = 90) const { return *issueTimes(bytes, capability); }

  std::vector<uint8_t> bytes;

private:
  void append(uint64_t low, uint64_t high) {
    for (uint64_t word : {low, high})
      for (unsigned byte = 0; byte < 8; ++byte)
        bytes.push_back(word >> 8 * byte & 255);
  }
};

TEST(IssueTimes, FixedLatencies_AreAdded) {
  KernelTimes times = Code().add(multiply, 4).add(multiply, 2).times();
  EXPECT_EQ(times.whole.instructions, 2u);
  EXPECT_EQ(times.whole.results, 0u);
  EXPECT_EQ(times.whole.near, 6u);
  EXPECT_EQ(times.whole.far, 6u);
  EXPECT_TRUE(times.loops.empty());
}

TEST(IssueTimes, Loads_AreUnderWayTogetherUntilOneIsWaitedFor) {
  Code together, apart;
  together.add(load, 4, 0).add(load, 4, 1).add(multiply, 4, none, 0b11);
  apart.add(load, 4, 0).add(multiply, 4, none, 0b01).add(load, 4, 1).add(multiply, 4, none, 0b10);
  EXPECT_EQ(together.times().whole.near, 4u + 35 + 4);
  EXPECT_EQ(apart.times().whole.near, 2 * (35u + 4));
  EXPECT_EQ(apart.times().whole.far - apart.times().whole.near, 2 * (280u - 35));
  EXPECT_EQ(together.times().whole.results, 2u);
}

TEST(IssueTimes, OtherResults_TakeTheSameWhereverDataIs) {
  KernelTimes times = Code().add(root, 1, 3).add(multiply, 4, none, 0b1000).times();
  EXPECT_EQ(times.whole.near, 24u + 4);
  EXPECT_EQ(times.whole.far, times.whole.near);
}

TEST(IssueTimes, ReadOperands_AreWaitedForLessLong) {
  EXPECT_EQ(Code().add(load, 1, none, 0, 2).add(multiply, 4, none, 0b100).times().whole.near, 12u);
}

TEST(IssueTimes, InnermostLoops_AreTimedByTheirIterations) {
  for (unsigned capability : {80u, 90u, 120u}) {
    Code code; // for (;;) { for (;;) load; }, and the branch onto itself that ends a kernel
    code.add(multiply, 4).add(multiply, 4).add(load, 4, 0).add(multiply, 4, none, 1);
    code.branch(2, capability).branch(1, capability).branch(6, capability);
    KernelTimes times = code.times(capability);
    ASSERT_EQ(times.loops.size(), 1u) << capability;
    EXPECT_EQ(times.loops[0].instructions, 3u);
    EXPECT_EQ(times.loops[0].near, 35u + 4 + 5);
    ASSERT_EQ(times.outerLoops.size(), 1u) << capability;
    EXPECT_EQ(times.outerLoops[0].instructions, 5u);
    EXPECT_EQ(times.outerLoops[0].results, 0u) << "the inner loop's do not count";
  }
}

TEST(IssueTimes, OuterLoops_CountTheResultsAroundTheirInnerLoops) {
  Code code; // for (;;) { load; load; for (;;) load; load; }
  code.add(load, 4, 0).add(load, 4, 1).add(load, 4, 2, 0b11).branch(2).add(load, 4, 3).branch(0);
  KernelTimes times = code.times();
  ASSERT_EQ(times.outerLoops.size(), 1u);
  EXPECT_EQ(times.outerLoops[0].results, 3u);
  EXPECT_EQ(times.loops[0].results, 1u);
  EXPECT_EQ(times.outerLoops[0].instructions, 6u);
}

TEST(IssueTimes, OfAnIteration_IncludeWhatTheOneBeforeLeftUnderWay) {
  Code code;
  code.add(multiply, 4, none, 1).add(load, 4, 0).branch(0);
  EXPECT_EQ(code.times().loops[0].far, 280u + 4);
}

TEST(IssueTimes, UnknownCode_HasNone) {
  std::vector<uint8_t> code = Code().add(multiply, 4).bytes;
  EXPECT_FALSE(issueTimes(code, 75));
  EXPECT_FALSE(issueTimes(code, 130));
  EXPECT_FALSE(issueTimes({}, 90));
  EXPECT_FALSE(issueTimes(llvm::ArrayRef(code).drop_back(), 90));
  EXPECT_FALSE(issueTimesOf(std::vector<char>{'E', 'L', 'F'}, 90).contains("k"));
}

IssueTimes part(uint64_t near, uint64_t far, unsigned results = 8, unsigned instructions = 100) {
  return {instructions, results, near, far};
}

OrderedCode kernel(int32_t registers, std::initializer_list<IssueTimes> loops,
                   IssueTimes whole = part(1000, 3000), int32_t occupancy = 50) {
  return {registers, 0, 0, occupancy, {whole, loops}};
}

TEST(LatencyOrder, MattersWhereSeveralResultsAreWaitedFor) {
  EXPECT_TRUE(waitsForResults({part(9, 9, 9), {part(9, 9, 2), part(9, 9, 4)}}));
  EXPECT_FALSE(waitsForResults({part(9, 9, 9), {part(9, 9, 3)}})) << "but in front of the loop";
  EXPECT_TRUE(waitsForResults({part(9, 9, 4), {}}));
  EXPECT_FALSE(waitsForResults({part(9, 9, 9, 20001), {part(9, 9, 9)}}));
  EXPECT_TRUE(waitsForResults({part(9, 9, 9), {part(9, 9, 3)}, {part(9, 9, 4)}}));
  EXPECT_FALSE(waitsForResults({part(9, 9, 9), {part(9, 9, 3)}, {part(9, 9, 3)}}));
}

TEST(LatencyOrder, IsChangedIfALoopIsFasterAndNoneSlower) {
  OrderedCode original = kernel(32, {part(200, 600), part(100, 300)});
  auto compare = [&](const OrderedCode &code) { return compareOrders(code, original); };
  EXPECT_EQ(compare(kernel(32, {part(200, 580), part(100, 300)})), Order::Better);
  EXPECT_EQ(compare(kernel(32, {part(190, 600), part(101, 303)})), Order::Better);
  EXPECT_EQ(compare(kernel(32, {part(198, 590), part(100, 300)})), Order::NoBetter) << "too little";
  EXPECT_EQ(compare(kernel(32, {part(150, 500), part(103, 300)})), Order::NoBetter);
  EXPECT_EQ(compare(kernel(32, {part(150, 500), part(100, 320)})), Order::NoBetter);
  EXPECT_EQ(compare(kernel(32, {part(150, 500, 8, 103), part(100, 300)})), Order::NoBetter);
  EXPECT_EQ(compare(kernel(32, {part(150, 500)})), Order::NoBetter) << "another form";
  EXPECT_EQ(compare(kernel(32, {part(150, 500), part(100, 300)}, part(1020, 3000))),
            Order::NoBetter);
}

TEST(LatencyOrder, SpillsOrAStackAreNotTaken) {
  OrderedCode original = kernel(32, {part(200, 600)}), code = kernel(32, {part(100, 300)});
  EXPECT_EQ(compareOrders(code, original), Order::Better);
  code.spilledBytes = 4;
  EXPECT_EQ(compareOrders(code, original), Order::NoBetter);
  code.spilledBytes = 0;
  code.stackBytes = 8;
  EXPECT_EQ(compareOrders(code, original), Order::NoBetter);
}

TEST(LatencyOrder, MoreRegistersAreTakenAsTheyAreAllocatedOrForMoreIterations) {
  OrderedCode original = kernel(33, {part(200, 600), part(50, 50, 0)});
  auto compare = [&](int32_t registers, uint64_t near, uint64_t far, int32_t occupancy = 50) {
    return compareOrders(
        kernel(registers, {part(near, far), part(50, 50, 0)}, part(1000, 3000), occupancy),
        original);
  };
  EXPECT_EQ(compare(40, 180, 540), Order::Better);
  EXPECT_EQ(compare(41, 185, 540), Order::TakesMore);
  EXPECT_EQ(compare(48, 180, 600), Order::Better);
  EXPECT_EQ(compare(48, 181, 600), Order::TakesMore);
  EXPECT_EQ(compare(48, 144, 480, 40), Order::Better) << "fewer warps, which take less time";
  EXPECT_EQ(compare(48, 150, 480, 40), Order::TakesMore);
  EXPECT_EQ(compare(48, 144, 490, 40), Order::TakesMore);
  EXPECT_EQ(compare(48, 100, 100, -1), Order::TakesMore) << "not known";
  EXPECT_EQ(compare(49, 100, 100), Order::TakesMore);
  EXPECT_EQ(compareOrders(kernel(72, {part(100, 100)}), kernel(64, {part(200, 200)})),
            Order::TakesMore)
      << "a block of 1024 threads could not be launched";
}

TEST(LatencyOrder, WithoutLoops_AllOfTheCodeCounts) {
  OrderedCode original = kernel(32, {}, part(500, 900));
  EXPECT_EQ(compareOrders(kernel(32, {}, part(500, 800)), original), Order::Better);
  EXPECT_EQ(compareOrders(kernel(32, {}, part(500, 895)), original), Order::NoBetter);
  EXPECT_EQ(compareOrders(kernel(33, {}, part(450, 800)), original), Order::TakesMore);
}

TEST(LatencyOrder, WithoutLoops_MoreRegistersAreTakenForMoreCodeIfDataIsFar) {
  auto compare = [](int32_t registers, uint64_t near, uint64_t far, int32_t occupancy,
                    unsigned instructions = 100) {
    return compareOrders(kernel(registers, {}, part(near, far, 8, instructions), occupancy),
                         kernel(48, {}, part(500, 2000), 62));
  };
  EXPECT_EQ(compare(64, 600, 1290, 50), Order::NoBetter) << "a warp takes longer if data is near";
  EXPECT_EQ(compare(64, 500, 1290, 50), Order::Better) << "six warps issue for 600 cycles";
  EXPECT_EQ(compare(64, 500, 1291, 50), Order::TakesMore);
  EXPECT_EQ(compare(64, 500, 1290, 50, 83), Order::TakesMore) << "they issue for 498";
  EXPECT_EQ(compare(64, 403, 1290, 50, 10), Order::Better) << "they end as many";
  EXPECT_EQ(compare(64, 404, 1290, 50, 10), Order::TakesMore);
  EXPECT_EQ(compare(65, 400, 1000, 50), Order::TakesMore) << "not for a block of 1024 threads";
  EXPECT_EQ(compare(64, 400, 1000, -1), Order::TakesMore) << "not known";
}

TEST(LatencyOrder, AroundLoops_MoreRegistersAreTakenIfLoopsEndNoFewer) {
  auto nest = [](int32_t registers, IssueTimes loop, IssueTimes outer, int32_t occupancy) {
    OrderedCode code = kernel(registers, {loop}, part(1000, 3000), occupancy);
    code.times.outerLoops = {outer};
    return code;
  };
  OrderedCode original = nest(40, part(200, 400, 1), part(500, 1500), 75);
  auto compare = [&](IssueTimes loop, IssueTimes outer, int32_t registers = 48) {
    return compareOrders(nest(registers, loop, outer, registers > 40 ? 62 : 75), original);
  };
  EXPECT_EQ(compare(part(200, 300, 1), part(490, 990)), Order::Better);
  EXPECT_EQ(compare(part(200, 300, 1), part(490, 993)), Order::TakesMore) << "too little";
  EXPECT_EQ(compare(part(200, 340, 1, 10), part(490, 990)), Order::TakesMore)
      << "the loop ends fewer iterations";
  EXPECT_EQ(compare(part(200, 400, 1), part(500, 1450), 40), Order::Better);
  EXPECT_EQ(compare(part(200, 400, 1), part(500, 1490), 40), Order::NoBetter);
  EXPECT_EQ(compare(part(200, 380, 1), part(500, 1520), 40), Order::NoBetter);
  EXPECT_EQ(compare(part(200, 300, 1), part(490, 990, 8, 103)), Order::NoBetter) << "longer code";
  EXPECT_EQ(compareOrders(kernel(40, {part(100, 300)}), original), Order::NoBetter)
      << "another form";
}

TEST(LatencyOrder, LimitsAreTheNextUnitOrTheHighestWithAsManyWarps) {
  auto limit = [](int32_t registers, std::initializer_list<IssueTimes> loops,
                  unsigned threads = 256) {
    regrain::Resources resources;
    resources.registers = registers;
    return limitForResults(90, resources, threads, {part(9, 9), loops});
  };
  EXPECT_EQ(limit(48, {}), 64u);
  EXPECT_EQ(limit(48, {part(9, 9)}), 56u) << "an innermost loop waits";
  EXPECT_EQ(limit(48, {part(9, 9, 3)}), 64u);
  EXPECT_EQ(limit(33, {}), 48u);
  EXPECT_EQ(limit(32, {}), 40u);
  EXPECT_EQ(limit(48, {}, 128), 56u);
  EXPECT_EQ(limit(64, {}), 72u) << "with which a block of 1024 threads could not be launched";
}

TEST(LatencyOrder, FewerRegistersAreTakenForMoreWarpsAtLittleCost) {
  OrderedCode original = kernel(40, {part(200, 600, 8, 50), part(50, 50, 0)}, part(1000, 3000), 75);
  auto gains = [&](uint64_t near, uint64_t far, int32_t occupancy = 100, unsigned longer = 0) {
    return gainsWarps(kernel(32, {part(near, far, 8, 50 + longer), part(50, 50, 0)},
                             part(1000, 3000, 8, 100 + longer), occupancy),
                      original);
  };
  EXPECT_TRUE(gains(200, 600));
  EXPECT_TRUE(gains(212, 636));
  EXPECT_FALSE(gains(213, 600)) << "if no more blocks are launched than were resident before";
  EXPECT_FALSE(gains(200, 637));
  EXPECT_TRUE(gains(200, 600, 79));
  EXPECT_FALSE(gains(200, 600, 78)) << "too little";
  EXPECT_FALSE(gains(190, 560, 75)) << "no more warps";
  EXPECT_TRUE(gains(200, 600, 100, 1));
  EXPECT_FALSE(gains(200, 600, 100, 2)) << "longer code";
  EXPECT_FALSE(gainsWarps(kernel(32, {part(200, 600)}, part(1000, 3000), 100), original))
      << "another form";
}

TEST(LatencyOrder, FewerRegistersAreNotTakenForSpillsOrSlowerCodeAroundTheLoops) {
  OrderedCode original = kernel(40, {part(200, 600)}, part(1000, 3000), 75);
  OrderedCode code = kernel(32, {part(200, 600)}, part(1000, 3000, 8, 110), 100);
  EXPECT_TRUE(gainsWarps(code, original)) << "as far as the padding goes";
  code.spilledBytes = 4;
  EXPECT_FALSE(gainsWarps(code, original));
  code.spilledBytes = 0;
  code.stackBytes = 8;
  EXPECT_FALSE(gainsWarps(code, original));
  EXPECT_FALSE(gainsWarps(kernel(32, {part(200, 600)}, part(1061, 3000), 100), original));
  EXPECT_FALSE(gainsWarps(kernel(32, {part(200, 600)}, part(1000, 3000, 8, 111), 100), original));
}

TEST(LatencyOrder, FewerRegistersAreTakenWhereLoopsAreBusyAnyway) {
  auto busy = [](uint64_t near, uint64_t far, unsigned instructions = 138, int32_t occupancy = 37) {
    return gainsWarps(kernel(72, {part(near, far, 8, instructions)}, part(1000, 3000), occupancy),
                      kernel(78, {part(554, 580, 8, 138)}, part(1000, 3000), 37));
  };
  EXPECT_TRUE(busy(586, 586));
  EXPECT_TRUE(busy(586, 612));
  EXPECT_FALSE(busy(586, 613)) << "four warps of a scheduler issue for 612 cycles";
  EXPECT_FALSE(busy(588, 588)) << "takes too long";
  EXPECT_FALSE(busy(554, 580, 139)) << "longer loop";
  EXPECT_FALSE(busy(554, 580, 138, -1)) << "not known";
  EXPECT_FALSE(gainsWarps(kernel(72, {}, part(100, 100), 37), kernel(78, {}, part(100, 100), 37)));
  EXPECT_FALSE(gainsWarps(kernel(73, {part(100, 100)}), kernel(78, {part(100, 100)})))
      << "as many registers are allocated";
}

TEST(LatencyOrder, LowerLimitsLetMoreBlocksBeResident) {
  auto limit = [](int32_t registers, unsigned threads, int32_t shared = 0) {
    regrain::Resources resources;
    resources.registers = registers;
    resources.staticSharedBytes = shared;
    return limitForMoreWarps(90, resources, threads);
  };
  EXPECT_EQ(limit(38, 256), 32u);
  EXPECT_EQ(limit(32, 256), 0u) << "all are resident";
  EXPECT_EQ(limit(78, 128), 72u);
  EXPECT_EQ(limit(78, 256), 72u) << "for blocks of 128";
  EXPECT_EQ(limit(96, 256), 80u);
  EXPECT_EQ(limit(78, 64), 72u);
  EXPECT_EQ(limit(168, 256), 0u) << "two units are not enough";
  EXPECT_EQ(limit(38, 256, 48 << 10), 0u) << "shared memory bounds the blocks";
  EXPECT_EQ(limit(-1, 256), 0u) << "not known";
}

} // namespace
