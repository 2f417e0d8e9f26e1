//===- PatternsTests.cpp - Random programs of known forms -----------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "fuzz/cooperation/Generator.h"
#include "fuzz/patterns/Patterns.h"
#include "runtime/image/grain.h"

#include "gtest/gtest.h"

using namespace regrain;
using namespace regrain::fuzz;
using cooperation::Program;

namespace {

constexpr uint64_t programs = 300;

// A program is written without the functions that random kernels have in common.
TEST(Patterns, ProgramsHaveTheConversionsThatTheyCall) {
  unsigned calls = 0;
  for (uint64_t seed = 1; seed <= 400; ++seed) {
    std::string text = printProgram(patterns::generate(seed), "kernel");
    for (const char *name : {"toHalf", "fromHalf", "toBfloat", "toWord"}) {
      bool isCalled =
          text.find(std::string(name) + "(", text.find("__global__")) != std::string::npos;
      bool isDefined = text.find(std::string(name) + "(") < text.find("__global__");
      EXPECT_TRUE(!isCalled || isDefined) << "seed " << seed << ": " << name;
      calls += isCalled;
    }
  }
  EXPECT_GT(calls, 0u);
}

TEST(Patterns, ASeedIsAProgram) {
  for (uint64_t seed = 1; seed <= programs; ++seed) {
    Program program = patterns::generate(seed);
    EXPECT_EQ(print(program, "kernel"), print(patterns::build(program.plan), "kernel"));
    EXPECT_EQ(program.plan.seed, seed);
    EXPECT_FALSE(program.waits);
  }
}

TEST(Patterns, EveryFormIsDrawn) {
  std::set<std::string> forms;
  for (uint64_t seed = 1; seed <= programs; ++seed)
    forms.merge(std::set<std::string>(patterns::generate(seed).forms));
  for (const patterns::PatternKind &kind : patterns::patternKinds())
    EXPECT_TRUE(forms.count(kind.name)) << kind.name;
}

TEST(Patterns, GrainsAreValid) {
  for (uint64_t seed = 1; seed <= programs; ++seed)
    for (const std::string &spec : patterns::generate(seed).grains) {
      OrError<GrainSpec> parsed = parseGrainSpec(spec);
      ASSERT_TRUE(parsed) << "seed " << seed << ": " << spec;
      EXPECT_EQ(findContradiction(parsed->grain), "") << "seed " << seed << ": " << spec;
    }
}

TEST(Patterns, ParametersPointIntoTheirMemory) {
  for (uint64_t seed = 1; seed <= programs; ++seed) {
    Program program = patterns::generate(seed);
    for (const cooperation::Parameter &parameter : program.parameters)
      if (parameter.memory)
        EXPECT_LT(parameter.offset, program.memory[*parameter.memory].words) << "seed " << seed;
  }
}

TEST(Patterns, SmallerFormsArePatternsOfTheKind) {
  for (uint64_t seed = 1; seed <= 10; ++seed) {
    Program program = patterns::generate(seed);
    std::vector<Program> forms = smallerForms(program);
    EXPECT_FALSE(forms.empty());
    for (const Program &form : forms)
      EXPECT_EQ(form.forms, program.forms);
  }
}

} // namespace
