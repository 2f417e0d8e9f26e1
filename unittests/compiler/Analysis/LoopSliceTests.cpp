//===- LoopSliceTests.cpp - What a loop's values are computed from --------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In random kernels, a value that a slice leaves out is changed while the loop
// runs: the root must not change. A value that is claimed to be invariant must
// be the same in all iterations.
//
//===----------------------------------------------------------------------===//
#include "compiler/Analysis/LoopSlice.h"
#include "fuzz/Random.h"
#include "unittests/compiler/Analysis/Evaluator.h"
#include "unittests/compiler/Analysis/ParsedKernel.h"
#include "unittests/compiler/Analysis/RandomNest.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace regrain;

namespace {

constexpr uint64_t kernels = 500;

std::vector<Setting> settingsFor(grain::KernelOp kernel) {
  std::vector<Setting> settings;
  for (bool isSame : {false, true}) {
    Setting setting;
    setting.grid = {2, 2, 1};
    setting.blockSize = {3, 2, 1};
    Value p = kernel.getBody().getArgument(0), q = kernel.getBody().getArgument(1);
    setting.arguments[p] = {0, p, false};
    setting.arguments[q] = isSame ? Number{4, p, false} : Number{0, q, false};
    setting.arguments[kernel.getBody().getArgument(2)] = {3, {}, false};
    setting.arguments[kernel.getBody().getArgument(3)] = {isSame ? 5u : ~0ull - 1, {}, false};
    settings.push_back(std::move(setting));
  }
  return settings;
}

/// Returns the outermost loops of the kernel.
std::vector<scf::ForOp> loopsOf(grain::KernelOp kernel) {
  std::vector<scf::ForOp> loops;
  kernel.walk<WalkOrder::PreOrder>([&](scf::ForOp loop) {
    loops.push_back(loop);
    return WalkResult::skip();
  });
  return loops;
}

/// Returns the numbers that the loop's body computes at its top level.
std::vector<Value> numbersOf(scf::ForOp loop) {
  std::vector<Value> numbers;
  for (Operation &op : *loop.getBody())
    for (Value result : op.getResults())
      if (result.getType().isInteger())
        numbers.push_back(result);
  return numbers;
}

using Trace = std::vector<std::pair<uint64_t, bool>>;

/// Runs one thread and returns the values of `root` in order, or nothing if the behaviour is
/// undefined. Each value of `changed` gets other bits.
std::optional<Trace> run(grain::KernelOp kernel, const Setting &setting, Value root,
                         Value changed) {
  Trace trace;
  Memory memory;
  Evaluator evaluator(setting, [](Operation *, const Values &, const Iterations &) {});
  evaluator.useMemory(memory);
  evaluator.setWatch([&](Value value, Number &number) {
    if (value == changed)
      number.bits ^= 1;
    if (value == root)
      trace.push_back({number.bits, number.poison});
  });
  if (!evaluator.run(kernel, {{1, 0, 0}, {2, 1, 0}}))
    return std::nullopt;
  return trace;
}

/// Returns how often a load outside of the slice was changed.
unsigned checkSlice(grain::KernelOp kernel, scf::ForOp loop, Value root, Accesses &accesses) {
  LoopSlice slice(loop, root, accesses);
  unsigned changes = 0;
  loop.walk([&](LLVM::LoadOp load) {
    if (slice.values().contains(load.getResult()))
      return;
    for (const Setting &setting : settingsFor(kernel)) {
      std::optional<Trace> before = run(kernel, setting, root, {});
      std::optional<Trace> after = run(kernel, setting, root, load.getResult());
      if (!before || !after)
        continue;
      ++changes;
      EXPECT_EQ(*before, *after) << "the slice has no " << text(*load);
    }
  });
  return changes;
}

TEST(LoopSlice, WhatItLeavesOutDoesNotReachTheRoot) {
  GrainContext own;
  unsigned changes = 0;
  for (uint64_t seed = 1; seed <= kernels && !HasFailure(); ++seed) {
    RandomNest nest = drawNest(seed);
    ParsedKernel parsed(nest.text, own.context);
    Accesses accesses(parsed.kernel());
    fuzz::Random random(seed);
    for (scf::ForOp loop : loopsOf(parsed.kernel())) {
      std::vector<Value> numbers = numbersOf(loop);
      if (!numbers.empty())
        changes += checkSlice(parsed.kernel(), loop, random.of(numbers), accesses);
    }
    EXPECT_FALSE(HasFailure()) << "seed " << seed << ":\n" << nest.text;
  }
  EXPECT_GT(changes, kernels / 5);
}

TEST(LoopSlice, InvariantsAreTheSameInAllIterations) {
  GrainContext own;
  unsigned invariants = 0;
  for (uint64_t seed = 1; seed <= kernels && !HasFailure(); ++seed) {
    RandomNest nest = drawNest(seed);
    ParsedKernel parsed(nest.text, own.context);
    Accesses accesses(parsed.kernel());
    for (scf::ForOp loop : loopsOf(parsed.kernel()))
      for (Value number : numbersOf(loop)) {
        LoopSlice slice(loop, number, accesses);
        if (matchPattern(number, m_Constant()) || !slice.isInvariant(number))
          continue;
        for (const Setting &setting : settingsFor(parsed.kernel())) {
          std::optional<Trace> trace = run(parsed.kernel(), setting, number, {});
          if (!trace || trace->size() < 2)
            continue;
          ++invariants;
          EXPECT_TRUE(llvm::all_equal(*trace)) << text(number) << " of seed " << seed << ":\n"
                                               << nest.text;
        }
      }
  }
  EXPECT_GT(invariants, kernels / 10);
}

/// A loop with a load of %q whose bytes other operations may write.
constexpr const char *loopText = R"(
      scf.while : () -> () {
        %seen = llvm.load %q {root} : !llvm.ptr -> i32
        %more = arith.cmpi ne, %seen, %n : i32
        scf.condition(%more)
      } do {
        %index = llvm.load %r {index} : !llvm.ptr -> i32
        %value = llvm.load %r {value} : !llvm.ptr -> i32
        %to = llvm.getelementptr %p[%index] : (!llvm.ptr, i32) -> !llvm.ptr, i32
        llvm.store %value, %to : i32, !llvm.ptr
        scf.yield
      }
)";

