//===- core/AlternativeTest.cpp - Which grain a launch runs at ------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/core/alternative.h"

#include <gtest/gtest.h>

using namespace regrain;

namespace {

/// An image with one kernel "k(float*)" at "original", "block.x=4" and
/// "block.x=2,thread.x=2"; "thread.x=8" was refused.
class SampleImage {
public:
  explicit SampleImage(uint32_t chosen) {
    image::Dim3 one(1, 1, 1), two(2, 1, 1), four(4, 1, 1);
    std::vector<flatbuffers::Offset<image::Alternative>> alternatives = {
        image::CreateAlternativeDirect(builder, "original"),
        image::CreateAlternativeDirect(builder, "block.x=4", &four, &one),
        image::CreateAlternativeDirect(builder, "block.x=2,thread.x=2", &two, &two)};
    std::vector<flatbuffers::Offset<image::Kernel>> kernels = {image::CreateKernelDirect(
        builder, "_Z1kPf", "k(float*)", "k.cu", 1, nullptr, 0, false, &alternatives, chosen)};
    std::vector<flatbuffers::Offset<image::Refusal>> refusals = {image::CreateRefusalDirect(
        builder, "_Z1kPf", "thread.x=8", "legality", "k.cu", 3, 1, "a barrier diverges")};
    builder.Finish(
        image::CreateImageDirect(builder, "test", "k.cu", &kernels, nullptr, nullptr, &refusals));
    image = image::GetImage(builder.GetBufferPointer());
  }

