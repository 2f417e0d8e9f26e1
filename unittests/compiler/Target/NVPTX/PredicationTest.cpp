//===- PredicationTest.cpp - Code that runs without its guard -------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/NVPTX/ControlFlow/Predication.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"
#include <gtest/gtest.h>

using namespace llvm;
using namespace regrain::nvptx;

namespace {

/// Returns the conditional branches of the function @f after the pass.
unsigned branchesAfter(const std::string &text) {
  LLVMContext context;
  SMDiagnostic diagnostic;
  std::unique_ptr<Module> module = parseAssemblyString(text, diagnostic, context);
  if (!module) {
    ADD_FAILURE() << diagnostic.getMessage().str() << " in " << diagnostic.getLineContents().str();
    return 0;
  }
  LoopAnalysisManager loops;
  FunctionAnalysisManager functions;
  CGSCCAnalysisManager components;
  ModuleAnalysisManager modules;
  PassBuilder builder;
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  Function &function = *module->getFunction("f");
  PredicateBranches().run(function, functions);
  EXPECT_FALSE(verifyModule(*module, &errs()));
  unsigned branches = 0;
  for (Instruction &instruction : instructions(function))
    if (auto *branch = dyn_cast<BranchInst>(&instruction))
      branches += branch->isConditional();
  return branches;
}

/// A guard over `body`, which computes %v; %c and %x are arguments.
std::string guarded(const std::string &body) {
  return R"(
@table = internal addrspace(3) global [32 x i32] undef, align 4
@late = extern_weak addrspace(3) global [32 x i32], align 4
@bytes = internal addrspace(3) global [32 x i32] undef, align 1
declare i32 @unknown(i32)
declare i32 @llvm.nvvm.shfl.sync.idx.i32(i32, i32, i32, i32) convergent
declare i32 @llvm.umin.i32(i32, i32)
define i32 @f(i1 %c, i32 %x, ptr dereferenceable(128) align 4 %known, ptr %any) {
entry:
  br i1 %c, label %side, label %end
side:
)" + body +
         R"(
  br label %end
end:
  %result = phi i32 [ %v, %side ], [ 0, %entry ]
  ret i32 %result
})";
}

/// A guarded load of @table at an index %i that `index` computes.
std::string loading(const std::string &index, const std::string &base = "@table") {
  return guarded(index + "\n%p = getelementptr [32 x i32], ptr addrspace(3) " + base +
                 ", i32 0, i32 %i\n%v = load i32, ptr addrspace(3) %p, align 4");
}

TEST(Predication, ShortComputationsRunWithoutTheirGuard) {
  EXPECT_EQ(branchesAfter(guarded("%v = add i32 %x, 1")), 0u);
  EXPECT_EQ(branchesAfter(guarded("%v = call i32 @llvm.umin.i32(i32 %x, i32 7)")), 0u);
}

TEST(Predication, EffectsFaultsAndLongCodeKeepIt) {
  EXPECT_EQ(branchesAfter(guarded("%v = udiv i32 7, %x")), 1u);
  EXPECT_EQ(branchesAfter(guarded("%v = call i32 @unknown(i32 %x)")), 1u);
  EXPECT_EQ(branchesAfter(guarded("store i32 1, ptr %known\n%v = add i32 %x, 1")), 1u);
  EXPECT_EQ(branchesAfter(guarded(
                "%v = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 -1, i32 %x, i32 0, i32 31)")),
            1u);
  std::string body = "%v0 = add i32 %x, 1\n";
  for (unsigned i = 1; i < mostGuarded + 1; ++i)
    body += "%v" + std::to_string(i) + " = mul i32 %v" + std::to_string(i - 1) + ", %x\n";
  EXPECT_EQ(branchesAfter(guarded(body + "%v = add i32 %x, 2")), 1u);
}

