//===- LaunchRuleTest.cpp - How a variant of a kernel is launched ---------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/image/launch_rule.h"

#include <gtest/gtest.h>

using namespace regrain;

namespace {

constexpr LaunchExtents given = {8, 4, 2, 64, 1, 1, 256, 2, 1, 1};

/// Evaluates one operation of two numbers of `bits`, as all extents of a launch.
std::optional<uint64_t> compute(RuleOp op, uint64_t left, uint64_t right, uint8_t bits) {
  bool isCondition = op == RuleOp::Equal || op == RuleOp::LessUnsigned || op == RuleOp::LessSigned;
  LaunchRule rule;
  rule.steps = {{RuleOp::Constant, bits, 0, 0, 0, left},
                {RuleOp::Constant, bits, 0, 0, 0, right},
                {op, isCondition ? uint8_t(1) : bits, 0, 1}};
  rule.results.assign(launchExtents, 2);
  EXPECT_EQ(findWrong(rule, {}), nullptr);
  std::optional<std::vector<uint64_t>> results = evaluate(rule, given, nullptr);
  return results ? std::optional(results->front()) : std::nullopt;
}

TEST(LaunchRule, ComputesInTheWidthOfNumbers) {
  EXPECT_EQ(compute(RuleOp::Add, 0xffffffff, 2, 32), 1u);
  EXPECT_EQ(compute(RuleOp::Add, 0xffffffff, 2, 64), 0x100000001u);
  EXPECT_EQ(compute(RuleOp::Subtract, 1, 2, 8), 0xffu);
  EXPECT_EQ(compute(RuleOp::Multiply, 1u << 20, 1u << 20, 32), 0u);
  EXPECT_EQ(compute(RuleOp::DivideUnsigned, 0xfffffff8, 4, 32), 0x3ffffffeu);
  EXPECT_EQ(compute(RuleOp::DivideSigned, 0xfffffff8, 4, 32), 0xfffffffeu);
  EXPECT_EQ(compute(RuleOp::RemainderSigned, 0xfffffff9, 4, 32), 0xfffffffdu);
  EXPECT_EQ(compute(RuleOp::DivideSigned, 0x80000000, 0xffffffff, 32), 0x80000000u);
  EXPECT_EQ(compute(RuleOp::RemainderSigned, 0x80000000, 0xffffffff, 32), 0u);
  EXPECT_EQ(compute(RuleOp::ShiftRightSigned, 0x80, 3, 8), 0xf0u);
  EXPECT_EQ(compute(RuleOp::ShiftRightUnsigned, 0x80, 3, 8), 0x10u);
  EXPECT_EQ(compute(RuleOp::LessSigned, 0xffffffff, 0, 32), 1u);
  EXPECT_EQ(compute(RuleOp::LessUnsigned, 0xffffffff, 0, 32), 0u);
  EXPECT_EQ(compute(RuleOp::Xor, 6, 3, 32), 5u);
}

TEST(LaunchRule, WithoutResult) {
  EXPECT_EQ(compute(RuleOp::DivideUnsigned, 1, 0, 32), std::nullopt);
  EXPECT_EQ(compute(RuleOp::RemainderSigned, 1, 0, 32), std::nullopt);
  EXPECT_EQ(compute(RuleOp::ShiftLeft, 1, 32, 32), std::nullopt);
}

TEST(LaunchRule, ReadsTheLaunchAndArguments) {
  LaunchRule rule;
  rule.steps = {{RuleOp::Given, 64, 0},
                {RuleOp::Argument, 16, 1, 2},
                {RuleOp::ExtendSigned, 64, 1},
                {RuleOp::Add, 64, 0, 2}};
  rule.results.assign(launchExtents, 3);
  struct Pair {
    int16_t first, second;
  } pair = {100, -3};
  int other = 0;
  void *arguments[] = {&other, &pair};
  const uint32_t sizes[] = {4, 4};
  EXPECT_EQ(findWrong(rule, sizes), nullptr);
  EXPECT_EQ(evaluate(rule, given, arguments)->front(), 5u);
  const uint32_t shorter[] = {4, 3};
  EXPECT_STREQ(findWrong(rule, shorter), "it reads an argument that the kernel does not have");
}

TEST(LaunchRule, OnlyWhatIsSelectedNeedsAResult) {
  LaunchRule rule;
  rule.steps = {{RuleOp::Constant, 64, 0, 0, 0, 0},
                {RuleOp::DivideUnsigned, 64, 0, 0},
                {RuleOp::Equal, 1, 0, 0},
                {RuleOp::Select, 64, 2, 0, 1}};
  rule.results.assign(launchExtents, 3);
  EXPECT_EQ(evaluate(rule, given, nullptr)->front(), 0u);
  std::swap(rule.steps[3].second, rule.steps[3].third);
  EXPECT_FALSE(evaluate(rule, given, nullptr));
}

TEST(LaunchRule, WhatIsWrong) {
  LaunchRule rule;
  rule.steps = {{RuleOp::Given, 64, 0}};
  EXPECT_STREQ(findWrong(rule, {}), "it does not have all extents of a launch");
  rule.results.assign(launchExtents, 1);
  EXPECT_STREQ(findWrong(rule, {}), "a result is no step");
  rule.results.assign(launchExtents, 0);
  EXPECT_EQ(findWrong(rule, {}), nullptr);
  rule.steps = {{RuleOp::Given, 64, launchExtents}};
  EXPECT_STREQ(findWrong(rule, {}), "it reads an extent that no launch has");
  rule.steps = {{RuleOp::Resize, 64, 0}};
  EXPECT_STREQ(findWrong(rule, {}), "a step needs a later one");
  rule.steps = {{RuleOp(ruleOps), 64, 0}};
  EXPECT_STREQ(findWrong(rule, {}), "it has an unknown step");
}

} // namespace