  AlternativeChoice choose(std::string_view requests) const {
    std::string error;
    auto parsed = parseAlternativeRequests(requests, error);
    EXPECT_EQ(error, "");
    return chooseAlternative(*image, *image->kernels()->Get(0), parsed);
  }

private:
  flatbuffers::FlatBufferBuilder builder;
  const image::Image *image;
};

TEST(ChooseAlternative, NothingAsked_TakesTheImagesChoice) {
  EXPECT_EQ(SampleImage(0).choose("").index, 0u);
  EXPECT_EQ(SampleImage(2).choose("").index, 2u);
  EXPECT_EQ(SampleImage(2).choose("other:block.x=4").index, 2u);
}

TEST(ChooseAlternative, Request_GoesOverTheImagesChoice) {
  EXPECT_EQ(SampleImage(2).choose("k:block.x=4").index, 1u);
  EXPECT_EQ(SampleImage(2).choose("*:original").index, 0u);
}

TEST(ChooseAlternative, Spec_IsCanonicalised) {
  EXPECT_EQ(SampleImage(0).choose("k:thread.x=2,block.x=2,block.y=1").index, 2u);
}

TEST(ChooseAlternative, Total_FindsTheBalancedOne) {
  EXPECT_EQ(SampleImage(0).choose("k:block=4").index, 1u);
  EXPECT_EQ(SampleImage(0).choose("k:block=2,thread=2").index, 2u);
}

TEST(ChooseAlternative, LastMatchingRequest_Wins) {
  EXPECT_EQ(SampleImage(0).choose("*:block.x=4;k:block.x=2,thread.x=2").index, 2u);
  EXPECT_EQ(SampleImage(0).choose("k:block.x=4;other:original").index, 1u);
}

TEST(ChooseAlternative, Absent_RunsTheOriginalAndSaysWhy) {
  AlternativeChoice refused = SampleImage(1).choose("k:thread.x=8");
  EXPECT_EQ(refused.index, 0u);
  EXPECT_NE(refused.reason.find("a barrier diverges"), std::string::npos);
  AlternativeChoice unknown = SampleImage(1).choose("k:block.x=3");
  EXPECT_EQ(unknown.index, 0u);
  EXPECT_NE(unknown.reason.find("does not have"), std::string::npos);
}

TEST(ParseRequests, WrongPieces_AreLeftOutAndNamed) {
  std::string error;
  auto requests = parseAlternativeRequests("k:block.x=0;;*:block.x=2;nonsense", error);
  EXPECT_EQ(requests.size(), 1u);
  EXPECT_NE(error.find("block.x=0"), std::string::npos);
}

LaunchShape shape(Extent grid, Extent block, uint64_t shared = 0) { return {grid, block, shared}; }

TEST(ScaleToGrain, BlockFactors_RoundTheGridUp) {
  Misfit misfit = Misfit::None;
  Grain grain{{4, 2, 1}, {1, 1, 1}};
  EXPECT_EQ(scaleToGrain(shape({9, 4, 3}, {64, 1, 1}), grain, false, misfit),
            shape({3, 2, 3}, {64, 1, 1}));
  EXPECT_EQ(scaleToGrain(shape({1, 1, 1}, {64, 1, 1}), grain, false, misfit),
            shape({1, 1, 1}, {64, 1, 1}));
  EXPECT_EQ(scaleToGrain(shape({0x7fffffff, 1, 1}, {1, 1, 1}), grain, false, misfit)->grid[0],
            0x20000000u);
}

TEST(ScaleToGrain, DynamicShared_OneAlignedCopyPerBlock) {
  Misfit misfit = Misfit::None;
  auto bytes = [&](uint64_t shared, Grain grain) {
    return scaleToGrain(shape({8, 8, 1}, {64, 1, 1}, shared), grain, false, misfit)
        ->dynamicSharedBytes;
  };
  EXPECT_EQ(bytes(100, {{4, 2, 1}, {1, 1, 1}}), 8 * 112u);
  EXPECT_EQ(bytes(0, {{4, 2, 1}, {1, 1, 1}}), 0u);
  // Threads of a block share, so that coarsening them changes nothing.
  EXPECT_EQ(bytes(100, {{1, 1, 1}, {4, 1, 1}}), 100u);
}

TEST(ScaleToGrain, ThreadFactors_MustDivideTheBlock) {
  Misfit misfit = Misfit::None;
  Grain grain{{1, 1, 1}, {4, 2, 1}};
  EXPECT_EQ(scaleToGrain(shape({5, 1, 1}, {64, 2, 1}), grain, false, misfit),
            shape({5, 1, 1}, {16, 1, 1}));
  EXPECT_FALSE(scaleToGrain(shape({5, 1, 1}, {62, 2, 1}), grain, false, misfit));
  EXPECT_EQ(misfit, Misfit::BlockNotDivisible);
}

TEST(ScaleToGrain, WholeWarps_AreOfTheLaunchedBlock) {
  Misfit misfit = Misfit::None;
  Grain grain{{1, 1, 1}, {4, 1, 1}};
  EXPECT_TRUE(scaleToGrain(shape({1, 1, 1}, {128, 1, 1}), grain, true, misfit));
  EXPECT_FALSE(scaleToGrain(shape({1, 1, 1}, {64, 1, 1}), grain, true, misfit));
  EXPECT_EQ(misfit, Misfit::PartialWarps);
}

Grain grainOfSpec(const char *text) {
  std::string error;
  std::optional<GrainSpec> spec = parseGrainSpec(text, error);
  EXPECT_TRUE(spec) << error;
  return spec ? spec->grain : Grain();
}

TEST(ScaleToGrain, FusedBlocks_StandSideBySide) {
  Misfit misfit = Misfit::None;
  Grain grain = grainOfSpec("block.x=2,thread.x=4,fuse.x=3,fuse.y=2");
  EXPECT_EQ(scaleToGrain(shape({13, 5, 1}, {16, 4, 1}, 10), grain, false, misfit),
            shape({3, 3, 1}, {12, 8, 1}, 2 * 3 * 2 * 16));
  // The threads of the fused block divide, those of one block need not.
  EXPECT_TRUE(scaleToGrain(shape({1, 1, 1}, {4, 1, 1}), grain, false, misfit));
  EXPECT_FALSE(scaleToGrain(shape({1, 1, 1}, {5, 1, 1}), grain, false, misfit));
  EXPECT_EQ(misfit, Misfit::BlockNotDivisible);
  // A block of 16 is half a warp, whatever the fused block is.
  EXPECT_FALSE(scaleToGrain(shape({4, 1, 1}, {16, 1, 1}), grainOfSpec("fuse.x=2"), true, misfit));
  EXPECT_EQ(misfit, Misfit::PartialWarps);
}

TEST(ScaleToGrain, Shape_CoversTheThreadsOfTheLaunch) {
  Misfit misfit = Misfit::None;
  Grain grain = grainOfSpec("block.x=2,thread.x=4,shape=128x1x2");
  EXPECT_EQ(scaleToGrain(shape({100, 7, 3}, {10, 3, 1}), grain, false, misfit),
            shape({4, 21, 2}, {32, 1, 2}));
  EXPECT_FALSE(scaleToGrain(shape({1u << 22, 1, 1}, {1024, 1, 1}), grain, false, misfit));
  EXPECT_EQ(misfit, Misfit::TooLarge);
}

} // namespace
