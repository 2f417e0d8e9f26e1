//===- CompileBudgetTests.cpp - How much code alternatives have -----------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Pipelines/CompileBudget.h"

#include <gtest/gtest.h>
#include <random>
#include <thread>
#include <vector>

using namespace regrain;

namespace {

constexpr unsigned first = 1, wanted = 4;
constexpr uint64_t smallCode = 5000; // 100 instructions for each alternative

std::function<uint64_t()> original(uint64_t instructions) {
  return [=] { return instructions; };
}

TEST(CompileBudget, SmallCodeDoesNotAskForTheOriginal) {
  CompileBudget budget(first, wanted, smallCode, /*kernels=*/1);
  bool asked = false;
  EXPECT_FALSE(budget.admit(1, 400, [&] {
    asked = true;
    return 0;
  }));
  EXPECT_FALSE(asked);
}

TEST(CompileBudget, TheOriginalsSizeSetsTheLimit) {
  CompileBudget budget(first, wanted, smallCode, /*kernels=*/1);
  EXPECT_FALSE(budget.admit(1, 800, original(200)));
  EXPECT_EQ(budget.findSpent(), "compile budget: earlier grains have taken the 800 instructions of "
                                "all");
}

TEST(CompileBudget, AGrainThatDoesNotFitTakesHalf) {
  CompileBudget budget(first, wanted, smallCode, /*kernels=*/1);
  EXPECT_FALSE(budget.admit(1, 200, original(0)));
  EXPECT_EQ(budget.admit(2, 300, original(0)),
            "compile budget: 300 instructions, and 200 are left of the 400 of all");
  EXPECT_FALSE(budget.findSpent());
  EXPECT_FALSE(budget.admit(3, 50, original(0)));
  EXPECT_EQ(budget.admit(4, 1, original(0)),
            "compile budget: earlier grains have taken the 400 instructions of all");
}

TEST(CompileBudget, LargeCodeThatHasGrownTakesHalf) {
  CompileBudget budget(first, wanted, smallCode, /*kernels=*/1);
  EXPECT_EQ(budget.admit(1, 6000, original(2000)),
            "code growth: 6000 instructions, the original has 2000");
  EXPECT_FALSE(budget.admit(2, 5000, original(2000)));
  EXPECT_TRUE(budget.findSpent());
}

TEST(CompileBudget, ManyKernelsShare) {
  CompileBudget budget(first, wanted, smallCode, /*kernels=*/8);
  EXPECT_EQ(budget.admit(1, 300, original(0)),
            "compile budget: 300 instructions, and 208 are left of the 208 of all");
}

/// Runs a thread for each size, and returns which grains are admitted.
std::vector<bool> admitted(const std::vector<uint64_t> &sizes, unsigned seed) {
  CompileBudget budget(first, wanted, smallCode, /*kernels=*/1);
  std::vector<char> result(sizes.size());
  std::vector<std::thread> threads;
  std::mt19937 random(seed);
  for (unsigned i = 0; i < sizes.size(); ++i)
    threads.emplace_back([&, i, pause = random() % 2000] {
      std::this_thread::sleep_for(std::chrono::microseconds(pause));
      if (sizes[i] && !budget.findSpent())
        result[i] = !budget.admit(first + i, sizes[i], original(0));
      budget.end(first + i);
    });
  for (std::thread &thread : threads)
    thread.join();
  return {result.begin(), result.end()};
}

TEST(CompileBudget, TheOrderOfThreadsDoesNotMatter) {
  // The third has no code; the fourth does not fit; the budget is spent before the last.
  std::vector<uint64_t> sizes = {100, 100, 0, 300, 30, 10, 10, 5};
  std::vector<bool> expected = {true, true, false, false, true, true, true, false};
  for (unsigned seed = 0; seed < 50; ++seed)
    EXPECT_EQ(admitted(sizes, seed), expected) << seed;
}

} // namespace