class LoopSliceOfWhile : public testing::Test {
protected:
  void parse(const std::string &parameters) {
    parsed.emplace(kernelText(parameters, loopText), own.context);
    accesses.emplace(parsed->kernel());
    Operation *root = parsed->only("root");
    slice.emplace(root->getParentOp(), root->getResult(0), *accesses);
  }
  bool has(const char *mark) { return slice->values().contains(parsed->only(mark)->getResult(0)); }

  GrainContext own;
  std::optional<ParsedKernel> parsed;
  std::optional<Accesses> accesses;
  std::optional<LoopSlice> slice;
};

TEST_F(LoopSliceOfWhile, AStoreThatMayBeReadCountsWithValueAndAddress) {
  parse("%p: !llvm.ptr, %q: !llvm.ptr, %r: !llvm.ptr {llvm.noalias}, %n: i32");
  EXPECT_TRUE(has("value"));
  EXPECT_TRUE(has("index"));
  EXPECT_TRUE(slice->writers().empty());
  EXPECT_EQ(slice->storedFor(cast<LLVM::LoadOp>(parsed->only("root"))).size(), 1u);
  EXPECT_FALSE(slice->isInvariant(parsed->only("root")->getResult(0)));
}

TEST_F(LoopSliceOfWhile, AStoreToOtherMemoryDoesNotCount) {
  parse("%p: !llvm.ptr {llvm.byval = i32}, %q: !llvm.ptr, %r: !llvm.ptr, %n: i32");
  EXPECT_FALSE(has("value"));
  EXPECT_FALSE(has("index"));
  EXPECT_TRUE(slice->isInvariant(parsed->only("root")->getResult(0)));
}

TEST(LoopSlice, WhatDecidesThatAStoreRunsCounts) {
  GrainContext own;
  ParsedKernel parsed(kernelText("%q: !llvm.ptr, %r: !llvm.ptr, %n: i32", R"(
      scf.while : () -> () {
        %seen = llvm.load %q {root} : !llvm.ptr -> i32
        %more = arith.cmpi ne, %seen, %n : i32
        scf.condition(%more)
      } do {
        %flag = llvm.load %r {flag} : !llvm.ptr -> i1
        scf.if %flag {
          llvm.store %n, %q : i32, !llvm.ptr
        }
        scf.yield
      }
)"),
                      own.context);
  Accesses accesses(parsed.kernel());
  Operation *root = parsed.only("root");
  LoopSlice slice(root->getParentOp(), root->getResult(0), accesses);
  EXPECT_TRUE(slice.values().contains(parsed.only("flag")->getResult(0)));
}

TEST(LoopSlice, ACallThatMayWriteIsAWriter) {
  GrainContext own;
  ParsedKernel parsed(kernelText("%q: !llvm.ptr, %n: i32", R"(
      scf.while : () -> () {
        %seen = llvm.load %q {root} : !llvm.ptr -> i32
        %more = arith.cmpi ne, %seen, %n : i32
        scf.condition(%more)
      } do {
        %number = llvm.load %q {number} : !llvm.ptr -> i32
        llvm.call @unknown(%number) {call} : (i32) -> ()
        scf.yield
      }
)",
                                 "llvm.func @unknown(i32)\n"),
                      own.context);
  Accesses accesses(parsed.kernel());
  Operation *root = parsed.only("root");
  LoopSlice slice(root->getParentOp(), root->getResult(0), accesses);
  EXPECT_TRUE(slice.writers().contains(parsed.only("call")));
  EXPECT_TRUE(slice.values().contains(parsed.only("number")->getResult(0)));
  EXPECT_TRUE(slice.storedFor(cast<LLVM::LoadOp>(root)).empty());
}

} // namespace
