//===- PlanTests.cpp - Grains of a kernel and choices for it --------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Selection/ApplyChoices.h"
#include "compiler/Selection/Plan.h"

#include "gtest/gtest.h"

using namespace regrain;

namespace {

Grain grainOf(uint32_t blocks) {
  Grain grain;
  grain.block[0] = blocks;
  return grain;
}

//===----------------------------------------------------------------------===//
// KernelPlan
//===----------------------------------------------------------------------===//

TEST(KernelPlan, AGrainIsAddedOnce) {
  KernelPlan plan;
  EXPECT_EQ(plan.add(Grain()), 0u) << "the original is always there";
  EXPECT_EQ(plan.add(grainOf(2)), 1u);
  EXPECT_EQ(plan.add(grainOf(3)), 2u);
  EXPECT_EQ(plan.add(grainOf(2)), 1u);
  EXPECT_EQ(plan.grains.size(), 3u);
}

TEST(KernelPlan, TheLastChoiceIsTheFirst) {
  KernelPlan plan;
  for (uint32_t blocks : {2, 3, 4})
    plan.add(grainOf(blocks));
  for (unsigned index : {1, 2, 3})
    plan.choose(index);
  EXPECT_EQ(plan.chosen, 3u);
  EXPECT_EQ(plan.nextChoices, (std::vector<unsigned>{2, 1}));
  plan.choose(1);
  EXPECT_EQ(plan.chosen, 1u);
  EXPECT_EQ(plan.nextChoices, (std::vector<unsigned>{3, 2})) << "each stands once";
  plan.choose(0);
  EXPECT_EQ(plan.chosen, 0u);
  EXPECT_TRUE(plan.nextChoices.empty()) << "the original fits every launch";
}

/// Tries the grains of a space of `size`, of which every `every`-th is legal, until no more are
/// moved; returns how many were tried and how many of them are legal.
std::pair<size_t, size_t> tryAll(size_t size, size_t budget, size_t every) {
  KernelPlan plan;
  plan.add(grainOf(1000));
  plan.requested = 2;
  Grain control;
  control.control = true;
  plan.add(control);
  plan.budget = budget;
  for (uint32_t i = 0; i < size; ++i)
    plan.space.push_back(grainOf(2 + i));
  size_t tried = 0, legal = 0;
  while (unsigned moved = plan.tryNext(legal)) {
    for (unsigned i = 0; i < moved; ++i, ++tried) {
      EXPECT_EQ(plan.grains[3 + tried], grainOf(uint32_t(2 + tried))) << "they keep their order";
      legal += tried % every == 0;
    }
    EXPECT_EQ(plan.grains.size(), 3 + tried);
    EXPECT_EQ(plan.space.size(), size - tried);
  }
  return {tried, legal};
}

TEST(KernelPlan, VariantsOfTheSource_DoNotCountAsTried) {
  KernelPlan plan;
  plan.variants = {{"k", "v", "v<2>", 0, {}, "k.cu", 1}};
  plan.add({.variant = "v<2>"});
  plan.budget = 1;
  plan.space = {grainOf(2), grainOf(3)};
  EXPECT_TRUE(plan.isBesideSpace(1));
  EXPECT_EQ(plan.tryNext(0), 1u);
  EXPECT_EQ(plan.tryNext(1), 0u);
  EXPECT_EQ(findVariant(plan.variants, plan.grains[1]), &plan.variants.front());
  EXPECT_EQ(findVariant(plan.variants, plan.grains[2]), nullptr);
  EXPECT_EQ(findVariant(plan.variants, {.variant = "v<3>"}), nullptr);
}

TEST(KernelPlan, ReservedPlacesStayFree) {
  KernelPlan plan;
  plan.budget = 4;
  plan.reserved = 1;
  for (uint32_t blocks = 2; blocks < 12; ++blocks)
    plan.space.push_back(grainOf(blocks));
  EXPECT_EQ(plan.tryNext(0), 3u);
  EXPECT_EQ(plan.tryNext(3), 0u);
  plan.reserved = 0;
  EXPECT_EQ(plan.tryNext(3), 1u);
  plan.reserved = 5;
  EXPECT_EQ(plan.tryNext(0), 0u) << "more than the budget";
}

TEST(KernelPlan, GrainsAreTriedUntilEnoughAreLegal) {
  for (size_t size : {0, 1, 5, 40, 100})
    for (size_t budget : {0, 1, 4, 16, 1000})
      for (size_t every : {1, 2, 50}) {
        auto [tried, legal] = tryAll(size, budget, every);
        EXPECT_LE(tried, std::min<size_t>(size, 4 * budget + 16));
        EXPECT_LE(legal, budget);
        bool isEnough = legal == budget, isAll = tried == size;
        EXPECT_TRUE(isEnough || isAll || tried == 4 * budget + 16)
            << size << " " << budget << " " << every << ": " << tried << ", " << legal;
        if (tried != 0) {
          EXPECT_LT(legal - ((tried - 1) % every == 0), budget) << "no grain too many is tried";
        }
      }
}

TEST(KernelPlan, WhatIsKeptKeepsWhatIsKnownOfIt) {
  KernelPlan plan;
  for (uint32_t blocks : {2, 3, 4, 5})
    plan.add(grainOf(blocks));
  plan.wholeWarps = {2, 3};
  plan.lentBytes[1] = 10;
  plan.lentBytes[4] = 40;
  plan.chosen = 4;
  plan.nextChoices = {2};
  plan.classChoices.push_back({"a", 3, {}, 0, 0});
  plan.classChoices.push_back({"b", 1, {}, 0, 0});
  std::vector<unsigned> moved = plan.compact({false, false, true, true, true});
  EXPECT_EQ(moved, (std::vector<unsigned>{0, 0, 1, 2, 3})) << "the original stays";
  EXPECT_EQ(plan.grains, (std::vector<Grain>{Grain(), grainOf(3), grainOf(4), grainOf(5)}));
  EXPECT_TRUE(plan.needsWholeWarps(1) && plan.needsWholeWarps(2));
  EXPECT_FALSE(plan.needsWholeWarps(3));
  EXPECT_EQ(plan.lentBytes.lookup(3), 40u);
  EXPECT_EQ(plan.lentBytes.size(), 1u);
  EXPECT_EQ(plan.chosen, 3u);
  EXPECT_EQ(plan.nextChoices, (std::vector<unsigned>{1}));
  EXPECT_EQ(plan.classChoices[0].grain, 2u);
  EXPECT_EQ(plan.classChoices[1].grain, 0u) << "a class without its grain runs the original";
}

TEST(KernelPlan, AControlThatNobodyAskedForIsOne) {
  KernelPlan plan;
  Grain control;
  control.control = true;
  plan.add(control);
  EXPECT_TRUE(plan.isControl(1));
  plan.requested = 2;
  EXPECT_FALSE(plan.isControl(1));
}

//===----------------------------------------------------------------------===//
// Choices
//===----------------------------------------------------------------------===//

KernelChoices versionOf(const char *name, const char *hash) {
  KernelChoices choices;
  choices.name = name;
  choices.hash = hash;
  return choices;
}

class Choices : public testing::Test {
protected:
  Choices() {
    options.choicesFile = "tuned.json";
    KernelChoices old = versionOf("k(int)", "0"), current = versionOf("k(int)", "1");
    current.alternatives = {"block.x=2", "thread.y=4"};
    current.classes = {{"one", {"H100", 132, "g"}, "block.x=2", {}, 8, 4, "", ""},
                       {"two", {}, "original", {}, 3, 3, "", ""}};
    options.choices.kernels = {old, current};
    kernel.name = "k(int)";
  }

