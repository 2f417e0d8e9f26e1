//===- RulesTests.cpp - Conditions of well-defined kernels ----------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "fuzz/Data.h"
#include "fuzz/Forms.h"
#include "fuzz/Generator.h"
#include "fuzz/Printer.h"
#include "fuzz/Rules.h"
#include "fuzz/Walk.h"
#include "unittests/fuzz/KernelParts.h"

#include "gtest/gtest.h"
#include <algorithm>
#include <map>

using namespace regrain::fuzz;

namespace {

constexpr const char *twoWays = "a shared array is used in two ways in one phase";
constexpr const char *missesBarrier = "threads of a block miss a barrier";
constexpr const char *missesOperation = "lanes of a warp miss an operation";

std::string faultOf(std::vector<Stmt> body) { return findFault(kernelOf(std::move(body))); }

TEST(Rules, BarriersStandBetweenPhases) {
  EXPECT_EQ(faultOf({fill(), barrier(), readAny()}), "");
  EXPECT_EQ(faultOf({fill(), readAny()}), twoWays);
  EXPECT_EQ(faultOf({fill(), barrier(), readAny(), writeOwn()}), twoWays);
  EXPECT_EQ(faultOf({fill(), writeOwn(), barrier(), readAny(), barrier(), writeOwn()}), "");
}

TEST(Rules, SharedMemoryIsFilledFirst) {
  EXPECT_EQ(faultOf({readAny()}), "a shared array is used before it is filled");
  EXPECT_EQ(faultOf({makeStmt(StmtKind::Return, 0, {tid()}), fill()}),
            "an array is filled where threads may be missing");
}

TEST(Rules, AtomicsMeetNoOtherAccess) {
  Stmt atomic = makeStmt(StmtKind::AtomicShared, 0, {tid(), zero()});
  EXPECT_EQ(faultOf({fill(), barrier(), atomic, atomic, barrier(), readAny()}), "");
  EXPECT_EQ(faultOf({fill(), atomic}), twoWays);
  EXPECT_EQ(faultOf({fill(), barrier(), atomic, readAny()}), twoWays);
}

TEST(Rules, OneThreadWritesForAll) {
  Stmt leader = makeStmt(StmtKind::LeaderStore, 0, {zero(), zero()});
  EXPECT_EQ(faultOf({fill(), barrier(), leader, barrier(), readAny()}), "");
  EXPECT_EQ(faultOf({fill(), barrier(), leader, readAny()}), twoWays);
}

TEST(Rules, AllThreadsMeetABarrier) {
  EXPECT_EQ(faultOf({nest(StmtKind::If, Level::Block, zero(), {barrier()})}), "");
  EXPECT_EQ(faultOf({nest(StmtKind::If, Level::Thread, tid(), {barrier()})}), missesBarrier);
  EXPECT_EQ(faultOf({nest(StmtKind::While, Level::Thread, zero(), {barrier()}, 2)}), missesBarrier);
  Kernel guarded = kernelOf({barrier()});
  guarded.guard = Guard::Branch;
  EXPECT_EQ(findFault(guarded), missesBarrier);
}

TEST(Rules, ABranchPartsNoMoreThreadsThanItSays) {
  EXPECT_EQ(faultOf({nest(StmtKind::If, Level::Block, tid(), {})}), "a branch parts more threads");
}

TEST(Rules, WholeWarpsExchange) {
  Stmt vote = makeStmt(StmtKind::WarpVote, 1, {tid()});
  Stmt sync = makeStmt(StmtKind::WarpSync);
  Stmt leave = makeStmt(StmtKind::Return, 0, {tid()});
  EXPECT_EQ(faultOf({vote}), "");
  EXPECT_EQ(faultOf({nest(StmtKind::If, Level::Warp, zero(), {vote})}), "");
  EXPECT_EQ(faultOf({nest(StmtKind::If, Level::Thread, tid(), {sync})}), missesOperation);
  EXPECT_EQ(faultOf({leave, vote}), missesOperation);
  Kernel torn = kernelOf({vote});
  torn.shape.block = {48, 1, 1};
  EXPECT_EQ(findFault(torn), missesOperation);
}

TEST(Rules, EachThreadHasARecord) {
  Stmt records = makeStmt(StmtKind::RecordExchange, 2, {tid(), tid()});
  Kernel kernel = kernelOf({fill(), records, readAny()}); // it has barriers
  EXPECT_EQ(findFault(kernel), "the records have no type");
  kernel.record = 0;
  EXPECT_EQ(findFault(kernel), "");
  const char *missing = "threads of a block miss a record";
  kernel.body = {nest(StmtKind::If, Level::Thread, tid(), {records})};
  EXPECT_EQ(findFault(kernel), missing);
  kernel.body = {makeStmt(StmtKind::Return, 0, {tid()}), records};
  EXPECT_EQ(findFault(kernel), missing);
}

TEST(Additions, ReachMemoryAndKeepTheLaunch) {
  for (uint64_t seed = 1; seed <= 200; ++seed) {
    Kernel kernel = generate(seed);
    std::array<Buffer, bufferCount> buffers = buffersOf(kernel);
    std::string text = print(kernel, "kernel");
    EXPECT_EQ(kernel.record.has_value(), text.find("struct") != std::string::npos &&
                                             text.find("kernel_Record") != std::string::npos);
    if (kernel.record) {
      const RecordForm &form = recordForms()[*kernel.record];
      EXPECT_LE(kernel.shape.threads(), form.mostThreads) << "seed " << seed;
      EXPECT_GE(buffers[5].elements, recordOffset(kernel) + allThreads(kernel) * form.bytes / 4);
      EXPECT_EQ(buffers[5].elements % 4, 0u) << "the end of the buffer is aligned";
    }
    if (kernel.hasVectors) {
      EXPECT_EQ(buffers[realBuffer].elements, vectorOffset(kernel) + vectorFloats);
    }
  }
}

TEST(Rules, ALoopMeetsItself) {
  auto loop = [](std::vector<Stmt> body) {
    return faultOf({fill(), barrier(), nest(StmtKind::For, Level::Block, zero(), std::move(body))});
  };
  EXPECT_EQ(loop({readAny(), barrier(), writeOwn(), barrier()}), "");
  EXPECT_EQ(loop({readAny(), barrier(), writeOwn()}), twoWays);
  EXPECT_EQ(loop({readAny()}), "");
}

TEST(Rules, TheWayPastALoopCounts) {
  // The barrier in the loop may never be met.
  EXPECT_EQ(faultOf({fill(), nest(StmtKind::For, Level::Block, zero(), {barrier()}), readAny()}),
            twoWays);
}

TEST(Rules, ThreadsOfALoopStayTogether) {
  Stmt leave = makeStmt(StmtKind::Break, 0, {tid()});
  leave.level = Level::Thread;
  EXPECT_EQ(faultOf({nest(StmtKind::For, Level::Block, zero(), {leave})}),
            "threads of a loop part in it");
  EXPECT_EQ(faultOf({leave}), "a jump without a loop");
}

TEST(Rules, CommonVariablesAreCommon) {
  EXPECT_EQ(faultOf({makeStmt(StmtKind::Declare, 2, {tid()})}), "");
  EXPECT_EQ(faultOf({makeStmt(StmtKind::Declare, 0, {tid()})}),
            "threads would differ on a common variable");
  EXPECT_EQ(faultOf({makeStmt(StmtKind::Declare, 0, {zero()}),
                     nest(StmtKind::If, Level::Thread, tid(),
                          {makeStmt(StmtKind::Assign, 0, {zero()})})}),
            "threads would differ on a common variable");
  EXPECT_EQ(faultOf({makeStmt(StmtKind::Assign, 2, {zero()})}),
            "a variable is assigned outside of its scope");
}

TEST(Rules, AVariableHasAValueBeforeItIsUsed) {
  Stmt declare = makeStmt(StmtKind::Declare, 2);
  Stmt assign = makeStmt(StmtKind::Assign, 2, {zero()});
  Stmt use = makeStmt(StmtKind::StoreOwn, 0, {makeExpr(ExprKind::Variable, 2)});
  const char *unset = "a variable is used that has no value yet";
  EXPECT_EQ(faultOf({declare, use}), unset);
  EXPECT_EQ(faultOf({declare, assign, use}), "");
  Stmt branch = nest(StmtKind::If, Level::Thread, tid(), {assign, use});
  EXPECT_EQ(faultOf({declare, branch}), "");
  EXPECT_EQ(faultOf({declare, branch, use}), unset);
  branch.blocks[1] = {assign};
  EXPECT_EQ(faultOf({declare, branch, use}), "");
  Stmt loop = nest(StmtKind::For, Level::Block, zero(), {assign});
  EXPECT_EQ(faultOf({declare, loop, use}), unset) << "it may run never";
  loop.exprs.clear();
  EXPECT_EQ(faultOf({declare, loop, use}), "");
  loop.blocks[0].insert(loop.blocks[0].begin(), makeStmt(StmtKind::Break, 0, {zero()}));
  EXPECT_EQ(faultOf({declare, loop, use}), unset);
}

TEST(Rules, AnIndexIsClampedOnce) {
  Stmt index = makeStmt(StmtKind::DeclareIndex, 2, {tid(), zero(), zero()});
  auto fault = [&](std::vector<Stmt> body) {
    Kernel kernel = kernelOf(std::move(body));
    kernel.variables[2].indexOf = 0;
    return findFault(kernel);
  };
  EXPECT_EQ(fault({index}), "");
  EXPECT_EQ(fault({makeStmt(StmtKind::Declare, 2, {tid()})}), "an index may be past its array");
  EXPECT_EQ(fault({index, makeStmt(StmtKind::Assign, 2, {tid()})}),
            "an index may be past its array");
}

std::set<std::string> formsOfFlag(std::vector<Stmt> body) {
  Kernel kernel = kernelOf(std::move(body));
  kernel.variables[2].isFlag = true;
  return formsOf(kernel);
}

TEST(Forms, FlagsAcrossBarriers) {
  Expr flag = makeExpr(ExprKind::Variable, 2);
  Stmt set = nest(StmtKind::If, Level::Thread, tid(), {makeStmt(StmtKind::Assign, 2, {zero()})});
  Stmt ask = nest(StmtKind::If, Level::Thread, flag, {});
  Stmt leave = makeStmt(StmtKind::Break, 0, {zero()});
  const std::string across = "a flag lives across a barrier";
  using Forms = std::set<std::string>;
  EXPECT_EQ(formsOfFlag({set, ask}), Forms());
  EXPECT_EQ(formsOfFlag({set, barrier(), ask}), Forms({across}));
  EXPECT_EQ(formsOfFlag({makeStmt(StmtKind::Assign, 2, {zero()}), barrier(), ask}), Forms());
  Stmt loop = nest(StmtKind::For, Level::Block, zero(), {set, barrier(), leave, ask});
  EXPECT_EQ(formsOfFlag({loop}),
            Forms({across, across + " of its loop", "a loop is left between barriers"}));
  loop = nest(StmtKind::For, Level::Block, zero(), {set, barrier()});
  EXPECT_EQ(formsOfFlag({loop, ask}),
            Forms({across, "a flag lives on behind a loop with barriers"}));
}

TEST(Forms, RandomKernelsHaveThem) {
  std::map<std::string, unsigned> kernels;
  for (uint64_t seed = 1; seed <= 300; ++seed)
    for (const std::string &form : formsOf(generate(seed)))
      ++kernels[form];
  EXPECT_EQ(kernels.size(), 16u);
  for (const auto &[form, count] : kernels)
    EXPECT_GE(count, 6u) << form;
}

TEST(Rules, EachBarrierOfARandomKernelCounts) {
  // Most barriers are needed: without any of them the kernel has a fault.
  unsigned withBarriers = 0, faulty = 0;
  for (uint64_t seed = 1; seed <= 200; ++seed) {
    Kernel kernel = generate(seed);
    ASSERT_EQ(findFault(kernel), "") << "seed " << seed;
    size_t removed = 0;
    walkBlocks(kernel.body, [&](std::vector<Stmt> &block) {
      removed +=
          std::erase_if(block, [](const Stmt &stmt) { return stmt.kind == StmtKind::Barrier; });
    });
    withBarriers += removed > 0;
    faulty += removed > 0 && !findFault(kernel).empty();
  }
  EXPECT_GT(withBarriers, 80u);
  EXPECT_GT(faulty * 2, withBarriers);
}

} // namespace