TEST(Predication, LoadsNeedAnObjectOfKnownSize) {
  EXPECT_EQ(branchesAfter(guarded("%v = load i32, ptr %known, align 4")), 0u);
  EXPECT_EQ(branchesAfter(guarded("%v = load i32, ptr %any, align 4")), 1u);
  EXPECT_EQ(branchesAfter(guarded("%v = load volatile i32, ptr %known, align 4")), 1u);
  EXPECT_EQ(branchesAfter(guarded("%v = load atomic i32, ptr %known monotonic, align 4")), 1u);
  EXPECT_EQ(branchesAfter(guarded("%v = load i32, ptr %known, align 8")), 1u) << "of its alignment";
  EXPECT_EQ(branchesAfter(guarded("%p = getelementptr i8, ptr %known, i64 124\n"
                                  "%v = load i32, ptr %p, align 4")),
            0u);
  EXPECT_EQ(branchesAfter(guarded("%p = getelementptr i8, ptr %known, i64 128\n"
                                  "%v = load i32, ptr %p, align 4")),
            1u);
  EXPECT_EQ(branchesAfter(guarded("%p = getelementptr i8, ptr %known, i64 -4\n"
                                  "%v = load i32, ptr %p, align 4")),
            1u);
  EXPECT_EQ(branchesAfter(loading("%i = and i32 %x, 31")), 0u);
  EXPECT_EQ(branchesAfter(loading("%i = and i32 %x, 31", "@late")), 1u);
  EXPECT_EQ(branchesAfter(loading("%i = and i32 %x, 31", "@bytes")), 1u);
}

TEST(Predication, AnIndexIsBoundedOnlyByWhatHoldsWithoutTheGuard) {
  for (const char *index : {"%i = lshr i32 %x, 27", "%i = call i32 @llvm.umin.i32(i32 %x, i32 31)",
                            "%m = and i32 %x, 15\n%i = add nuw nsw i32 %m, 16",
                            "%m = and i32 %x, 31\n%i = sub nuw i32 31, %m",
                            "%m = and i32 %x, 15\n%i = select i1 %c, i32 %m, i32 31",
                            "%m = and i32 %x, 15\n%s = shl i32 %m, 1\n%i = or disjoint i32 %s, 1"})
    EXPECT_EQ(branchesAfter(loading(index)), 0u) << index;
  for (const char *index :
       {"%i = add i32 %x, 0", "%i = and i32 %x, 32", "%m = and i32 %x, 31\n%i = add i32 %m, 1",
        "%m = add nsw i32 %x, 1\n%i = lshr i32 %m, 27", "%i = lshr exact i32 %x, 27",
        "%m = mul nsw i32 %x, %x\n%i = and i32 %m, 31",
        "%m = zext nneg i32 %x to i64\n%n = and i64 %m, 31\n%i = trunc i64 %n to i32",
        "%m = trunc nuw i32 %x to i8\n%n = zext i8 %m to i32\n%i = and i32 %n, 31"})
    EXPECT_EQ(branchesAfter(loading(index)), 1u) << index;
}

/// A loop that counts %i from `first` by `step` until it is `end`, and loads under a guard.
std::string counting(const std::string &first, const std::string &step, const std::string &end) {
  return R"(
@table = internal addrspace(3) global [32 x i32] undef, align 4
define i32 @f(i32 %x, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ )" +
         first + R"(, %entry ], [ %next, %latch ]
  %sum = phi i32 [ 0, %entry ], [ %more, %latch ]
  %c = icmp ugt i32 %x, %i
  br i1 %c, label %side, label %latch
side:
  %p = getelementptr [32 x i32], ptr addrspace(3) @table, i32 0, i32 %i
  %v = load i32, ptr addrspace(3) %p, align 4
  br label %latch
latch:
  %d = phi i32 [ %v, %side ], [ 0, %loop ]
  %more = add i32 %sum, %d
  %next = add i32 %i, )" +
         step + R"(
  %done = icmp eq i32 %next, )" +
         end + R"(
  br i1 %done, label %end, label %loop
end:
  ret i32 %more
})";
}

TEST(Predication, ACounterOfKnownLengthIsAnIndex) {
  EXPECT_EQ(branchesAfter(counting("0", "1", "32")), 1u);
  EXPECT_EQ(branchesAfter(counting("31", "-1", "-1")), 1u);
  EXPECT_EQ(branchesAfter(counting("0", "1", "33")), 2u);
  EXPECT_EQ(branchesAfter(counting("0", "1", "%n")), 2u);
  EXPECT_EQ(branchesAfter(counting("32", "-1", "0")), 2u);
  EXPECT_EQ(branchesAfter(counting("-1", "1", "31")), 2u);
}

TEST(Predication, NestedGuardsBecomeOneSelectionEach) {
  EXPECT_EQ(branchesAfter(R"(
define i32 @f(i1 %c, i1 %d, i32 %x) {
entry:
  br i1 %c, label %outer, label %end
outer:
  br i1 %d, label %yes, label %no
yes:
  %a = add i32 %x, 1
  br label %join
no:
  %b = mul i32 %x, 3
  br label %join
join:
  %v = phi i32 [ %a, %yes ], [ %b, %no ]
  br label %end
end:
  %result = phi i32 [ %v, %join ], [ 0, %entry ]
  ret i32 %result
})"),
            0u);
}

} // namespace
