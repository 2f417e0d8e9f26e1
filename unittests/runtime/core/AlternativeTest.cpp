//===- core/AlternativeTest.cpp - Choice of the grain of a launch ---------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/core/alternative.h"

#include <gtest/gtest.h>
#include <limits>

using namespace regrain;

namespace {

/// An image with one kernel "k(float*)" at "original", "block.x=4" and
/// "block.x=2,thread.x=2"; "thread.x=8" was refused. If "block.x=4" is chosen,
/// the last one is the next choice.
class SampleImage {
public:
  explicit SampleImage(uint32_t chosen, bool readsSharedSize = false) {
    image::Dim3 one(1, 1, 1), two(2, 1, 1), four(4, 1, 1);
    std::vector<flatbuffers::Offset<image::Alternative>> alternatives = {
        image::CreateAlternativeDirect(builder, "original"),
        image::CreateAlternativeDirect(builder, "block.x=4", &four, &one),
        image::CreateAlternativeDirect(builder, "block.x=2,thread.x=2", &two, &two)};
    std::vector<uint32_t> next;
    if (chosen == 1)
      next = {2};
    std::vector<flatbuffers::Offset<image::Kernel>> kernels = {image::CreateKernelDirect(
        builder, "_Z1kPf", "k(float*)", "k.cu", 1, nullptr, 0, false, &alternatives, chosen, &next,
        nullptr, nullptr, nullptr, 0, 16, false, nullptr, false, nullptr, false, 0, false,
        readsSharedSize)};
    std::vector<flatbuffers::Offset<image::Refusal>> refusals = {image::CreateRefusalDirect(
        builder, "_Z1kPf", "thread.x=8", "legality", "k.cu", 3, 1, "a barrier diverges")};
    builder.Finish(
        image::CreateImageDirect(builder, "test", "k.cu", &kernels, nullptr, nullptr, &refusals));
    image = image::GetImage(builder.GetBufferPointer());
  }

  std::vector<AlternativeChoice> chooseAll(std::string_view requests) const {
    AlternativeRequests parsed = parseAlternativeRequests(requests);
    EXPECT_EQ(parsed.error, "");
    return chooseAlternatives(*image, *image->kernels()->Get(0), parsed.requests);
  }
  AlternativeChoice choose(std::string_view requests) const { return chooseAll(requests).front(); }
  std::vector<uint32_t> order(std::string_view requests) const {
    std::vector<uint32_t> indices;
    for (const AlternativeChoice &choice : chooseAll(requests))
      indices.push_back(choice.form.index);
    return indices;
  }

  Offer offer(std::string_view request) const {
    return offerOf(*image, parseAlternativeRequests(request).requests.front());
  }
  std::string why(std::string_view request) const {
    return whyAbsent(*image, *image->kernels()->Get(0),
                     parseAlternativeRequests(request).requests.front());
  }

