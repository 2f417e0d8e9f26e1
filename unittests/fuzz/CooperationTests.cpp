//===- CooperationTests.cpp - Random programs whose threads cooperate -----===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "fuzz/Reducer.h"
#include "fuzz/cooperation/Acts.h"
#include "fuzz/cooperation/Generator.h"

#include "gtest/gtest.h"

using namespace regrain::fuzz;
using namespace regrain::fuzz::cooperation;

namespace {

constexpr uint64_t programs = 400;

std::vector<std::vector<uint32_t>> contentsBefore(const Program &program) {
  std::vector<std::vector<uint32_t>> contents;
  for (const Memory &memory : program.memory)
    contents.push_back(memory.contents());
  return contents;
}

TEST(Cooperation, ASeedIsAProgram) {
  for (uint64_t seed = 1; seed <= programs; ++seed) {
    Program program = generate(seed);
    EXPECT_EQ(printProgram(program, "kernel"), printProgram(build(program.plan), "kernel"));
    EXPECT_FALSE(program.forms.empty());
  }
}

// A program whose checks hold before it runs would prove nothing.
TEST(Cooperation, ChecksFailBeforeTheLaunch) {
  for (uint64_t seed = 1; seed <= programs; ++seed) {
    Program program = generate(seed);
    EXPECT_NE(cooperation::findWrong(program, contentsBefore(program)), "") << "seed " << seed;
  }
}

TEST(Cooperation, ChecksStayWithinTheirMemory) {
  for (uint64_t seed = 1; seed <= programs; ++seed) {
    Program program = generate(seed);
    for (const Check &check : program.checks) {
      ASSERT_LT(check.memory, program.memory.size()) << "seed " << seed;
      EXPECT_TRUE(check.count == 0 || check.first + uint64_t(check.count - 1) * check.stride <
                                          program.memory[check.memory].words)
          << "seed " << seed << ": " << check.what;
    }
  }
}

TEST(Cooperation, EveryActIsDrawn) {
  std::set<std::string> forms;
  for (uint64_t seed = 1; seed <= programs; ++seed)
    forms.merge(std::set<std::string>(generate(seed).forms));
  for (const ActKind &kind : actKinds())
    EXPECT_TRUE(forms.count(kind.name)) << kind.name;
  for (const char *form :
       {"threads are told apart by tickets alone",
        "threads of a column are told apart by tickets alone", "blocks are numbered by tickets",
        "parameters up to the limit", "threads end by an exit",
        "two restrict parameters point to the same memory", "in a recursive function",
        "in a function that is not inlined", "behind a function pointer", "in a lambda",
        "a lock's number is loaded in each round", "a wait by load beside a fence"})
    EXPECT_TRUE(forms.count(form)) << form;
}

TEST(Cooperation, EveryAtomicOfEveryScopeIsDrawn) {
  std::string text;
  for (uint64_t seed = 1; seed <= 3 * programs; ++seed)
    text += print(generate(seed), "kernel");
  for (const char *operation :
       {"Add", "Sub", "Exch", "Min", "Max", "Inc", "Dec", "CAS", "And", "Or", "Xor"})
    for (const char *scope : {"", "_block", "_system"}) {
      std::string name = std::string("atomic") + operation + scope + "(";
      EXPECT_NE(text.find(name), std::string::npos) << name;
    }
}

// Each step is a well-defined program of its own, so that it may be the next.
TEST(Cooperation, ReducesToWhatFails) {
  for (uint64_t seed = 1; seed <= 60; ++seed) {
    Program program = generate(seed);
    if (!program.forms.count("a lock"))
      continue;
    Program smallest = reduce(program, 8, [](llvm::ArrayRef<Program> forms) {
      for (size_t i = 0; i < forms.size(); ++i)
        if (forms[i].forms.count("a lock"))
          return std::optional<size_t>(i);
      return std::optional<size_t>();
    });
    EXPECT_EQ(smallest.plan.acts.size(), 1u);
    EXPECT_EQ(smallest.shape.threads() * smallest.shape.blocks(), 2u);
    EXPECT_EQ(smallest.plan.seed, seed);
  }
}

TEST(Cooperation, Invariants) {
  std::vector<uint32_t> words = {5, 7, 9, 3, 4, 2, 0};
  auto check = [&](Invariant invariant, uint32_t first, uint32_t count, uint32_t a, uint32_t b,
                   uint32_t stride = 1) {
    return holds({invariant, 0, first, count, a, b, "", stride}, words);
  };
  EXPECT_TRUE(check(Invariant::Linear, 0, 3, 5, 2));
  EXPECT_FALSE(check(Invariant::Linear, 0, 4, 5, 2));
  EXPECT_TRUE(check(Invariant::Linear, 0, 2, 5, 4, /*stride=*/2));
  EXPECT_TRUE(check(Invariant::Permutation, 3, 3, 2, 0));
  EXPECT_FALSE(check(Invariant::Permutation, 3, 4, 2, 0));
  EXPECT_TRUE(check(Invariant::Sum, 0, 7, 30, 0));
  EXPECT_FALSE(check(Invariant::Sum, 0, 7, 31, 0));
  EXPECT_TRUE(check(Invariant::AtMost, 3, 4, 4, 0));
  EXPECT_FALSE(check(Invariant::AtMost, 2, 4, 4, 0));
}

} // namespace
