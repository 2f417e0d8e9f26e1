//===- RefusalTests.cpp - Records of what is not possible -----------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Refusal/DebugPosition.h"
#include "compiler/Refusal/Refuse.h"
#include "compiler/Transforms/ApplyGrain.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Parser/Parser.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Support/SourceMgr.h"
#include <gtest/gtest.h>
#include <set>

using namespace regrain;

namespace {

constexpr RefusalKind kinds[] = {
#define REFUSAL(kind, id, remedy) RefusalKind::kind,
#include "compiler/Refusal/RefusalKind.def"
};

TEST(RefusalKind, EveryKindHasItsOwnIdAndARemedy) {
  std::set<llvm::StringRef> ids;
  for (RefusalKind kind : kinds) {
    EXPECT_TRUE(ids.insert(idOf(kind)).second) << idOf(kind).str() << " stands for two kinds";
    EXPECT_FALSE(remedyFor(kind).empty()) << idOf(kind).str();
    EXPECT_FALSE(remedyFor(kind).ends_with(".")) << "a remedy is a clause: " << idOf(kind).str();
  }
}

TEST(SourcePosition, TextSaysWhatIsKnown) {
  EXPECT_EQ(toString(SourcePosition{"k.cu", 12, 3}), "k.cu:12:3");
  EXPECT_EQ(toString(SourcePosition{"k.cu", 12}), "k.cu:12");
  EXPECT_EQ(toString(SourcePosition{"k.cu"}), "k.cu");
  EXPECT_EQ(toString(SourcePosition()), "");
  EXPECT_EQ(inParentheses({"k.cu", 12, 3}), " (k.cu:12)");
  EXPECT_EQ(inParentheses({}), "");
}

TEST(RefusedKernels, TheFirstRefusalCounts_InTheOrderOfDiscovery) {
  RefusedKernels refused;
  refused.try_emplace("z", Refusal{RefusalKind::NoBody, "first"});
  refused.try_emplace("a", Refusal{RefusalKind::CallsItself, "another kernel"});
  refused.try_emplace("z", Refusal{RefusalKind::Undefined, "second"});
  ASSERT_EQ(refused.size(), 2u);
  EXPECT_EQ(refused.front().first, "z");
  EXPECT_EQ(refused.find("z")->second, (Refusal{RefusalKind::NoBody, "first"}));
}

//===-- Positions of LLVM IR ------------------------------------------------===//

/// @k calls @f of the same file, which calls @g of a header. Both calls have been inlined. The
/// second store is in a header that the body of @k includes.
constexpr const char inlinedCode[] = R"(
define void @k(ptr %p) !dbg !4 {
  store i32 1, ptr %p, !dbg !7
  store i32 2, ptr %p, !dbg !8
  ret void, !dbg !11
}
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus, file: !1, emissionKind: LineTablesOnly)
!1 = !DIFile(filename: "k.cu", directory: "/d")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !DIFile(filename: "g.h", directory: "/d")
!4 = distinct !DISubprogram(name: "k", file: !1, line: 20, type: !12, unit: !0, spFlags: DISPFlagDefinition)
!5 = distinct !DISubprogram(name: "f", file: !1, line: 10, type: !12, unit: !0, spFlags: DISPFlagDefinition)
!6 = distinct !DISubprogram(name: "g", file: !3, line: 1, type: !12, unit: !0, spFlags: DISPFlagDefinition)
!7 = !DILocation(line: 2, column: 3, scope: !6, inlinedAt: !9)
!8 = !DILocation(line: 3, column: 5, scope: !13)
!9 = distinct !DILocation(line: 11, column: 7, scope: !5, inlinedAt: !10)
!10 = distinct !DILocation(line: 21, column: 9, scope: !4)
!11 = !DILocation(line: 0, scope: !4)
!12 = !DISubroutineType(types: !{})
!13 = !DILexicalBlockFile(scope: !4, file: !3, discriminator: 0)
)";

