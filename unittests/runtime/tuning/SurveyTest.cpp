//===- tuning/SurveyTest.cpp - What each class takes in a whole run -------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/tuning/survey.h"

#include <gtest/gtest.h>

using namespace regrain;

namespace {

TunedKernel kernel(const std::string &hash, const std::string &device = "") {
  TunedKernel kernel;
  kernel.hash = hash;
  kernel.device = device;
  return kernel;
}

Measurement row(const std::string &hash, const std::string &launchClass, double launches,
                double microseconds, std::string_view outcome = surveyedOutcome) {
  Measurement measurement;
  measurement.kernel = kernel(hash);
  measurement.launchClass = launchClass;
  measurement.weight = launches;
  measurement.originalMicroseconds = microseconds;
  measurement.outcome = outcome;
  return measurement;
}

TEST(Survey, WithoutRows_KnowsNothing) {
  Survey survey({row("a", "block=1", 4, 100, "timed")});
  EXPECT_TRUE(survey.empty());
  EXPECT_EQ(survey.unmetSeconds(), 0);
  EXPECT_FALSE(survey.meet(kernel("a"), "block=1"));
}

TEST(Survey, RowsOfSeveralProcesses_AreSummed) {
  Survey survey({row("a", "block=1", 4, 100), row("a", "block=1", 6, 200)});
  EXPECT_NEAR(survey.unmetSeconds(), 1600e-6, 1e-12);
  std::optional<Surveyed> met = survey.meet(kernel("a"), "block=1");
  ASSERT_TRUE(met);
  EXPECT_NEAR(met->seconds, 1600e-6, 1e-12);
  EXPECT_EQ(met->launches, 10u);
}

TEST(Survey, ClassesAndKernels_AreToldApart) {
  Survey survey(
      {row("a", "block=1", 1, 1000), row("a", "block=2", 1, 20), row("b", "block=1", 1, 3)});
  EXPECT_NEAR(survey.meet(kernel("a"), "block=2")->seconds, 20e-6, 1e-12);
  EXPECT_NEAR(survey.meet(kernel("b"), "block=1")->seconds, 3e-6, 1e-12);
  EXPECT_FALSE(survey.meet(kernel("b"), "block=2"));
  EXPECT_FALSE(survey.meet(kernel("a", "another"), "block=1"));
  EXPECT_NEAR(survey.unmetSeconds(), 1000e-6, 1e-12);
}

TEST(MeanMicroseconds, TimedLaunch_StandsForThoseUpToTheNext) {
  EXPECT_DOUBLE_EQ(meanMicroseconds({{1, 10}, {2, 20}, {4, 40}}, 8), (10 + 2 * 20 + 5 * 40) / 8.0);
  EXPECT_DOUBLE_EQ(meanMicroseconds({{4, 40}}, 8), 40); // the first ones could not be timed
}

TEST(MeanMicroseconds, FirstLaunchThatWaited_CountsAsTheLongestOther) {
  EXPECT_DOUBLE_EQ(meanMicroseconds({{1, 4e6}, {2, 900}, {3, 930}}, 3), (930 + 900 + 930) / 3.0);
  EXPECT_DOUBLE_EQ(meanMicroseconds({{1, 9000}, {2, 900}, {3, 930}}, 3),
                   (9000 + 900 + 930) / 3.0);             // work that becomes less
  EXPECT_DOUBLE_EQ(meanMicroseconds({{1, 4e6}}, 1), 4e6); // nothing tells
}

TEST(MeanMicroseconds, LaterLaunchThatTakesLonger_Counts) {
  EXPECT_DOUBLE_EQ(meanMicroseconds({{1, 900}, {2, 4e6}, {3, 900}}, 3), (900 + 4e6 + 900) / 3);
}

TEST(Survey, ClassThatIsMetTwice_IsTakenFromTheRestOnce) {
  Survey survey({row("a", "block=1", 1, 1000), row("a", "block=2", 1, 20)});
  EXPECT_TRUE(survey.meet(kernel("a"), "block=1"));
  EXPECT_TRUE(survey.meet(kernel("a"), "block=1"));
  EXPECT_NEAR(survey.unmetSeconds(), 20e-6, 1e-12);
}

} // namespace