  std::string idOf(const AlternativeForm &form) const {
    return regrain::idOf(*image->kernels()->Get(0), form);
  }

private:
  flatbuffers::FlatBufferBuilder builder;
  const image::Image *image;
};

TEST(ChooseAlternative, NothingAsked_TakesTheImagesChoice) {
  EXPECT_EQ(SampleImage(0).choose("").form.index, 0u);
  EXPECT_EQ(SampleImage(2).choose("").form.index, 2u);
  EXPECT_EQ(SampleImage(2).choose("other:block.x=4").form.index, 2u);
}

TEST(ChooseAlternative, Request_GoesOverTheImagesChoice) {
  EXPECT_EQ(SampleImage(2).choose("k:block.x=4").form.index, 1u);
  EXPECT_EQ(SampleImage(2).choose("*:original").form.index, 0u);
}

TEST(OfferOf, Request_IsMetByAnyKernelThatMatches) {
  SampleImage image(0);
  EXPECT_EQ(image.offer("k:block.x=4"), Offer::Grain);
  EXPECT_EQ(image.offer("*:block=4"), Offer::Grain);
  EXPECT_EQ(image.offer("*:original"), Offer::Grain);
  EXPECT_EQ(image.offer("k:block.x=3"), Offer::NoGrain);
  EXPECT_EQ(image.offer("other:block.x=4"), Offer::NoKernel);
}

TEST(WhyAbsent, Grain_WasRefusedOrNotCompiled) {
  SampleImage image(0);
  EXPECT_EQ(image.why("k:block.x=4"), "");
  EXPECT_EQ(image.why("k:block.x=3"), "the program was not compiled with that grain");
  EXPECT_EQ(image.why("k:thread.x=8"), "it was refused when compiled: a barrier diverges");
}

TEST(ChooseAlternative, Spec_IsCanonicalised) {
  EXPECT_EQ(SampleImage(0).choose("k:thread.x=2,block.x=2,block.y=1").form.index, 2u);
}

TEST(ChooseAlternative, Total_FindsTheBalancedOne) {
  EXPECT_EQ(SampleImage(0).choose("k:block=4").form.index, 1u);
  EXPECT_EQ(SampleImage(0).choose("k:block=2,thread=2").form.index, 2u);
}

TEST(ChooseAlternative, LastMatchingRequest_Wins) {
  EXPECT_EQ(SampleImage(0).choose("*:block.x=4;k:block.x=2,thread.x=2").form.index, 2u);
  EXPECT_EQ(SampleImage(0).choose("k:block.x=4;other:original").form.index, 1u);
}

TEST(ChooseAlternative, Absent_RunsTheOriginalAndSaysWhy) {
  AlternativeChoice refused = SampleImage(1).choose("k:thread.x=8");
  EXPECT_EQ(refused.form.index, 0u);
  EXPECT_NE(refused.reason.find("a barrier diverges"), std::string::npos);
  AlternativeChoice unknown = SampleImage(1).choose("k:block.x=3");
  EXPECT_EQ(unknown.form.index, 0u);
  EXPECT_NE(unknown.reason.find("was not compiled with"), std::string::npos);
}

TEST(ChooseAlternative, SeveralRequests_AreAnOrderThatEndsWithTheOriginal) {
  EXPECT_EQ(SampleImage(1).order(""), (std::vector<uint32_t>{1, 2, 0}));
  EXPECT_EQ(SampleImage(0).order(""), (std::vector<uint32_t>{0}));
  EXPECT_EQ(SampleImage(1).order("k:block=2,thread=2"), (std::vector<uint32_t>{2, 0}));
  EXPECT_EQ(SampleImage(0).order("*:block.x=4;k:block.x=2,thread.x=2"),
            (std::vector<uint32_t>{2, 1, 0}));
  EXPECT_EQ(SampleImage(0).order("k:block.x=4;k:block.x=3;k:block=2,thread=2"),
            (std::vector<uint32_t>{2, 1, 0}));
  EXPECT_EQ(SampleImage(0).order("*:block.x=4;k:original;k:block=2,thread=2"),
            (std::vector<uint32_t>{2, 0}));
}

TEST(ChooseAlternative, MaxResident_NeedsNoAlternativeOfItsOwn) {
  SampleImage image(0);
  EXPECT_EQ(image.choose("k:max-resident=3").form, (AlternativeForm{0, 3}));
  EXPECT_EQ(image.choose("k:block.x=4,max-resident=2").form, (AlternativeForm{1, 2}));
  EXPECT_EQ(image.choose("k:block=2,thread=2,max-resident=2").form, (AlternativeForm{2, 2}));
  EXPECT_EQ(image.order("k:block.x=4;k:max-resident=3"), (std::vector<uint32_t>{0, 1, 0}));
  EXPECT_EQ(image.offer("k:max-resident=3"), Offer::Grain);
  EXPECT_EQ(image.idOf({1, 2}), "block.x=4,max-resident=2");
  EXPECT_TRUE(image.choose("k:block.x=3,max-resident=2").form.isOriginal());
  EXPECT_EQ(image.why("k:block.x=3,max-resident=2"),
            "the program was not compiled with that grain");
}

TEST(ChooseAlternative, MaxResident_IsNotForKernelsThatReadTheSize) {
  SampleImage image(0, /*readsSharedSize=*/true);
  EXPECT_TRUE(image.choose("k:max-resident=3").form.isOriginal());
  EXPECT_EQ(image.offer("k:block.x=4,max-resident=3"), Offer::NoGrain);
  EXPECT_EQ(image.why("k:max-resident=3"),
            "the kernel reads how much shared memory its launch has, which max-resident= changes");
}

TEST(ParseRequests, WrongPieces_AreLeftOutAndNamed) {
  AlternativeRequests parsed = parseAlternativeRequests("k:block.x=0;;*:block.x=2;nonsense");
  EXPECT_EQ(parsed.requests.size(), 1u);
  EXPECT_NE(parsed.error.find("block.x=0"), std::string::npos);
}

/// Returns why the launch does not fit; Misfit::None if it does.
Misfit misfitOf(const tl::expected<LaunchShape, Misfit> &scaled) {
  return scaled ? Misfit::None : scaled.error();
}

LaunchShape shape(Extent grid, Extent block, uint64_t shared = 0) { return {grid, block, shared}; }

TEST(ScaleToGrain, BlockFactors_RoundTheGridUp) {
  Grain grain{{4, 2, 1}, {1, 1, 1}};
  EXPECT_EQ(scaleToGrain(shape({9, 4, 3}, {64, 1, 1}), grain, false), shape({3, 2, 3}, {64, 1, 1}));
  EXPECT_EQ(scaleToGrain(shape({1, 1, 1}, {64, 1, 1}), grain, false), shape({1, 1, 1}, {64, 1, 1}));
  EXPECT_EQ(scaleToGrain(shape({0x7fffffff, 1, 1}, {1, 1, 1}), grain, false)->grid[0], 0x20000000u);
  grain = parseGrainSpec("shape=256,split=256")->grain;
  EXPECT_EQ(scaleToGrain(shape({3, 5, 1}, {6, 1, 1}), grain, false),
            shape({18, 5, 1}, {256, 1, 1}));
  grain = parseGrainSpec("shape=64x2x1,split=16x4")->grain;
  EXPECT_EQ(scaleToGrain(shape({3, 5, 1}, {6, 1, 1}), grain, false), shape({5, 3, 1}, {64, 2, 1}));
  grain = parseGrainSpec("shape=256,split=8warps")->grain;
  EXPECT_EQ(scaleToGrain(shape({3, 5, 1}, {96, 2, 1}), grain, true),
            shape({9, 10, 1}, {256, 1, 1}));
  EXPECT_EQ(misfitOf(scaleToGrain(shape({3, 5, 1}, {48, 1, 1}), grain, true)),
            Misfit::PartialWarps);
  grain = parseGrainSpec("block.z=8,shape=64x2x1,slices=yz")->grain;
  EXPECT_EQ(scaleToGrain(shape({3, 5, 9}, {96, 1, 1}), grain, false), shape({5, 3, 2}, {64, 2, 1}));
  EXPECT_EQ(misfitOf(scaleToGrain(shape({3, 5, 9}, {96, 1, 2}), grain, false)),
            Misfit::SeveralThreads);
  // The last of the blocks that three would join has a number of more than 31 bits.
  EXPECT_EQ(misfitOf(scaleToGrain(shape({0x7fffffff, 1, 1}, {1, 1, 1}), Grain{{3, 1, 1}, {1, 1, 1}},
                                  false)),
            Misfit::TooLarge);
}

TEST(ScaleToGrain, DynamicShared_OneAlignedCopyPerBlock) {
  auto bytes = [&](uint64_t shared, Grain grain) {
    return scaleToGrain(shape({8, 8, 1}, {64, 1, 1}, shared), grain, false)->dynamicSharedBytes;
  };
  EXPECT_EQ(bytes(100, {{4, 2, 1}, {1, 1, 1}}), 8 * 112u);
  EXPECT_EQ(bytes(0, {{4, 2, 1}, {1, 1, 1}}), 0u);
  // Joined blocks accumulate in one array, fused ones in their own.
  EXPECT_EQ(bytes(100, {.block = {4, 2, 1}, .shared = SharedArrays::Common}), 100u);
  EXPECT_EQ(bytes(100, {.block = {4, 1, 1}, .fuse = {2, 1, 1}, .shared = SharedArrays::Common}),
            2 * 112u);
  // Threads of a block share memory, so that coarsening them changes nothing.
  EXPECT_EQ(bytes(100, {{1, 1, 1}, {4, 1, 1}}), 100u);
}

TEST(ScaleToGrain, ThreadFactors_MustDivideTheBlock) {
  Grain grain{{1, 1, 1}, {4, 2, 1}};
  EXPECT_EQ(scaleToGrain(shape({5, 1, 1}, {64, 2, 1}), grain, false), shape({5, 1, 1}, {16, 1, 1}));
  EXPECT_EQ(misfitOf(scaleToGrain(shape({5, 1, 1}, {62, 2, 1}), grain, false)),
            Misfit::BlockNotDivisible);
}

TEST(ScaleToGrain, WholeWarps_AreOfTheLaunchedBlock) {
  Grain grain{{1, 1, 1}, {4, 1, 1}};
  EXPECT_TRUE(scaleToGrain(shape({1, 1, 1}, {128, 1, 1}), grain, true));
  EXPECT_EQ(misfitOf(scaleToGrain(shape({1, 1, 1}, {64, 1, 1}), grain, true)),
            Misfit::PartialWarps);
}

Grain grainOfSpec(const char *text) {
  OrError<GrainSpec> spec = parseGrainSpec(text);
  EXPECT_TRUE(spec) << text;
  return spec ? spec->grain : Grain();
}

TEST(ScaleToGrain, Bound_IsOfTheLaunchedBlock) {
  auto scaled = [&](Factors block, const char *spec) {
    return scaleToGrain(shape({9, 1, 1}, block), grainOfSpec(spec), false);
  };
  EXPECT_EQ(scaled({32, 4, 2}, "bound=256"), shape({9, 1, 1}, {32, 4, 2}));
  EXPECT_EQ(misfitOf(scaled({32, 4, 3}, "bound=256")), Misfit::AboveBound);
  // Factors make the launched block smaller or larger than the program's.
  EXPECT_TRUE(scaled({512, 1, 1}, "thread.x=2,bound=256"));
  EXPECT_FALSE(scaled({514, 1, 1}, "thread.x=2,bound=256"));
  EXPECT_TRUE(scaled({64, 1, 1}, "fuse.x=4,bound=256"));
  EXPECT_FALSE(scaled({65, 1, 1}, "fuse.x=4,bound=256"));
  EXPECT_FALSE(scaled({512, 1, 1}, "block.x=2,bound=256"));
  EXPECT_TRUE(
      remainderOf(shape({9, 1, 1}, {256, 1, 1}), grainOfSpec("block.x=2:remainder,bound=256")));
}

TEST(ScaleToGrain, FusedBlocks_StandSideBySide) {
  Grain grain = grainOfSpec("block.x=2,thread.x=4,fuse.x=3,fuse.y=2");
  EXPECT_EQ(scaleToGrain(shape({13, 5, 1}, {16, 4, 1}, 10), grain, false),
            shape({3, 3, 1}, {12, 8, 1}, 2 * 3 * 2 * 16));
  // The factors divide the threads of the fused block, but need not divide
  // those of one block.
  EXPECT_TRUE(scaleToGrain(shape({1, 1, 1}, {4, 1, 1}), grain, false));
  EXPECT_EQ(misfitOf(scaleToGrain(shape({1, 1, 1}, {5, 1, 1}), grain, false)),
            Misfit::BlockNotDivisible);
  // A block of 16 is half a warp, for any fused block.
  EXPECT_EQ(misfitOf(scaleToGrain(shape({4, 1, 1}, {16, 1, 1}), grainOfSpec("fuse.x=2"), true)),
            Misfit::PartialWarps);
}

TEST(ScaleToGrain, Shape_CoversTheThreadsOfTheLaunch) {
  Grain grain = grainOfSpec("block.x=2,thread.x=4,shape=128x1x2");
  EXPECT_EQ(scaleToGrain(shape({100, 7, 3}, {10, 3, 1}), grain, false),
            shape({4, 21, 2}, {32, 1, 2}));
  EXPECT_EQ(misfitOf(scaleToGrain(shape({1u << 22, 1, 1}, {1024, 1, 1}), grain, false)),
            Misfit::TooLarge);
}

TEST(ScaleToGrain, SharedThreads_TakeSeveralLaunchedOnes) {
  Grain grain = parseGrainSpec("shape=64x2x1,split=16")->grain;
  // A block has 4 of the program's threads in x.
  EXPECT_EQ(scaleToGrain(shape({3, 5, 1}, {6, 1, 1}), grain, false), shape({5, 3, 1}, {64, 2, 1}));
  EXPECT_EQ(scaleToGrain(shape({0x7fffffff, 1, 1}, {1, 1, 1}), grain, false)->grid[0], 0x20000000u);
}

TEST(Remainder, GetsTheBlocksThatDoNotFillALaunchedOne) {
  Grain grain = grainOfSpec("block.y=3:remainder,thread.x=2");
  auto rest = [&](Extent grid) { return remainderOf(shape(grid, {64, 1, 1}, 10), grain); };
  EXPECT_EQ(scaleToGrain(shape({5, 11, 2}, {64, 1, 1}, 10), grain, false),
            shape({5, 3, 2}, {32, 1, 1}, 3 * 16));
  EXPECT_EQ(rest({5, 11, 2}), (RemainderLaunch{shape({5, 2, 2}, {32, 1, 1}, 10), {0, 9, 0}}));
  // A grid that the factors divide leaves none; a smaller one leaves all.
  EXPECT_FALSE(rest({5, 12, 2}));
  EXPECT_EQ(scaleToGrain(shape({5, 2, 2}, {64, 1, 1}), grain, false)->grid, (Extent{5, 0, 2}));
  EXPECT_EQ(rest({5, 2, 2}), (RemainderLaunch{shape({5, 2, 2}, {32, 1, 1}, 10), {0, 0, 0}}));
  EXPECT_FALSE(rest({5, 65535, 2}));
}

TEST(Remainder, IsCountedInFusedOrReshapedBlocks) {
  Grain fused = grainOfSpec("block.x=3:remainder,fuse.x=2,fuse.y=2");
  EXPECT_EQ(scaleToGrain(shape({15, 3, 1}, {8, 1, 1}, 10), fused, false),
            shape({2, 2, 1}, {16, 2, 1}, 3 * 4 * 16));
  EXPECT_EQ(remainderOf(shape({15, 3, 1}, {8, 1, 1}, 10), fused),
            (RemainderLaunch{shape({2, 2, 1}, {16, 2, 1}, 4 * 16), {6, 0, 0}}));
  Grain reshaped = grainOfSpec("block.x=4:remainder,shape=32");
  EXPECT_EQ(scaleToGrain(shape({10, 1, 1}, {30, 1, 1}), reshaped, false),
            shape({2, 1, 1}, {32, 1, 1}));
  EXPECT_EQ(remainderOf(shape({10, 1, 1}, {30, 1, 1}), reshaped),
            (RemainderLaunch{shape({2, 1, 1}, {32, 1, 1}), {8, 0, 0}}));
}

TEST(Remainder, OfLargestGrid_DoesNotWrap) {
  Grain grain = grainOfSpec("block.x=4:remainder");
  EXPECT_EQ(scaleToGrain(shape({0x7fffffff, 1, 1}, {1, 1, 1}), grain, false)->grid[0], 0x1fffffffu);
  EXPECT_EQ(remainderOf(shape({0x7fffffff, 1, 1}, {1, 1, 1}), grain),
            (RemainderLaunch{shape({3, 1, 1}, {1, 1, 1}), {0x7ffffffc, 0, 0}}));
}

TEST(Remainder, OtherGrainsLeaveNone) {
  EXPECT_FALSE(remainderOf(shape({7, 1, 1}, {64, 1, 1}), grainOfSpec("block.x=3")));
  EXPECT_FALSE(remainderOf(shape({7, 1, 1}, {64, 1, 1}), Grain()));
}

/// A launch of 64x2 threads in 8 blocks with an int, a long, a char and a struct.
class KnownLaunches : public testing::Test {
protected:
  Misfit compare(const char *spec) {
    int32_t narrow = -1;
    int64_t wide = int64_t(1) << 40;
    uint8_t byte = 200;
    char bytes[16] = {};
    void *arguments[] = {&narrow, &wide, &byte, bytes};
    ParameterLayout parameters[] = {{0, 4}, {8, 8}, {16, 1}, {24, 16}};
    return compareKnown(grainOfSpec(spec).known, shape({8, 1, 1}, {64, 2, 1}),
                        {arguments, parameters, {}});
  }
};

TEST_F(KnownLaunches, AllAsSaid_Fits) {
  EXPECT_EQ(compare("block.x=2"), Misfit::None);
  EXPECT_EQ(compare("for.block=64x2,for.grid=8,for.arg0=-1"), Misfit::None);
  EXPECT_EQ(compare("for.arg1=1099511627776,for.arg2=200"), Misfit::None);
  // The same bytes, read as signed or not.
  EXPECT_EQ(compare("for.arg0=4294967295,for.arg2=-56"), Misfit::None);
}

TEST_F(KnownLaunches, AnotherSize_DoesNotFit) {
  EXPECT_EQ(compare("for.block=64"), Misfit::OtherBlock);
  EXPECT_EQ(compare("for.block=2x64"), Misfit::OtherBlock);
  EXPECT_EQ(compare("for.grid=8x1x2"), Misfit::OtherGrid);
  EXPECT_EQ(compare("for.grid=7,for.block=64x2"), Misfit::OtherGrid);
}

TEST_F(KnownLaunches, AnotherArgument_DoesNotFit) {
  EXPECT_EQ(compare("for.arg0=1"), Misfit::OtherArgument);
  EXPECT_EQ(compare("for.arg1=0"), Misfit::OtherArgument);
  EXPECT_EQ(compare("for.arg0=-1,for.arg2=201"), Misfit::OtherArgument);
}

TEST_F(KnownLaunches, ValueThatTheParameterCannotHold_DoesNotFit) {
  // Only the low bytes have the known value.
  EXPECT_EQ(compare("for.arg1=0"), Misfit::OtherArgument);
  EXPECT_EQ(compare("for.arg0=8589934591"), Misfit::OtherArgument);
  EXPECT_EQ(compare("for.arg2=456"), Misfit::OtherArgument);
  EXPECT_EQ(compare("for.arg2=-312"), Misfit::OtherArgument);
}

TEST_F(KnownLaunches, WhatIsNoIntegerParameter_DoesNotFit) {
  EXPECT_EQ(compare("for.arg3=0"), Misfit::OtherArgument);
  EXPECT_EQ(compare("for.arg4=0"), Misfit::OtherArgument);
}

/// Compares a launch with one integer argument.
template <typename Integer> Misfit compareMultiple(Integer value, const char *factor) {
  void *arguments[] = {&value};
  ParameterLayout parameters[] = {{0, sizeof value}};
  std::string spec = std::string("for.arg0=") + factor;
  return compareKnown(grainOfSpec(spec.c_str()).known, shape({1, 1, 1}, {1, 1, 1}),
                      {arguments, parameters, {}});
}

TEST(KnownMultiples, OfEachWidth) {
  EXPECT_EQ(compareMultiple<int8_t>(12, "4n"), Misfit::None);
  EXPECT_EQ(compareMultiple<int16_t>(0x7ffc, "4n"), Misfit::None);
  EXPECT_EQ(compareMultiple<int32_t>(1 << 30, "1024n"), Misfit::None);
  EXPECT_EQ(compareMultiple<int64_t>(int64_t(3) << 40, "1024n"), Misfit::None);
  EXPECT_EQ(compareMultiple<int8_t>(13, "4n"), Misfit::NoMultiple);
  EXPECT_EQ(compareMultiple<int16_t>(0x7ffe, "4n"), Misfit::NoMultiple);
  EXPECT_EQ(compareMultiple<int32_t>((1 << 30) + 1, "2n"), Misfit::NoMultiple);
  EXPECT_EQ(compareMultiple<int64_t>((int64_t(3) << 40) + 2, "4n"), Misfit::NoMultiple);
}

TEST(KnownMultiples, IncludeZeroAndNegativeNumbers) {
  EXPECT_EQ(compareMultiple<int32_t>(0, "4n"), Misfit::None);
  EXPECT_EQ(compareMultiple<int32_t>(-8, "4n"), Misfit::None);
  EXPECT_EQ(compareMultiple<int8_t>(-128, "128n"), Misfit::None);
  EXPECT_EQ(compareMultiple<int64_t>(std::numeric_limits<int64_t>::min(), "4n"), Misfit::None);
  EXPECT_EQ(compareMultiple<int32_t>(-6, "3n"), Misfit::None);
  EXPECT_EQ(compareMultiple<int32_t>(-6, "4n"), Misfit::NoMultiple);
  // A factor that no other number of that width is a multiple of.
  EXPECT_EQ(compareMultiple<int8_t>(0, "256n"), Misfit::None);
  EXPECT_EQ(compareMultiple<int8_t>(64, "256n"), Misfit::NoMultiple);
}

TEST(KnownMultiples, OfUnsignedNumbersAreThoseOfTheirBits) {
  EXPECT_EQ(compareMultiple<uint32_t>(0xfffffffc, "4n"), Misfit::None);
  EXPECT_EQ(compareMultiple<uint32_t>(0xffffffff, "2n"), Misfit::NoMultiple);
}

TEST(KnownMultiples, OfWhatIsNoIntegerParameter_DoNotFit) {
  std::array<char, 16> bytes = {};
  EXPECT_EQ(compareMultiple(bytes, "4n"), Misfit::NoMultiple);
  EXPECT_EQ(compareKnown(grainOfSpec("for.arg0=4n").known, shape({1, 1, 1}, {1, 1, 1}), {}),
            Misfit::NoMultiple);
}

/// A launch with two pointers, and a structure that holds a third between them.
class KnownPointers : public testing::Test {
protected:
  Misfit compare(uintptr_t first, uintptr_t second, const char *spec) {
    struct {
      uintptr_t inside = 0x1001;
    } structure;
    void *arguments[] = {&first, &structure, &second};
    ParameterLayout parameters[] = {{0, 8}, {8, 8}, {16, 8}};
    uint32_t pointers[] = {0, 2};
    return compareKnown(grainOfSpec(spec).known, shape({1, 1, 1}, {1, 1, 1}),
                        {arguments, parameters, pointers});
  }
};

TEST_F(KnownPointers, AlignedAsSaid_Fit) {
  EXPECT_EQ(compare(0x1000, 0x2010, "for.pointers=16"), Misfit::None);
  EXPECT_EQ(compare(0x1008, 0x2010, "for.pointers=8"), Misfit::None);
  EXPECT_EQ(compare(0x1002, 0x2004, "for.pointers=2"), Misfit::None);
  EXPECT_EQ(compare(0x1001, 0x2001, "block.x=2"), Misfit::None);
}

TEST_F(KnownPointers, OneThatIsAlignedToLess_DoesNotFit) {
  EXPECT_EQ(compare(0x1004, 0x2000, "for.pointers=16"), Misfit::Misaligned);
  EXPECT_EQ(compare(0x1000, 0x2008, "for.pointers=16"), Misfit::Misaligned);
  EXPECT_EQ(compare(0x1000, 0x2004, "for.pointers=8"), Misfit::Misaligned);
  EXPECT_EQ(compare(0x1000, 0x2080, "for.pointers=128"), Misfit::None);
  EXPECT_EQ(compare(0x1000, 0x2040, "for.pointers=128"), Misfit::Misaligned);
  EXPECT_EQ(compare(0x1001, 0x2000, "for.pointers=2"), Misfit::Misaligned);
}

TEST_F(KnownPointers, Null_IsAligned) {
  EXPECT_EQ(compare(0, 0x2000, "for.pointers=16"), Misfit::None);
}

TEST_F(KnownPointers, OfKernelWithoutPointers_Fit) {
  EXPECT_EQ(compareKnown(grainOfSpec("for.pointers=16").known, shape({1, 1, 1}, {1, 1, 1}), {}),
            Misfit::None);
}

TEST(KnownAliases, None_FitsOnlyWhatIsProvedApart) {
  LaunchShape program = shape({1, 1, 1}, {1, 1, 1});
  KnownLaunch apart = grainOfSpec("for.aliases=none").known;
  EXPECT_EQ(compareKnown(apart, program, {nullptr, {}, {}, true}), Misfit::None);
  EXPECT_EQ(compareKnown(apart, program, {nullptr, {}, {}, false}), Misfit::NotApart);
  EXPECT_EQ(compareKnown(apart, program, {}), Misfit::NotApart) << "what is not known";
  EXPECT_EQ(compareKnown(grainOfSpec("block.x=2").known, program, {}), Misfit::None);
}

TEST(Misfits, HaveASentenceEach) {
  for (auto misfit = uint8_t(Misfit::None); misfit <= uint8_t(Misfit::NoClusters); ++misfit)
    EXPECT_NE(describe(Misfit(misfit)), "unknown");
}

/// A rule with these constants: three for the grid, three for the block, the bytes, and three for a
/// cluster; and, if there are so many, with those of the original.
LaunchRule constantRule(std::initializer_list<uint64_t> extents) {
  LaunchRule rule;
  for (uint64_t extent : extents) {
    rule.results.push_back(uint32_t(rule.steps.size()));
    rule.steps.push_back({RuleOp::Constant, 64, 0, 0, 0, extent});
  }
  return rule;
}

TEST(LaunchOfVariant, IsThatOfTheRule) {
  LaunchShape program = shape({8, 4, 1}, {64, 1, 1}, 16);
  auto launchOf = [&](std::initializer_list<uint64_t> extents) {
    return launchOfVariant(constantRule(extents), program, nullptr);
  };
  LaunchShape made = shape({4, 3, 2}, {32, 2, 1}, 48);
  EXPECT_EQ(launchOf({4, 3, 2, 32, 2, 1, 48, 1, 1, 1}), made);
  made.cluster = {2, 3, 1};
  EXPECT_EQ(launchOf({4, 3, 2, 32, 2, 1, 48, 2, 3, 1}), made);
  EXPECT_EQ(misfitOf(launchOf({0, 0, 0, 1, 1, 1, 0, 1, 1, 1})), Misfit::NotOffered);
  EXPECT_EQ(misfitOf(launchOf({1, 1, 1, 0, 1, 1, 0, 1, 1, 1})), Misfit::NotOffered);
  EXPECT_EQ(misfitOf(launchOf({1, 1, 1, 1, 1, 1, 0, 1, 0, 1})), Misfit::NotOffered);
  EXPECT_EQ(misfitOf(launchOf({1ull << 32, 1, 1, 1, 1, 1, 0, 1, 1, 1})), Misfit::TooManyThreads);
}

TEST(LaunchOfVariant, NeedsTheOriginalsLaunchAsTheRuleSays) {
  LaunchShape program = shape({8, 4, 1}, {64, 1, 1}, 16);
  program.cluster = {4, 1, 1};
  LaunchRule rule = constantRule({2, 2, 2, 2, 2, 2, 2, 1, 1, 1, 8, 4, 1, 64, 1, 1, 16, 4, 1, 1});
  EXPECT_TRUE(launchOfVariant(rule, program, nullptr));
  program.dynamicSharedBytes = 17;
  EXPECT_EQ(misfitOf(launchOfVariant(rule, program, nullptr)), Misfit::OtherLaunch);
  program = shape({8, 3, 1}, {64, 1, 1}, 16);
  program.cluster = {4, 1, 1};
  EXPECT_EQ(misfitOf(launchOfVariant(rule, program, nullptr)), Misfit::OtherLaunch);
  program = shape({8, 4, 1}, {64, 1, 1}, 16);
  EXPECT_EQ(misfitOf(launchOfVariant(rule, program, nullptr)), Misfit::OtherLaunch)
      << "without clusters";
}

} // namespace