TEST(DebugPosition, InlinedCodeHasAPlaceInEachFunction) {
  llvm::LLVMContext context;
  llvm::SMDiagnostic diagnostic;
  std::unique_ptr<llvm::Module> module =
      llvm::parseAssemblyString(inlinedCode, diagnostic, context);
  ASSERT_TRUE(module) << diagnostic.getMessage().str();
  const llvm::Function &kernel = *module->getFunction("k");
  auto instruction = llvm::inst_begin(kernel);
  const llvm::DILocation *inlined = instruction++->getDebugLoc();
  EXPECT_EQ(toString(positionOf(inlined)), "g.h:2:3");
  EXPECT_EQ(toString(positionOf(outermost(inlined))), "k.cu:21:9");
  EXPECT_EQ(toString(positionOf(innermostInFileOf(kernel, inlined))), "k.cu:11:7");
  const llvm::DILocation *ofHeader = instruction++->getDebugLoc();
  EXPECT_EQ(innermostInFileOf(kernel, ofHeader), ofHeader) << "no place is in the kernel's file";
  const llvm::DILocation *added = instruction->getDebugLoc();
  EXPECT_FALSE(positionOf(added).isKnown()) << "code that the compiler has added has line 0";
  EXPECT_FALSE(positionOf(nullptr).isKnown());
  EXPECT_EQ(toString(definitionOf(kernel)), "k.cu:20");
}

//===-- Refusals at operations ----------------------------------------------===//

/// The loop has been inlined into the kernel; the barrier in it has no position of its own.
constexpr const char kernelText[] = R"(
grain.kernel @k(%p: !llvm.ptr) {
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %zero = arith.constant 0 : i32
      %one = arith.constant 1 : i32
      scf.for %i = %zero to %tx step %one : i32 {
        grain.barrier (%tx, %ty, %tz) loc(unknown)
      } loc(fused[unknown, callsite("g.h":2:3 at "k.cu":21:9)])
    } loc("k.cu":18:1)
  } loc("k.cu":18:1)
  grain.return
} loc("k.cu":17:0)
)";

class Refusing : public testing::Test {
protected:
  void SetUp() override {
    context.loadDialect<grain::GrainDialect, mlir::arith::ArithDialect, mlir::scf::SCFDialect,
                        mlir::LLVM::LLVMDialect>();
    module = mlir::parseSourceString<mlir::ModuleOp>(kernelText, &context);
    ASSERT_TRUE(module);
    kernel = *module->getOps<grain::KernelOp>().begin();
  }

  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  grain::KernelOp kernel;
};

TEST_F(Refusing, InlinedCode_IsRefusedWhereTheKernelCallsIt) {
  kernel.walk([&](mlir::scf::ForOp loop) {
    Refusal refusal = refuse(loop, RefusalKind::WaitsForThread, "a loop may wait");
    EXPECT_EQ(refusal, (Refusal{RefusalKind::WaitsForThread, "a loop may wait", {"k.cu", 21, 9}}));
  });
}

TEST_F(Refusing, CodeWithoutAPosition_IsRefusedWhereItsContainerIs) {
  kernel.walk([&](grain::BarrierOp barrier) {
    EXPECT_EQ(toString(positionInKernel(barrier)), "k.cu:21:9");
  });
}

TEST_F(Refusing, LocationOfDiagnostics_IsTheSamePosition) {
  SourcePosition where = {"k.cu", 21, 9};
  mlir::OperationState state(locationOf(where, &context), "builtin.unrealized_conversion_cast");
  mlir::Operation *op = mlir::Operation::create(state);
  EXPECT_EQ(positionInKernel(op), where);
  op->destroy();
  EXPECT_TRUE(llvm::isa<mlir::UnknownLoc>(locationOf({}, &context)));
}

TEST_F(Refusing, ARecordComesOutOfThePipelineAsItWentIn) {
  Grain grain;
  grain.thread = {2, 1, 1};
  std::optional<RefusedStep> step = applyGrain(kernel, grain, GrainPart::Whole);
  ASSERT_TRUE(step);
  EXPECT_EQ(step->name, "coarsen-threads");
  EXPECT_EQ(
      step->refusal,
      (Refusal{RefusalKind::DivergentBarrier,
               "a barrier is in a loop whose trip count may differ between the threads of a block",
               {"k.cu", 21, 9}}));
  EXPECT_FALSE(refusedStepOf(kernel)) << "the kernel itself is unchanged";
}

TEST_F(Refusing, AContradiction_IsOfNoTransformInParticular) {
  Grain grain;
  grain.shape = {64, 1, 1};
  grain.fuse = {2, 1, 1};
  std::optional<RefusedStep> step = applyGrain(kernel, grain, GrainPart::Whole);
  ASSERT_TRUE(step);
  EXPECT_EQ(step->name, "apply-grain");
  EXPECT_EQ(step->refusal.kind, RefusalKind::Contradiction);
  EXPECT_EQ(step->refusal.where, (SourcePosition{"k.cu", 17, 0}));
}

} // namespace
