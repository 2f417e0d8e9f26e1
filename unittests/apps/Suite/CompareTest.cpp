//===- CompareTest.cpp - Differences between runs -------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "apps/Suite/Compare.h"

#include <gtest/gtest.h>

namespace regrain::suite {
namespace {

Reference runsOf(std::initializer_list<Output> runs) {
  Reference reference;
  for (const Output &run : runs)
    reference.add(run);
  return reference;
}

bool differs(const Reference &reference, const std::string &text) {
  return reference.difference({text, {}}).has_value();
}

TEST(Compare, NumbersAndWordsCount) {
  Reference reference = runsOf({{"sum 1.5e-03 of x\n", {}}, {"sum 1.5e-03 of x\n", {}}});
  EXPECT_FALSE(differs(reference, "sum 1.5e-03 of x\n"));
  EXPECT_TRUE(differs(reference, "sum 1.5e-04 of x\n"));
  EXPECT_TRUE(differs(reference, "sum -1.5e-03 of x\n"));
  EXPECT_TRUE(differs(reference, "sum nan of x\n"));
  EXPECT_TRUE(differs(reference, "sum 1.5e-03 of y\n"));
  EXPECT_TRUE(differs(reference, "sum 1.5e-03 of x\nmore\n"));
  EXPECT_TRUE(differs(reference, ""));
  EXPECT_EQ(reference.compared().left, 1u);
}

TEST(Compare, WhatVariesIsLeftOut) {
  Reference reference = runsOf({{"at 17, sum 4\nid abc\n", {}}, {"at 180, sum 4\nid xyz\n", {}}});
  EXPECT_FALSE(differs(reference, "at 9, sum 4\nid q\n"));
  EXPECT_TRUE(differs(reference, "at 9, sum 5\nid q\n"));
  EXPECT_EQ(reference.compared().numbers, 1u);
  EXPECT_EQ(reference.compared().lines, 1u);
  EXPECT_EQ(reference.compared().left, 1u);
}

TEST(Compare, TimesAndRatesAreLeftOut) {
  Reference reference = runsOf({{"took  0.00 s, speedup inf\n", {}}});
  EXPECT_FALSE(differs(reference, "took 12.10 s, speedup -3\n"));
  EXPECT_TRUE(differs(reference, "lost  0.00 s, speedup inf\n"));
  EXPECT_EQ(reference.compared().timings, 2u);
  EXPECT_EQ(reference.compared().left, 0u);
}

TEST(Compare, WordsThatHoldAUnitAreNoUnits) {
  Reference reference = runsOf({{"masses 3 timestep2\n", {}}});
  EXPECT_TRUE(differs(reference, "masses 4 timestep2\n"));
  EXPECT_EQ(reference.compared().timings, 0u);
}

TEST(Compare, LengthThatVariesLeavesNoText) {
  Reference reference = runsOf({{"a\n", {}}, {"a\nb\n", {}}});
  EXPECT_FALSE(differs(reference, "c\n"));
  EXPECT_TRUE(reference.compared().textVaries);
  EXPECT_EQ(reference.compared().left, 0u);
}

TEST(Compare, TheRuntimesMessagesAreNoOutput) {
  Reference reference = runsOf({{"regrain: original\nsum 4\n", {}}});
  EXPECT_FALSE(differs(reference, "sum 4\nregrain: block.x=2\nregrain: more\n"));
}

TEST(Compare, Files) {
  Output first = {"", {{"out", {3, 1}}, {"log", {9, 2}}}};
  Output second = {"", {{"out", {3, 1}}, {"log", {9, 3}}}};
  Reference reference = runsOf({first, second});
  EXPECT_FALSE(reference.difference(first));
  EXPECT_TRUE(reference.difference({"", {{"out", {3, 2}}}}));
  EXPECT_TRUE(reference.difference({"", {{"log", {9, 2}}}}));
  EXPECT_TRUE(reference.difference({"", {{"out", {3, 1}}, {"new", {1, 1}}}}));
  EXPECT_EQ(reference.compared().files, 1u);
  EXPECT_EQ(reference.compared().left, 1u);
}

} // namespace
} // namespace regrain::suite
