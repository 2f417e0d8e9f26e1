//===- tuning/BudgetTest.cpp - What a class of launches may spend ---------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/tuning/budget.h"
#include "runtime/tuning/not_tried.h"

#include <gtest/gtest.h>

using namespace regrain;

namespace {

constexpr LaunchCosts aSecond = {0.95, 0.951, 0.96}, aMoment = {20e-6, 1e-3, 2e-3};

TEST(Allowance, TheOnlyClass_GetsNearlyAll) {
  EXPECT_DOUBLE_EQ(allowanceOf({0.95, 0}, {30, 30, 0.95}), 27);
}

TEST(Allowance, ClassOfMostOfTheTime_GetsItsShareAfterOthers) {
  // Small classes have come first, and have spent a fifth.
  EXPECT_DOUBLE_EQ(allowanceOf({0.95, 0}, {30, 24, 1}), 0.9 * 24);
  EXPECT_DOUBLE_EQ(allowanceOf({0.5, 0}, {30, 24, 1}), 15);
}

TEST(Allowance, SmallClass_GetsTheFloor) {
  EXPECT_DOUBLE_EQ(allowanceOf({0.001, 0}, {30, 30, 1}), 1.5);
  // It is the first, and nothing else is known: what it takes bounds what it may spend.
  EXPECT_DOUBLE_EQ(allowanceOf({20e-6, 0}, {30, 30, 20e-6}), 1.5);
  EXPECT_DOUBLE_EQ(allowanceOf({20e-6, 0}, {5, 5, 20e-6}), 1);
  EXPECT_DOUBLE_EQ(allowanceOf({20e-6, 0}, {1, 1, 20e-6}), 0.25);
}

TEST(Allowance, ManySmallClasses_LeaveMostToALargeOne) {
  double left = 30;
  for (int i = 0; i < 5; ++i)
    left -= allowanceOf({1e-4, 0}, {30, left, 1e-4 * (i + 1)});
  EXPECT_GT(left, 30 * 0.75);
  EXPECT_DOUBLE_EQ(allowanceOf({0.95, 0}, {30, left, 0.9505}), 0.9 * left);
}

TEST(Allowance, WhatWasSpent_Counts) {
  EXPECT_DOUBLE_EQ(allowanceOf({2, 20}, {30, 8, 3}), 1); // entitled to 20
  EXPECT_DOUBLE_EQ(allowanceOf({2, 18}, {30, 8, 3}), 2);
}

TEST(Allowance, NothingLeft_IsNothing) {
  EXPECT_EQ(allowanceOf({1, 0}, {30, 0, 1}), 0);
  EXPECT_EQ(allowanceOf({1, 0}, {30, -1, 1}), 0);
}

TEST(Allowance, LaterSamples_LeaveAQuarterToNewClasses) {
  ClassAccount own = {.program = 1, .spent = 1, .isNew = false};
  EXPECT_DOUBLE_EQ(allowanceOf(own, {8, 6, 1}), 0.9 * 4);
  EXPECT_EQ(allowanceOf(own, {8, 2, 1}), 0);
  EXPECT_GT(allowanceOf({.program = 1}, {8, 2, 1}), 0);
}

TEST(Allowance, NewClassThatOthersTellWhatToTry_MaySpendLittleButAlwaysSome) {
  ClassAccount told = {.program = 1e-3, .isTold = true};
  EXPECT_DOUBLE_EQ(allowanceOf(told, {5, 4, 1}), 0.5); // another one would get a second
  EXPECT_DOUBLE_EQ(allowanceOf(told, {5, 1, 1}), 0.125);
  EXPECT_DOUBLE_EQ(allowanceOf({.program = 1, .isTold = true}, {5, 5, 2}), 2.5); // its share
}

TEST(Allowance, SurveyedClass_GetsItsPartAndNoFloor) {
  BudgetState run = {30, 30, 1, 30}; // nothing is spent, and all classes are to come
  EXPECT_NEAR(allowanceOf({0.95, 0, true}, run), 28.5, 1e-6);
  EXPECT_NEAR(allowanceOf({0.001, 0, true}, run), 0.03, 1e-6);
}

TEST(Allowance, OfASurveyedClassThatTakesLittle_IsItsPartOfAFifth) {
  // Eight large classes and two of a thousandth, of which the first comes first.
  double least = leastShareOf(10);
  EXPECT_DOUBLE_EQ(least, 0.02);
  ClassAccount small = {0.001, 0, true}, large = {0.12475, 0, true};
  BudgetState run = {30, 30, 1, 0, least};
  run.claims = 2 * claimOf(small, run) + 8 * claimOf(large, run);
  EXPECT_NEAR(allowanceOf(small, run), 0.6, 0.05); // and not 0.03
  EXPECT_GT(allowanceOf(large, run), 3.5);
  small.spent = 0.6;
  EXPECT_NEAR(claimOf(small, run), 0.006, 1e-9);
}

TEST(Allowance, OfManySurveyedClasses_LeavesTheLargeOneMostOfTheBudget) {
  double least = leastShareOf(201);
  ClassAccount small = {0.0001, 0, true}, large = {0.98, 0, true};
  BudgetState run = {30, 30, 1, 0, least};
  run.claims = 200 * claimOf(small, run) + claimOf(large, run);
  EXPECT_GT(allowanceOf(large, run), 0.8 * 30);
}

TEST(Allowance, WhatOthersLeave_GoesToSurveyedClassesThatStillCome) {
  // Classes of half of the time have spent 3 s of 15, and are not sampled any more.
  BudgetState run = {30, 27, 1, 15};
  EXPECT_NEAR(allowanceOf({0.4, 0, true}, run), 27 * 0.8, 1e-6);
  EXPECT_NEAR(allowanceOf({0.1, 0, true}, run), 27 * 0.2, 1e-6); // the larger one may need it
  run.claims = 3; // the larger one has come, too, and the last one has all that is left
  EXPECT_NEAR(allowanceOf({0.1, 0, true}, run), 27, 1e-6);
}

TEST(Allowance, SurveyedClassThatSpentItsPart_GetsWhatNoOtherOneClaims) {
  ClassAccount small = {0.1, 3, true};
  BudgetState run = {30, 20, 1, 24};
  run.claims += claimOf(small, run); // a larger one is still to come
  EXPECT_LT(allowanceOf(small, run), 0.03);
  run.claims = claimOf(small, run);
  EXPECT_NEAR(allowanceOf(small, run), 20, 1e-6);
}

TEST(Allowance, SurveyedClassThatSpentItsPart_GetsHalfOfWhatNoClassClaims) {
  ClassAccount small = {0.1, 3, true};
  BudgetState run = {30, 26, 1, 6};
  EXPECT_NEAR(allowanceOf(small, run), 0.03 + 10, 1e-6);
}

TEST(Allowance, SurveyedClassesThatNeedLittle_LeaveTheRestOfTheirParts) {
  // A large class has been sampled, and knows what it needs; a small one has spent its part.
  ClassAccount large = {0.9, 2, true}, small = {0.1, 3, true};
  large.need = 1;
  BudgetState run = {30, 25, 1};
  run.claims = claimOf(large, run) + claimOf(small, run);
  EXPECT_NEAR(run.claims, 1.03, 1e-9);
  EXPECT_GT(allowanceOf(small, run), 10);
  EXPECT_GT(allowanceOf(large, run), 10);
}

TEST(Need, IsThatOfOneSampleOfAllAndOfFurtherOnesOfTheBest) {
  double one = needOf(1, 20, aMoment), two = needOf(2, 20, aMoment), three = needOf(3, 20, aMoment);
  EXPECT_GT(one, planRace(20, aMoment, 10).forAll);
  EXPECT_NEAR(three - two, needOf(1, mostRunnersUp, aMoment), 1e-9);
  EXPECT_NEAR(two - one, three - two, 1e-9);
  EXPECT_LT(needOf(1, 3, aMoment), needOf(1, mostRunnersUp, aMoment));
  EXPECT_EQ(needOf(0, 20, aMoment), 0);
  EXPECT_EQ(needOf(3, 0, aMoment), 0);
}

TEST(Need, LongLaunches_AreFew) {
  EXPECT_LT(needOf(1, 12, aSecond), 30);
  EXPECT_GE(needOf(1, 12, aSecond), planRace(12, aSecond, 60).forAll);
}

TEST(Allowance, NothingIsLeft_SurveyedClassGetsNothing) {
  EXPECT_EQ(allowanceOf({0.1, 0, true}, {30, 0, 1, 27}), 0);
}

TEST(Allowance, TheOnlySurveyedClass_GetsAllHoweverLittleItTakes) {
  for (double budget : {1.0, 5.0, 30.0})
    for (double program : {20e-6, 2.7e-3, 1.0})
      EXPECT_NEAR(allowanceOf({program, 0, true}, {budget, budget, program, budget}), budget, 1e-6);
  // Its part of the time limits it, if there are larger classes.
  EXPECT_NEAR(allowanceOf({20e-6, 0, true}, {30, 30, 0.02, 30}), 0.03, 1e-6);
}

TEST(Claim, IsThePartMinusWhatWasSpent) {
  BudgetState run = {30, 30, 2};
  EXPECT_DOUBLE_EQ(claimOf({1, 0}, run), 15);
  EXPECT_DOUBLE_EQ(claimOf({1, 5}, run), 10);
  EXPECT_DOUBLE_EQ(claimOf({1, 20}, run), 0);
}

TEST(Claim, IsNoMoreThanTheNeed) {
  ClassAccount own = {1, 5, true};
  own.need = 2;
  EXPECT_DOUBLE_EQ(claimOf(own, {30, 30, 2}), 2);
  own.need = 0;
  EXPECT_DOUBLE_EQ(claimOf(own, {30, 30, 2}), 0);
}

TEST(BudgetFor, SurveyedClass_NeedsItsPart) {
  EXPECT_DOUBLE_EQ(budgetFor(10, {0.1, 0, true}, {30, 30, 1, 30}), 100);
  EXPECT_DOUBLE_EQ(budgetFor(10, {0.1, 2, true}, {30, 30, 1, 30}), 120);
}

TEST(BudgetFor, SurveyedClassOfMicroseconds_NeedsItsPart) {
  EXPECT_DOUBLE_EQ(budgetFor(3, {1e-5, 0, true}, {2, 2, 1e-5, 2}), 3);
  EXPECT_DOUBLE_EQ(budgetFor(3, {1e-5, 0, true}, {30, 30, 2e-5, 30}), 31);
}

TEST(PlanRace, KnowsWhetherOneCandidateIsPaidFor) {
  EXPECT_TRUE(planRace(12, aMoment, 1).paysForOne);
  EXPECT_FALSE(planRace(12, aMoment, 0.03).paysForOne);
  EXPECT_EQ(planRace(12, aMoment, 0.03).tries, 1u);
  EXPECT_FALSE(planRace(12, aSecond, 5).paysForOne);
}

TEST(PlanTold, OneCandidateAndFewPairs_TakeLessThanARace) {
  RacePlan told = planTold(aMoment, 0.05);
  EXPECT_TRUE(told.isTold && told.paysForOne);
  EXPECT_EQ(told.tries, 1u);
  EXPECT_NEAR(told.reserve, toldPairs * 2 * aMoment.run, 1e-9);
  EXPECT_FALSE(planRace(12, aMoment, 0.05).paysForOne);
  EXPECT_FALSE(planTold(aMoment, 0.04).paysForOne);
}

TEST(BudgetFor, IsTheLeastThatSuffices) {
  for (double needed : {3.0, 40.0, 100.0})
    for (ClassAccount own : {ClassAccount{0.95, 0},
                             {0.95, 7},
                             {0.01, 0},
                             {1e-6, 0},
                             {.program = 0.95, .spent = 7, .isNew = false},
                             {.program = 0.01, .isNew = false},
                             {.program = 0.01, .isTold = true}})
      for (double left : {30.0, 12.0}) {
        BudgetState run = {30, left, 1};
        if (allowanceOf(own, run) >= needed)
          continue;
        double budget = budgetFor(needed, own, run);
        auto allowed = [&](double of) { return allowanceOf(own, {of, of - (30 - left), 1}); };
        EXPECT_GE(allowed(budget), needed - 1e-9);
        EXPECT_TRUE(budget == 31 || allowed(budget - 1) < needed) << needed << " " << budget;
      }
}

TEST(PlanRace, LaunchOfASecond_TriesWhatTheAllowancePaysFor) {
  RacePlan thirty = planRace(12, aSecond, 0.9 * 29), ten = planRace(12, aSecond, 0.9 * 9);
  EXPECT_TRUE(thirty.isOfLongLaunches && ten.isOfLongLaunches);
  EXPECT_EQ(thirty.tries, 12u);
  EXPECT_EQ(ten.tries, 3u);
  EXPECT_EQ(ten.forAll, thirty.forAll);
  EXPECT_LE(thirty.forAll, 0.9 * 29);
  EXPECT_NEAR(ten.reserve, 4 * 0.951, 1e-9);
}

TEST(PlanRace, TooLittleForADecision_TriesNothing) {
  EXPECT_EQ(planRace(12, aSecond, 5).tries, 0u);
  EXPECT_EQ(planRace(12, aSecond, 6).tries, 1u);
  EXPECT_EQ(planRace(0, aSecond, 60).tries, 0u);
}

TEST(PlanRace, ShortLaunches_AreTimedInManyPairs) {
  RacePlan plan = planRace(12, aMoment, 1.5);
  EXPECT_FALSE(plan.isOfLongLaunches);
  EXPECT_EQ(plan.tries, 12u);
  EXPECT_EQ(planRace(12, aMoment, 0.01).tries, 1u); // one is always tried
  EXPECT_EQ(planRace(0, aMoment, 1).tries, 0u);
}

TEST(PlanRace, RatherLongLaunches_AreTimedSinglyWhereManyPairsCostTooMuch) {
  LaunchCosts costs = {0.01, 0.011, 0.012};
  EXPECT_TRUE(planRace(24, costs, 5).isOfLongLaunches);
  EXPECT_FALSE(planRace(24, costs, 20).isOfLongLaunches);
  EXPECT_EQ(planRace(24, costs, 5).tries, 24u);
}

TEST(PlanRace, LargeMemory_CostsCandidates) {
  LaunchCosts restored = {1e-3, 0.05, 0.2}; // a short launch, between long copies
  RacePlan plan = planRace(12, restored, 10);
  EXPECT_FALSE(plan.isOfLongLaunches);
  EXPECT_GE(plan.tries, 1u);
  EXPECT_LT(plan.tries, 12u);
  EXPECT_GT(plan.forAll, 10);
}

TEST(PaysForAnother, SlowComparisons_LeaveTimeForThePairsOfThoseThatAreRight) {
  LaunchCosts costs = {0.003, 0.003, 0.004};
  RacePlan plan = planRace(48, costs, 4.5);
  EXPECT_EQ(plan.tries, 48u);
  EXPECT_TRUE(paysForAnother(plan, costs, 47, 4.5 - 47 * costs.verify)); // as fast as planned
  // With 0.2 s for each, 18 are compared, and their pairs and those that confirm the best remain.
  size_t right = 0;
  while (paysForAnother(plan, costs, right, 4.5 - double(right + 1) * 0.2))
    ++right;
  EXPECT_EQ(right, 18u);
  EXPECT_GT(4.5 - double(right) * 0.2, plan.reserve + double(right) * 5 * 2 * costs.run);
  EXPECT_TRUE(paysForAnother(plan, costs, 0, 0)); // one is always tried
}

TEST(NotTried, Outcome_TellsTheBudget) {
  EXPECT_EQ(notTriedOutcome(60), "not tried: a budget of 60 s would try all");
  EXPECT_EQ(budgetOfNotTried(notTriedOutcome(123)), 123);
  EXPECT_FALSE(budgetOfNotTried("timed"));
  EXPECT_FALSE(budgetOfNotTried("not tried: a budget of many s would try all"));
}

} // namespace
