//===- Tune/ReviewTest.cpp - Choices against their originals, in whole runs ===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "apps/Tune/Review.h"

#include <gtest/gtest.h>

using namespace regrain;
using namespace regrain::tune;

namespace {

using Next = Review::Next;

Choice choice(const std::string &launchClass, const std::string &alternative = "block.x=2") {
  Choice choice;
  choice.kernel.hash = "a";
  choice.kernelName = "k()";
  choice.launchClass = launchClass;
  choice.alternative = alternative;
  choice.originalMicroseconds = 306;
  choice.chosenMicroseconds = 288;
  choice.gain = {1.055, 1.05, 1.06};
  return choice;
}

/// A class in a run of which each launch takes so long in the mean.
Measurement run(const std::string &launchClass, double microseconds, double launches = 3,
                std::string_view outcome = surveyedOutcome) {
  Measurement measurement;
  measurement.kernel.hash = "a";
  measurement.launchClass = launchClass;
  measurement.weight = launches;
  measurement.candidateMicroseconds = microseconds;
  measurement.outcome = outcome;
  return measurement;
}

/// Adds runs as long as the review asks for them, with these times for the class "c".
void runAll(Review &review, std::vector<double> originals, std::vector<double> choices) {
  size_t atOriginals = 0, atChoices = 0;
  for (Next next = review.next(); next != Next::Nothing; next = review.next()) {
    bool isAtChoices = next == Next::Choices;
    std::vector<double> &times = isAtChoices ? choices : originals;
    size_t &number = isAtChoices ? atChoices : atOriginals;
    if (number == times.size())
      return;
    review.add(
        std::vector{run("c", times[number++], 3, isAtChoices ? reviewedOutcome : surveyedOutcome)});
  }
}

Review reviewOf(double surveyed) {
  return Review(std::vector{choice("c")}, std::vector{run("c", surveyed)});
}

TEST(Review, ChoiceThatIsFaster_TakesOneRun) {
  Review review = reviewOf(322);
  runAll(review, {322, 322}, {300, 300, 300});
  EXPECT_EQ(review.next(), Next::Nothing);
  EXPECT_TRUE(review.replacements().empty());
  EXPECT_EQ(review.undecided(), 0u);
}

TEST(Review, ChoiceThatIsSlowerInAllRuns_GivesWay) {
  Review review = reviewOf(322);
  runAll(review, {323, 321}, {328, 327, 329});
  EXPECT_EQ(review.next(), Next::Nothing);
  std::vector<Choice> originals = review.replacements();
  ASSERT_EQ(originals.size(), 1u);
  EXPECT_EQ(originals[0].alternative, "original");
  EXPECT_EQ(originals[0].launchClass, "c");
  EXPECT_EQ(originals[0].chosenMicroseconds, 306);
  EXPECT_EQ(originals[0].gain, Gain());
  EXPECT_EQ(originals[0].verdict,
            "block.x=2 gains 1.055 where a launch is repeated, but the program's 3 launches take "
            "984.00 us with it (mean of 3 runs) and 966.00 with the original (of 3)");
}

TEST(Review, ChoiceThatIsAsFastInOneRun_Stays) {
  Review review = reviewOf(322);
  runAll(review, {323, 330}, {328, 327, 329});
  EXPECT_EQ(review.next(), Next::Nothing);
  EXPECT_TRUE(review.replacements().empty());
}

TEST(Review, DifferenceThatIsTooSmall_Stays) {
  Review review = reviewOf(322);
  runAll(review, {322, 322}, {323, 323, 323});
  EXPECT_TRUE(review.replacements().empty());
}

TEST(Review, TwoRunsOfEach_Suffice_OneDoesNot) {
  Review review = reviewOf(322);
  runAll(review, {}, {328});
  EXPECT_EQ(review.next(), Next::Originals);
  EXPECT_EQ(review.undecided(), 1u);
  EXPECT_TRUE(review.replacements().empty());
  review.add(std::vector{run("c", 322)});
  EXPECT_EQ(review.undecided(), 1u);
  review.add(std::vector{run("c", 328, 3, reviewedOutcome)});
  EXPECT_EQ(review.undecided(), 0u);
  EXPECT_EQ(review.replacements().size(), 1u);
}

TEST(Review, ClassesOfManyLaunchesOrLittleTimeOrTheOriginal_AreNotCompared) {
  Choice imported = choice("imported");
  imported.imported = true;
  Review review(std::vector{choice("often"), choice("small"), choice("kept", "original"), imported,
                            choice("elsewhere")},
                std::vector{run("often", 100, 9), run("small", 1, 3), run("kept", 100),
                            run("imported", 100), run("elsewhere", 100, 3, "timed")});
  EXPECT_EQ(review.size(), 0u);
  EXPECT_EQ(review.next(), Next::Nothing);
}

TEST(Review, ClassWithOtherLaunchesInSomeRun_Stays) {
  Review review = reviewOf(322);
  review.add(std::vector{run("c", 400, 2, reviewedOutcome)});
  EXPECT_EQ(review.next(), Next::Nothing);
  EXPECT_TRUE(review.replacements().empty());
}

TEST(Review, LaunchesOfSeveralProcesses_AreSummed) {
  Review review(std::vector{choice("c")}, std::vector{run("c", 100, 1), run("c", 200, 2)});
  review.add(std::vector{run("c", 170, 3, reviewedOutcome)});
  EXPECT_EQ(review.next(), Next::Originals);
  EXPECT_EQ(review.undecided(), 1u);
}

} // namespace
