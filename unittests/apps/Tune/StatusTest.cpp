//===- StatusTest.cpp - What a tuning run is doing ------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "apps/Tune/Status.h"

#include <gtest/gtest.h>

namespace regrain::tune {
namespace {

const TunedKernel kernel = {"ff", "aa", "device", 8, 1, "regrain"};
const Status status = {"scale", "block.x=4", "block.x=2", 1.234, 12.3};

TEST(InstanceName, KeepsTheArgumentsOfTheTemplate) {
  EXPECT_EQ(instanceName("void scale<float, (int)3>(float*, int)"), "scale<float, (int)3>");
  EXPECT_EQ(instanceName("void a::(anonymous namespace)::k<int>(int)"), "a::k<int>");
  EXPECT_EQ(instanceName("scale(float*, int)"), "scale");
}

TEST(ShortName, LeavesTypesAway) {
  EXPECT_EQ(shortName("scale(float*, int)"), "scale");
  EXPECT_EQ(shortName("void scale<float, (int)3>(float*, int)"), "scale");
  EXPECT_EQ(shortName("void ns::Sweep<std::pair<int, int> >::run(int (*)(int))"),
            "ns::Sweep<std::pair<int, int> >::run");
  EXPECT_EQ(shortName("(anonymous namespace)::k(int)"), "k");
  EXPECT_EQ(shortName("void a::(anonymous namespace)::k<int>(int)"), "a::k");
  EXPECT_EQ(shortName("plain"), "plain");
  EXPECT_EQ(shortName(""), "");
}

TEST(StatusText, SaysWhatIsKnown) {
  EXPECT_EQ(statusText(status, 80), "tuning scale: block.x=4, best block.x=2 1.23x, 13 s left");
  Status none = status;
  none.best = "";
  none.secondsLeft = -2;
  EXPECT_EQ(statusText(none, 80), "tuning scale: block.x=4, best the original, 0 s left");
}

TEST(StatusText, FitsTheWidth) {
  Status wide = status;
  wide.kernel = "a_kernel_with_a_rather_long_name";
  for (size_t width = 0; width < 120; ++width)
    EXPECT_LT(statusText(wide, width).size(), std::max<size_t>(width, 1)) << width;
  EXPECT_EQ(statusText(wide, 70),
            "tuning a_kernel_with_a_..: block.x=4, best block.x=2 1.23x, 13 s left");
  EXPECT_EQ(statusText(wide, 30), "tuning a_kern..: block.x=4,..");
}

TEST(StatusText, LongGrainsLeaveTheFigures) {
  Status grains = status;
  grains.candidate = "thread.x=2,thread.y=4:contiguous,for.block=16x16x1,for.arg3=200";
  EXPECT_EQ(statusText(grains, 70),
            "tuning scale: thread.x=2,thread.y=.., best block.x=2 1.23x, 13 s left");
  grains.best = grains.candidate;
  EXPECT_EQ(statusText(grains, 60), "tuning scale: thread.x=2.., best thread... 1.23x, 13 s left");
}

Measurement measured(const std::string &launchClass, const std::string &alternative, double gain,
                     const std::string &outcome = "timed") {
  return {kernel, "k(int)", launchClass, alternative,        "s", 0,
          1,      10,       10,          {gain, gain, gain}, 5,   outcome};
}

TEST(StatusOf, Nothing) { EXPECT_FALSE(statusOf({}, {}, 0)); }

TEST(StatusOf, BestOfTheClassThatIsUnderway) {
  Underway row = {kernel, "k(int)", "a", "thread.x=8", "s", 1, 2, 3};
  std::vector<Measurement> measurements = {
      measured("a", "block.x=2", 1.1), measured("a", "block.x=4", 1.3),
      measured("a", "block.x=8", 9, "dropped"), measured("b", "block.x=16", 5)};
  std::optional<Status> found = statusOf({row}, measurements, 7);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->kernel, "k");
  EXPECT_EQ(found->candidate, "thread.x=8");
  EXPECT_EQ(found->best, "block.x=4");
  EXPECT_EQ(found->bestRatio, 1.3);
  EXPECT_EQ(found->secondsLeft, 7);
  found = statusOf({}, measurements, 7); // the last one of "b"
  ASSERT_TRUE(found);
  EXPECT_EQ(found->candidate, "block.x=16");
  EXPECT_EQ(found->best, "block.x=16");
  EXPECT_EQ(statusOf({}, {measured("a", "block.x=2", 0.9)}, 7)->best, "");
}

} // namespace
} // namespace regrain::tune
