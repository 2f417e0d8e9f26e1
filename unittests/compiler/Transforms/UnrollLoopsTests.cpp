//===- UnrollLoopsTests.cpp - What unrolling may cost ---------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Transforms/UnrollLoops.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir;

namespace {

constexpr char counted[] = R"(
func.func @f(%x: i32) -> i32 {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %end = arith.constant 100000 : i32
  %r = scf.for %i = %zero to %end step %one iter_args(%a = %x) -> i32 : i32 {
    %b = arith.muli %a, %x : i32
    %c = arith.xori %b, %a : i32
    scf.yield %c : i32
  }
  return %r : i32
})";

constexpr char tested[] = R"(
func.func @f(%x: i32) -> i32 {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %end = arith.constant 100000 : i32
  %r:2 = scf.while (%i = %zero, %a = %x) : (i32, i32) -> (i32, i32) {
    %again = arith.cmpi slt, %i, %end : i32
    scf.condition(%again) %i, %a : i32, i32
  } do {
  ^bb0(%i: i32, %a: i32):
    %b = arith.muli %a, %x : i32
    %next = arith.addi %i, %one : i32
    scf.yield %next, %b : i32, i32
  }
  return %r#1 : i32
})";

/// Unrolls the loop of `source` within `budget` operations, and counts the operations afterwards.
std::optional<unsigned> unroll(const char *source, unsigned &budget, unsigned &operations) {
  MLIRContext context;
  context.loadDialect<arith::ArithDialect, func::FuncDialect, scf::SCFDialect>();
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(source, &context);
  Operation *loop = nullptr;
  module->walk([&](Operation *op) {
    if (isa<scf::ForOp, scf::WhileOp>(op))
      loop = op;
  });
  std::optional<unsigned> count = regrain::unrollLoop(loop, budget);
  operations = 0;
  module->walk([&](Operation *) { ++operations; });
  return count;
}

} // namespace

/// An iteration that takes the rest of the budget exactly is the last one.
TEST(UnrollLoops, StopsAtEveryBudget) {
  for (const char *source : {counted, tested}) {
    unsigned none = 0, before = 0;
    EXPECT_FALSE(unroll(source, none, before));
    for (unsigned budget = 1; budget < 40; ++budget) {
      unsigned left = budget, operations = 0;
      EXPECT_FALSE(unroll(source, left, operations)) << budget;
      EXPECT_EQ(left, budget);
      EXPECT_EQ(operations, before) << budget;
    }
  }
}

TEST(UnrollLoops, CountsWhatItTakes) {
  std::string source = counted;
  source.replace(source.find("100000"), 6, "10");
  unsigned budget = 30, operations = 0;
  EXPECT_EQ(unroll(source.c_str(), budget, operations), 10u);
  EXPECT_EQ(budget, 0u);
}