  ImageOptions options;
  DeviceKernel kernel;
  std::vector<std::string> warnings;
};

TEST_F(Choices, HoldForTheCodeThatWasMeasured) {
  EXPECT_TRUE(hasChoices(options, kernel));
  EXPECT_EQ(choicesFor(options, kernel, "1", warnings), &options.choices.kernels[1]);
  EXPECT_TRUE(warnings.empty());
  EXPECT_TRUE(hasChoices(options, kernel));
  EXPECT_EQ(choicesFor(options, kernel, "2", warnings), nullptr);
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_NE(warnings[0].find("tuned.json"), std::string::npos);
  EXPECT_NE(warnings[0].find("'k(int)'"), std::string::npos);
  kernel.name = "other";
  EXPECT_FALSE(hasChoices(options, kernel));
  EXPECT_EQ(choicesFor(options, kernel, "2", warnings), nullptr);
  EXPECT_EQ(warnings.size(), 1u) << "a kernel without choices is no surprise";
}

TEST_F(Choices, BecomeGrainsAndClassesOfThePlan) {
  KernelPlan plan;
  applyChoices(options.choices.kernels[1], plan);
  ASSERT_EQ(plan.grains.size(), 3u);
  EXPECT_EQ(toString(plan.grains[1]), "block.x=2");
  EXPECT_EQ(toString(plan.grains[2]), "thread.y=4");
  ASSERT_EQ(plan.classChoices.size(), 2u);
  EXPECT_EQ(plan.classChoices[0].launchClass, "one");
  EXPECT_EQ(plan.classChoices[0].grain, 1u);
  EXPECT_EQ(plan.classChoices[0].measuredOn.multiprocessors, 132u);
  EXPECT_EQ(plan.classChoices[0].originalMicroseconds, 8);
  EXPECT_EQ(plan.classChoices[0].chosenMicroseconds, 4);
  EXPECT_EQ(plan.classChoices[1].grain, 0u);
}

TEST_F(Choices, OfCodeThatIsGeneratedOtherwiseAreReported) {
  DeviceCode code;
  code.kernels = {kernel};
  Plan plan;
  plan.kernels.resize(1);
  applyChoices(options.choices.kernels[1], plan.kernels[0]);
  EXPECT_TRUE(describeOtherGeneration(options, code, plan, {"other", "g"}).empty());
  EXPECT_EQ(describeOtherGeneration(options, code, plan, {"other"}).size(), 1u);
  plan.kernels[0].classChoices[0].measuredOn.generation.clear();
  EXPECT_TRUE(describeOtherGeneration(options, code, plan, {"other"}).empty()) << "any generation";
}

TEST_F(Choices, OfKernelsThatTheFileDoesNotHaveAreReported) {
  DeviceCode code;
  code.kernels = {kernel};
  EXPECT_TRUE(describeUnmatched(options, code).empty());
  options.choices.kernels.push_back(versionOf("gone()", "3"));
  std::vector<std::string> unmatched = describeUnmatched(options, code);
  ASSERT_EQ(unmatched.size(), 1u);
  EXPECT_NE(unmatched[0].find("'gone()'"), std::string::npos);
}

} // namespace
