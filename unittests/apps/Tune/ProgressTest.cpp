//===- ProgressTest.cpp - The progress line of tuning ---------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "apps/Tune/Progress.h"

#include <gtest/gtest.h>

namespace regrain::tune {
namespace {

const TunedKernel kernel = {"ff", "aa", "device", 8, 1, "regrain"};
const ProgressState state = {"scale", "block.x=4", "block.x=2", 1.234, 12.3};

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

TEST(ProgressText, SaysWhatIsKnown) {
  EXPECT_EQ(progressText(state, 80), "tuning scale: block.x=4, best block.x=2 1.23x, 13 s left");
  ProgressState none = state;
  none.best = "";
  none.secondsLeft = -2;
  EXPECT_EQ(progressText(none, 80), "tuning scale: block.x=4, best the original, 0 s left");
}

TEST(ProgressText, FitsTheWidth) {
  ProgressState wide = state;
  wide.kernel = "a_kernel_with_a_rather_long_name";
  for (size_t width = 0; width < 120; ++width)
    EXPECT_LT(progressText(wide, width).size(), std::max<size_t>(width, 1)) << width;
  EXPECT_EQ(progressText(wide, 70),
            "tuning a_kernel_with_a_..: block.x=4, best block.x=2 1.23x, 13 s left");
  EXPECT_EQ(progressText(wide, 30), "tuning a_kern..: block.x=4,..");
}

TEST(ProgressLine, IsDrawnOverItselfAndNotTooOften) {
  ProgressLine line;
  std::string first = "\r\033[K" + progressText(state, 80);
  EXPECT_EQ(line.erase(), "") << "nothing stands there";
  EXPECT_EQ(line.update(state, 80, 5), first);
  ProgressState next = state;
  next.candidate = "thread.x=2";
  EXPECT_EQ(line.update(next, 80, 5.05), "") << "too early";
  EXPECT_EQ(line.update(state, 80, 5.5), "") << "it stands there";
  EXPECT_EQ(line.update(next, 80, 5.5), "\r\033[K" + progressText(next, 80));
  EXPECT_EQ(line.erase(), "\r\033[K");
  EXPECT_EQ(line.erase(), "");
  EXPECT_EQ(line.update(next, 80, 6), "\r\033[K" + progressText(next, 80));
}

Measurement measured(const std::string &launchClass, const std::string &alternative, double gain,
                     const std::string &outcome = "timed") {
  return {kernel, "k(int)", launchClass, alternative,        "s", 0,
          1,      10,       10,          {gain, gain, gain}, 5,   outcome};
}

TEST(ProgressOf, Nothing) { EXPECT_FALSE(progressOf({}, {})); }

TEST(ProgressOf, BestOfTheClassThatIsUnderway) {
  Underway row = {kernel, "k(int)", "a", "thread.x=8", "s", 1, 2, 3};
  std::vector<Measurement> measurements = {
      measured("a", "block.x=2", 1.1), measured("a", "block.x=4", 1.3),
      measured("a", "block.x=8", 9, "dropped"), measured("b", "block.x=16", 5)};
  std::optional<ProgressState> progress = progressOf({row}, measurements);
  ASSERT_TRUE(progress);
  EXPECT_EQ(progress->kernel, "k");
  EXPECT_EQ(progress->candidate, "thread.x=8");
  EXPECT_EQ(progress->best, "block.x=4");
  EXPECT_EQ(progress->bestRatio, 1.3);
  progress = progressOf({}, measurements); // the last one of "b"
  ASSERT_TRUE(progress);
  EXPECT_EQ(progress->candidate, "block.x=16");
  EXPECT_EQ(progress->best, "block.x=16");
  EXPECT_EQ(progressOf({}, {measured("a", "block.x=2", 0.9)})->best, "");
}

} // namespace
} // namespace regrain::tune
