//===- LaunchInvariantsTest.cpp - What sampled launches have in common ----===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/tuning/launch_invariants.h"

#include "runtime/image/grain.h"

#include <gtest/gtest.h>

using namespace regrain;

namespace {

/// The parameters are (float *, int32_t, int16_t, int64_t).
LaunchInvariants ofThree() { return LaunchInvariants({{1, 0, 4}, {2, 0, 2}, {3, 0, 8}}); }

void add(LaunchInvariants &invariants, int32_t first, int16_t second, int64_t third) {
  float *pointer = nullptr;
  void *arguments[] = {&pointer, &first, &second, &third};
  invariants.add({{7, 1, 1}, {128, 2, 1}, 0}, arguments);
}

TEST(LaunchInvariants, WithoutLaunches_IsEmpty) { EXPECT_EQ(ofThree().text(), ""); }

TEST(LaunchInvariants, OfOneLaunch_HasItsBlockAndIntegers) {
  LaunchInvariants invariants = ofThree();
  add(invariants, -5, 7, int64_t(1) << 40);
  EXPECT_EQ(invariants.text(), "for.block=128x2x1,for.arg1=-5,for.arg2=7,for.arg3=1099511627776");
}

TEST(LaunchInvariants, OfSeveral_HasWhatNeverChanged) {
  LaunchInvariants invariants = ofThree();
  add(invariants, 1, 2, 3);
  add(invariants, 1, 4, 3);
  EXPECT_EQ(invariants.text(), "for.block=128x2x1,for.arg1=1,for.arg3=3");
  add(invariants, 9, 2, 3);
  add(invariants, 1, 2, 3); // what has changed once stays out
  EXPECT_EQ(invariants.text(), "for.block=128x2x1,for.arg3=3");
}

TEST(LaunchInvariants, IsTheCanonicalSpecOfWhatIsKnown) {
  LaunchInvariants invariants = ofThree();
  add(invariants, 1024, -1, 5);
  OrError<GrainSpec> spec = parseGrainSpec(invariants.text());
  ASSERT_TRUE(spec) << spec.error();
  EXPECT_EQ(toString(spec->grain), invariants.text());
}

flatbuffers::DetachedBuffer kernelWith(const std::vector<uint32_t> &sizes,
                                       const std::vector<image::IntegerArgument> &integers) {
  flatbuffers::FlatBufferBuilder builder;
  std::vector<flatbuffers::Offset<image::Parameter>> parameters;
  for (uint32_t size : sizes)
    parameters.push_back(image::CreateParameter(builder, 0, size));
  auto allParameters = builder.CreateVector(parameters);
  auto allIntegers = builder.CreateVectorOfStructs(integers);
  image::KernelBuilder kernel(builder);
  kernel.add_parameters(allParameters);
  kernel.add_integers(allIntegers);
  builder.Finish(kernel.Finish());
  return builder.Release();
}

TEST(WholeIntegers, OfStructures_AreLeftOut) {
  auto buffer = kernelWith({4, 16, 8}, {{0, 0, 4}, {1, 0, 4}, {1, 8, 8}, {2, 0, 8}});
  const auto *kernel = flatbuffers::GetRoot<image::Kernel>(buffer.data());
  std::vector<image::IntegerArgument> whole = wholeIntegers(*kernel);
  ASSERT_EQ(whole.size(), 2u);
  EXPECT_EQ(whole[0].parameter(), 0u);
  EXPECT_EQ(whole[1].parameter(), 2u);
}

} // namespace
