//===- JudgeTests.cpp - Which compiled grains stay ------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Selection/Judge.h"

#include "mlir/IR/MLIRContext.h"
#include "gtest/gtest.h"

using namespace regrain;

namespace {

/// The PTX of a kernel with this body.
std::vector<char> ptxOf(const std::string &symbol, const std::string &body) {
  std::string text = ".visible .entry " + symbol + "(\n)\n{\n" + body + "\nret;\n}\n";
  return {text.begin(), text.end()};
}

Resources resourcesOf(int32_t spilled) {
  Resources resources;
  resources.registers = 32;
  resources.spillStoreBytes = resources.spillLoadBytes = spilled;
  resources.occupancyPercent = 100;
  return resources;
}

/// One kernel "k" on the target "ptx", with an original that spills nothing.
class Judging : public testing::Test {
protected:
  void SetUp() override {
    std::vector<std::string> warnings;
    auto selected = selectTargets({"ptx"}, CodeForm::Image, warnings);
    ASSERT_TRUE(bool(selected)) << llvm::toString(selected.takeError());
    DeviceKernel kernel;
    kernel.symbol = kernel.name = "k";
    code.kernels = {kernel};
    build.emplace(Build{options, std::move(*selected), {}, {}, {}, {}, {}, {}});
    DeviceWork work;
    work.arch = build->targets.front().deviceArch;
    work.code = &code;
    build->prepared.works.push_back(std::move(work));
    build->prepared.plan.kernels.resize(1);
    KernelCode original{"k", resourcesOf(0), 10, 0};
    build->bases = {CompiledModule{ptxOf("k", "add;"), {original}, {}, {}}};
  }

  KernelPlan &plan() { return build->prepared.plan.kernels[0]; }

  /// Adds a grain of this SPEC, whose code has `body` and spills so many bytes.
  unsigned add(const std::string &spec, const std::string &body, int32_t spilled = 0) {
    OrError<GrainSpec> parsed = parseGrainSpec(spec);
    EXPECT_TRUE(parsed) << parsed.error();
    unsigned index = plan().add(parsed->grain);
    Build::AlternativeTask task{&build->prepared.works[0], 0, index, {}};
    task.outcome.exported = true;
    std::string symbol = "k__" + std::to_string(index);
    KernelCode made{symbol, resourcesOf(spilled), 10, 0};
    task.outcome.outputs.push_back({0, {ptxOf(symbol, body), {made}, {}, {}}, {}});
    task.outcome.codes.push_back({});
    build->alternatives.push_back(std::move(task));
    return index;
  }

  const Candidate &candidate(unsigned index) { return build->candidates[index - 1]; }

  ImageOptions options;
  DeviceCode code;
  std::optional<Build> build;
};

TEST_F(Judging, CodeThatIsDifferentAndNoWorseStays) {
  add("block.x=2", "sub;");
  add("thread.x=2", "mul;");
  judge(*build);
  ASSERT_EQ(build->candidates.size(), 2u);
  for (unsigned index : {1, 2}) {
    EXPECT_EQ(candidate(index).verdict.outcome, CandidateOutcome::Kept);
    EXPECT_FALSE(candidate(index).verdict.objection);
  }
  EXPECT_EQ(candidate(1).id, "block.x=2");
  dropUnused(*build);
  EXPECT_EQ(plan().grains.size(), 3u);
}

TEST_F(Judging, NewSpillsArePruned) {
  unsigned worse = add("block.x=2", "sub;", 8);
  add("block.x=4", "mul;");
  judge(*build);
  EXPECT_EQ(candidate(worse).verdict.outcome, CandidateOutcome::Pruned);
  EXPECT_EQ(candidate(worse).verdict.objection->stage, "resources");
  dropUnused(*build);
  ASSERT_EQ(plan().grains.size(), 2u);
  EXPECT_EQ(toString(plan().grains[1]), "block.x=4");
  EXPECT_EQ(build->alternatives[1].grain, 1u) << "the tasks follow the plan";
}

TEST_F(Judging, SpillsOfTheVendorsCodeArePrunedAtABoundOnly) {
  unsigned plain = add("compiler=nvcc", "sub;", 300);
  unsigned bounded = add("registers=24,compiler=nvcc", "mul;", 300);
  unsigned other = add("registers=16,compiler=nvcc", "div;", 16);
  judge(*build);
  EXPECT_EQ(candidate(plain).verdict.outcome, CandidateOutcome::Kept);
  EXPECT_EQ(candidate(bounded).verdict.outcome, CandidateOutcome::Pruned);
  EXPECT_EQ(candidate(bounded).verdict.objection->stage, "resources");
  EXPECT_EQ(candidate(other).verdict.outcome, CandidateOutcome::Pruned)
      << "its registers are as many as the original's";
}

TEST_F(Judging, OfTwoWithOneCodeTheFirstStays) {
  add("addresses=indexed", "sub;");
  unsigned second = add("addresses=wide", "sub;");
  judge(*build);
  EXPECT_EQ(candidate(1).verdict.outcome, CandidateOutcome::Kept);
  EXPECT_EQ(candidate(second).verdict.outcome, CandidateOutcome::Pruned);
  EXPECT_EQ(candidate(second).verdict.objection->stage, "duplicate");
  EXPECT_EQ(candidate(second).verdict.objection->reason, "the same code as addresses=indexed");
}

TEST_F(Judging, OneCodeForOtherLaunchesIsNoDuplicate) {
  add("block.x=2", "sub;");
  add("block.x=4", "sub;");
  judge(*build);
  EXPECT_EQ(candidate(2).verdict.outcome, CandidateOutcome::Kept);
}

TEST_F(Judging, CodeOfTheOriginalIsADuplicate) {
  add("addresses=wide", "add;");
  judge(*build);
  EXPECT_EQ(candidate(1).verdict.objection->stage, "duplicate");
  EXPECT_EQ(candidate(1).verdict.objection->reason, "the same code as original");
}

TEST_F(Judging, WhatWasAskedForStaysAndTheFindingIsRecorded) {
  add("block.x=2", "sub;", 8);
  plan().requested = 2;
  judge(*build);
  EXPECT_EQ(candidate(1).verdict.outcome, CandidateOutcome::Kept);
  EXPECT_TRUE(candidate(1).requested);
  EXPECT_EQ(candidate(1).code[0].verdict.objection->stage, "resources");
  EXPECT_FALSE(build->alternatives[0].outcome.outputs.empty());
}

TEST_F(Judging, WithAllAlternativesNothingIsPruned) {
  options.allAlternatives = true;
  add("block.x=2", "sub;", 8);
  judge(*build);
  EXPECT_EQ(candidate(1).verdict.outcome, CandidateOutcome::Kept);
}

TEST_F(Judging, AControlStaysBesideOthersEvenIfItIsWorse) {
  unsigned control = add("control", "sub;", 8);
  add("block.x=2", "mul;");
  judge(*build);
  EXPECT_EQ(candidate(control).verdict.outcome, CandidateOutcome::Kept);
}

TEST_F(Judging, AControlAloneIsPruned) {
  unsigned control = add("control", "sub;");
  add("block.x=2", "mul;", 8);
  judge(*build);
  EXPECT_EQ(candidate(control).verdict.outcome, CandidateOutcome::Pruned);
  EXPECT_EQ(candidate(control).verdict.objection->stage, "control");
  dropUnused(*build);
  EXPECT_EQ(plan().grains.size(), 1u);
}

} // namespace
