//===- RecentAnswersTest.cpp - Questions that launches ask again ----------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/core/recent_answers.h"
#include "runtime/core/variant_launches.h"

#include <gtest/gtest.h>
#include <thread>
#include <vector>

using namespace regrain;

namespace {

using Question = std::array<uint64_t, 3>;
using Answer = std::array<uint64_t, 2>;

Answer answerTo(const Question &question) {
  return {question[0] * 3 + question[1] * 5 + question[2] * 7, question[2]};
}

class RecentQuestions : public testing::Test {
protected:
  bool isKnown(const Question &question) {
    Answer answer = {};
    bool isFound = answers.find(question, answer);
    EXPECT_TRUE(!isFound || answer == answerTo(question));
    return isFound;
  }
  void note(const Question &question) { answers.note(question, answerTo(question)); }

  RecentAnswers answers{Question().size(), Answer().size()};
};

TEST_F(RecentQuestions, AreKnownWordForWord) {
  EXPECT_FALSE(isKnown({0, 0, 0})) << "nothing was asked";
  note({4, 6, 8});
  EXPECT_TRUE(isKnown({4, 6, 8}));
  for (Question other :
       {Question{5, 6, 8}, {4, 7, 8}, {4, 6, 9}, {4, 6, 8 | 1ull << 63}, {8, 6, 4}})
    EXPECT_FALSE(isKnown(other));
}

TEST_F(RecentQuestions, OfTheLastLaunches_AreKnown) {
  for (uint64_t i = 0; i < 100; ++i) {
    note({i, 1, 2});
    for (uint64_t before = i < 8 ? 0 : i - 7; before <= i; ++before)
      EXPECT_TRUE(isKnown({before, 1, 2}));
    EXPECT_EQ(isKnown({i - 8, 1, 2}), false);
  }
}

TEST_F(RecentQuestions, OfSimultaneousLaunches_HaveTheirAnswers) {
  std::atomic<int> wrong = 0, known = 0;
  auto askAll = [&](uint64_t first) {
    for (uint64_t i = 0; i < 20000; ++i) {
      Question question = {i % 2, first, i / 100};
      Answer answer = {};
      if (answers.find(question, answer)) {
        ++known;
        wrong += answer != answerTo(question);
      } else {
        note(question);
      }
    }
  };
  std::vector<std::thread> threads;
  for (uint64_t first = 0; first < 4; ++first)
    threads.emplace_back(askAll, first);
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(wrong, 0);
  EXPECT_GT(known, 0);
}

/// A rule by which a variant has so many blocks as argument 1 says, of half as many threads as the
/// program's. It leaves out launches for which that is 0.
LaunchRule halfBlocks(unsigned bits) {
  LaunchRule rule;
  rule.steps = {{RuleOp::Argument, uint8_t(bits), 1, 0}, {RuleOp::Given, 64, 3},
                {RuleOp::Constant, 64, 0, 0, 0, 2},      {RuleOp::DivideUnsigned, 64, 1, 2},
                {RuleOp::Constant, 64, 0, 0, 0, 1},      {RuleOp::Given, 64, 6}};
  rule.results = {0, 4, 4, 3, 4, 4, 5, 4, 4, 4};
  return rule;
}

class LaunchesOfVariant : public testing::Test {
protected:
  tl::expected<LaunchShape, Misfit> of(uint32_t threads, int number, uint64_t bytes = 0) {
    float unread = float(++launches);
    void *arguments[] = {&unread, &number};
    LaunchShape program = {{7, 1, 1}, {threads, 1, 1}, bytes};
    tl::expected<LaunchShape, Misfit> launch = variant.of(program, arguments);
    EXPECT_EQ(launch, launchOfVariant(halfBlocks(32), program, arguments));
    return launch;
  }

  int launches = 0;
  VariantLaunches variant{halfBlocks(32)};
};

TEST_F(LaunchesOfVariant, FollowShapeAndArguments) {
  for (int round = 0; round < 3; ++round) {
    EXPECT_EQ(of(64, 5), (LaunchShape{{5, 1, 1}, {32, 1, 1}, 0}));
    EXPECT_EQ(of(64, 6), (LaunchShape{{6, 1, 1}, {32, 1, 1}, 0}));
    EXPECT_EQ(of(128, 5), (LaunchShape{{5, 1, 1}, {64, 1, 1}, 0}));
    EXPECT_EQ(of(64, 5, 1ull << 31), (LaunchShape{{5, 1, 1}, {32, 1, 1}, 1ull << 31}));
  }
}

TEST_F(LaunchesOfVariant, MayBeNone) {
  for (int round = 0; round < 3; ++round) {
    EXPECT_EQ(of(64, 0).error(), Misfit::NotOffered);
    EXPECT_EQ(of(1, 5).error(), Misfit::NotOffered);
    EXPECT_TRUE(of(64, 1));
  }
}

/// Bytes behind a short argument are not a part of it.
TEST(LaunchesOfShortArgument, DoNotReadBehindIt) {
  VariantLaunches variant(halfBlocks(16));
  for (uint32_t number : {0x10005u, 0x20005u, 0x10006u}) {
    void *arguments[] = {nullptr, &number};
    LaunchShape program = {{7, 1, 1}, {64, 1, 1}, 0};
    EXPECT_EQ(variant.of(program, arguments),
              (LaunchShape{{number & 0xffff, 1, 1}, {32, 1, 1}, 0}));
  }
}

TEST(LaunchesOfLongRule, AreThoseOfTheRule) {
  LaunchRule rule = halfBlocks(32);
  std::vector<int> numbers(40, 3);
  std::vector<void *> arguments;
  for (int &number : numbers)
    arguments.push_back(&number);
  for (uint32_t i = 2; i < numbers.size(); ++i) {
    rule.results[0] = uint32_t(rule.steps.size() + 1);
    uint32_t sum = i == 2 ? 0 : uint32_t(rule.steps.size() - 1);
    rule.steps.push_back({RuleOp::Argument, 32, i, 0});
    rule.steps.push_back({RuleOp::Add, 32, sum, uint32_t(rule.steps.size() - 1)});
  }
  VariantLaunches variant(rule);
  LaunchShape program = {{7, 1, 1}, {64, 1, 1}, 0};
  EXPECT_EQ(variant.of(program, arguments.data())->grid[0], 3u * 39);
  numbers.back() = 4;
  EXPECT_EQ(variant.of(program, arguments.data())->grid[0], 3u * 39 + 1);
}

} // namespace
