//===- ReducerTests.cpp - The smallest kernel that still fails ------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "fuzz/Generator.h"
#include "fuzz/Reducer.h"
#include "fuzz/Rules.h"
#include "fuzz/Walk.h"
#include "unittests/fuzz/KernelParts.h"

#include "gtest/gtest.h"

using namespace regrain::fuzz;

namespace {

size_t countOf(const Kernel &kernel, StmtKind kind) {
  size_t count = 0;
  walkBlocks(kernel.body, [&](const std::vector<Stmt> &block) {
    for (const Stmt &stmt : block)
      count += stmt.kind == kind;
  });
  return count;
}

size_t statementsOf(const Kernel &kernel) {
  size_t count = 0;
  walkBlocks(kernel.body, [&](const std::vector<Stmt> &block) { count += block.size(); });
  return count;
}

/// Reduces to kernels that `fails`, `together` at a time.
template <typename Fails> Kernel reduceTo(const Kernel &kernel, size_t together, Fails fails) {
  return reduce(kernel, together, [&](llvm::ArrayRef<Kernel> forms) -> std::optional<size_t> {
    EXPECT_LE(forms.size(), together);
    for (size_t i = 0; i < forms.size(); ++i)
      if (fails(forms[i]))
        return i;
    return std::nullopt;
  });
}

TEST(Reducer, StepsAreWellDefined) {
  for (uint64_t seed = 1; seed <= 30; ++seed) {
    std::vector<Kernel> forms = smallerForms(generate(seed));
    EXPECT_FALSE(forms.empty());
    for (const Kernel &form : forms)
      ASSERT_EQ(findFault(form), "") << "seed " << seed;
  }
}

TEST(Reducer, WhatAlwaysFailsBecomesNothing) {
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    Kernel smallest = reduceTo(generate(seed), 16, [](const Kernel &) { return true; });
    EXPECT_TRUE(smallest.body.empty());
    EXPECT_EQ(smallest.shape.threads() * smallest.shape.blocks(), 1u);
    EXPECT_EQ(smallest.size, 1u);
    EXPECT_EQ(smallest.guard, Guard::None);
  }
}

TEST(Reducer, WhatNeverFailsAgainStays) {
  Kernel kernel = generate(7);
  Kernel same = reduceTo(kernel, 4, [](const Kernel &) { return false; });
  EXPECT_EQ(statementsOf(same), statementsOf(kernel));
  EXPECT_EQ(same.shape.threads(), kernel.shape.threads());
}

TEST(Reducer, OneStatementIsLeft) {
  auto reads = [](const Kernel &kernel) {
    bool found = false;
    walkExprs(kernel.body, [&](const Expr &expr) { found |= expr.kind == ExprKind::SharedAny; });
    return found;
  };
  unsigned tried = 0;
  for (uint64_t seed = 1; seed <= 60 && tried < 10; ++seed) {
    Kernel kernel = generate(seed);
    if (!reads(kernel))
      continue;
    ++tried;
    // The rest fills an array, has a barrier, and reads the array, maybe into
    // another one that is filled before.
    for (size_t together : {1, 16}) {
      Kernel smallest = reduceTo(kernel, together, reads);
      EXPECT_LE(statementsOf(smallest), 4u) << "seed " << seed;
      EXPECT_LE(countOf(smallest, StmtKind::FillShared), 2u) << "seed " << seed;
      EXPECT_EQ(smallest.shape.blocks(), 1u);
    }
  }
  EXPECT_EQ(tried, 10u);
}

TEST(Reducer, StatementsComeOutOfTheirBranches) {
  Kernel kernel = kernelOf(
      {nest(StmtKind::If, Level::Block, zero(),
            {nest(StmtKind::For, Level::Block, zero(), {barrier(), makeStmt(StmtKind::Fence)})})});
  Kernel smallest =
      reduceTo(kernel, 1, [](const Kernel &form) { return countOf(form, StmtKind::Barrier) == 1; });
  ASSERT_EQ(smallest.body.size(), 1u);
  EXPECT_EQ(smallest.body[0].kind, StmtKind::Barrier);
}

} // namespace
