//===- WhileToForTests.cpp - Counted loops checked by counting ------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops over numbers of three bits are raised and run from all first values to
// all bounds. A raised loop must run the iterations of the loop before, end with
// the same value, and not count past the greatest number.
//
//===----------------------------------------------------------------------===//
#include "compiler/Import/RaiseLoops.h"
#include "unittests/compiler/Analysis/Evaluator.h"
#include "unittests/compiler/Analysis/ParsedKernel.h"

#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace regrain;

namespace {

constexpr const char *predicates[] = {"slt", "sle", "sgt", "sge", "ult",
                                      "ule", "ugt", "uge", "eq",  "ne"};

/// A loop whose counter starts at `first` and goes on by `step` while it compares with `bound`.
struct Loop {
  std::string first, bound, predicate, step, flags;
  bool isSwapped = false; ///< the bound is the left operand
  bool usesLast = false;  ///< the last value is stored after the loop
};

std::string textOf(const Loop &loop) {
  std::string operands = loop.isSwapped ? loop.bound + ", %i" : "%i, " + loop.bound;
  return kernelText("%p: !llvm.ptr, %a: i3, %b: i3, %f: i2, %l: i2",
                    "%wideF = arith.extui %f : i2 to i3\n%wideL = arith.extui %l : i2 to i3\n"
                    "%step = arith.constant " +
                        loop.step + " : i3\n%ca = arith.constant " +
                        (loop.first.front() == '%' ? "0" : loop.first) +
                        " : i3\n%cb = arith.constant " +
                        (loop.bound.front() == '%' ? "0" : loop.bound) +
                        " : i3\n"
                        "%last = scf.while (%i = " +
                        (loop.first.front() == '%' ? loop.first : "%ca") +
                        ") : (i3) -> i3 {\n"
                        "  %more = arith.cmpi " +
                        loop.predicate + ", " +
                        (loop.bound.front() == '%' ? operands
                         : loop.isSwapped          ? "%cb, %i"
                                                   : "%i, %cb") +
                        " : i3\n"
                        "  scf.condition(%more) %i : i3\n"
                        "} do {\n^bb0(%j: i3):\n"
                        "  llvm.store %j, %p : i3, !llvm.ptr\n"
                        "  %next = arith.addi %j, %step" +
                        loop.flags + " : i3\n  scf.yield %next : i3\n}\n" +
                        (loop.usesLast ? "llvm.store %last, %p : i3, !llvm.ptr\n" : ""));
}

/// What a run stores; nothing if its behaviour is undefined.
struct Outcome {
  std::optional<std::vector<Number>> stored;
  bool isEndless = false;
};

Outcome run(grain::KernelOp kernel, uint64_t first, uint64_t bound) {
  Setting setting;
  Region &body = kernel.getBody();
  Value p = body.getArgument(0);
  setting.arguments[p] = {0, p, false};
  for (unsigned i = 0; i < 2; ++i) {
    uint64_t number = i == 0 ? first : bound;
    setting.arguments[body.getArgument(1 + i)] = {number, {}, false};
    setting.arguments[body.getArgument(3 + i)] = {number & 3, {}, false};
  }
  Outcome result;
  std::vector<Number> stored;
  Evaluator evaluator(setting, [&](Operation *site, const Values &values, const Iterations &) {
    if (stored.size() < 20)
      stored.push_back(values.find(cast<LLVM::StoreOp>(site).getValue())->second);
  });
  if (evaluator.run(kernel, {}))
    result.stored = stored;
  result.isEndless = evaluator.isEndless();
  return result;
}

bool isSame(const std::vector<Number> &before, const std::vector<Number> &after) {
  // A store of poison may become a store of anything.
  return before.size() == after.size() &&
         llvm::all_of(llvm::zip_equal(before, after), [](auto pair) {
           auto &[one, other] = pair;
           return one.poison || (!other.poison && one.bits == other.bits);
         });
}

class WhileToForTest : public testing::Test {
protected:
  WhileToForTest() {
    RewritePatternSet set(&own.context);
    populateWhileToFor(set);
    patterns = std::move(set);
    config.enableRegionSimplification = GreedySimplifyRegionLevel::Disabled;
  }

  /// Raises the loop; if it becomes an scf.for, compares the runs of both.
  void check(const Loop &loop, llvm::ArrayRef<uint64_t> firsts, llvm::ArrayRef<uint64_t> bounds) {
    std::string text = textOf(loop);
    ParsedKernel before(text, own.context), after(text, own.context);
    ASSERT_TRUE(
        succeeded(applyPatternsAndFoldGreedily(after.kernel()->getRegion(0), patterns, config)));
    bool isRaised = false;
    after.kernel().walk([&](scf::ForOp) { isRaised = true; });
    if (!isRaised)
      return;
    ++raised;
    for (uint64_t first : firsts)
      for (uint64_t bound : bounds) {
        Outcome one = run(before.kernel(), first, bound);
        Outcome other = run(after.kernel(), first, bound);
        if (!one.stored && !one.isEndless)
          continue;
        bool agrees =
            one.isEndless ? other.isEndless : other.stored && isSame(*one.stored, *other.stored);
        ASSERT_TRUE(agrees) << "from " << first << " to " << bound << ":\n" << text;
      }
  }

  GrainContext own;
  FrozenRewritePatternSet patterns;
  GreedyRewriteConfig config;
  unsigned raised = 0;
};

TEST_F(WhileToForTest, RaisedLoopsCountAsBefore) {
  const uint64_t all[] = {0, 1, 2, 3, 4, 5, 6, 7};
  for (const char *predicate : predicates)
    for (const char *step : {"1", "2", "3", "-1", "-2", "-3", "-4"})
      for (const char *flags : {"", " overflow<nsw>", " overflow<nuw>"})
        for (const char *first : {"%a", "%wideF"})
          for (const char *bound : {"%b", "%wideL"})
            for (unsigned kind = 0; kind < 4 && !HasFailure(); ++kind)
              check({first, bound, predicate, step, flags, bool(kind & 1), bool(kind & 2)}, all,
                    all);
  EXPECT_GT(raised, 200u);
}

TEST_F(WhileToForTest, RaisedLoopsBetweenConstantsCountAsBefore) {
  for (const char *predicate : {"ne", "ult", "sge"})
    for (int first = -4; first < 4; ++first)
      for (int bound = -4; bound < 4; ++bound)
        for (const char *step : {"1", "2", "3", "-1", "-2", "-3"})
          for (bool usesLast : {false, true})
            if (!HasFailure())
              check({std::to_string(first), std::to_string(bound), predicate, step, "", false,
                     usesLast},
                    {0}, {0});
  EXPECT_GT(raised, 100u);
}

} // namespace
