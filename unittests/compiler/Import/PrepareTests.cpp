//===- PrepareTests.cpp - Who takes part, what is reached, what is parked -===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/DeviceIR/References.h"
#include "compiler/Import/Import.h"
#include "compiler/Import/Park.h"
#include "compiler/Import/Prepare.h"
#include "compiler/Import/Raisable.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/SourceMgr.h"
#include "gtest/gtest.h"
#include <set>

using namespace llvm;
using namespace regrain;

namespace {

class ImportStage : public testing::Test {
protected:
  void parse(const std::string &text) {
    SMDiagnostic diagnostic;
    module =
        parseAssemblyString("target datalayout = \"e-i64:64-i128:128-v16:16-v32:32-n16:32:64\"\n"
                            "target triple = \"nvptx64-nvidia-cuda\"\n" +
                                text,
                            diagnostic, context);
    ASSERT_TRUE(module) << diagnostic.getMessage().str() << " in line " << diagnostic.getLineNo();
  }
  Function *function(StringRef name) { return module->getFunction(name); }
  template <typename Functions> std::set<std::string> namesOf(const Functions &functions) {
    std::set<std::string> names;
    for (const Function *function : functions)
      names.insert(function->getName().str());
    return names;
  }
  /// Returns the instructions of a function, as they are printed.
  std::vector<std::string> instructionsOf(StringRef name) {
    std::vector<std::string> texts;
    for (const Instruction &instruction : instructions(*function(name)))
      raw_string_ostream(texts.emplace_back()) << instruction;
    return texts;
  }

  LLVMContext context;
  std::unique_ptr<Module> module;
};

using Names = std::set<std::string>;

//===----------------------------------------------------------------------===//
// Prepare
//===----------------------------------------------------------------------===//

constexpr const char *family = R"(
@shared = internal addrspace(3) global [8 x i32] undef
@plain = internal global [8 x i32] zeroinitializer
@table = internal constant [2 x ptr] [ptr @inTable, ptr null]
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier0()
declare float @llvm.fabs.f32(float)
define i32 @reads() { %r = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()  ret i32 %r }
define void @waits() { call void @llvm.nvvm.barrier0()  ret void }
define void @assembly() { call void asm sideeffect "bar.sync 1;", ""() #0  ret void }
define void @pure() { call void asm "nop;", ""()  ret void }
define i32 @loads() { %r = load i32, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @shared, i64 4)
  ret i32 %r }
define i32 @generic() { %r = load i32, ptr addrspacecast (ptr addrspace(3) @shared to ptr)  ret i32 %r }
define i32 @memory() { %r = load i32, ptr @plain  ret i32 %r }
define float @math(float %x) { %r = call float @llvm.fabs.f32(float %x)  ret float %r }
define i32 @above() { %r = call i32 @reads()  ret i32 %r }
define i32 @over() noinline { %r = call i32 @above()  ret i32 %r }
define void @keeps(ptr %p) { store ptr @reads, ptr %p  ret void }
define void @inTable() { ret void }
define void @uses(ptr %p) { %f = load ptr, ptr @table  store ptr %f, ptr %p  ret void }
define void @kernel(ptr %p) {
  %r = call i32 @over()
  store i32 %r, ptr %p
  call void @uses(ptr %p)
  ret void
}
define void @other() { call void @waits()  ret void }
define i32 @recursive(i32 %n) {
  %t = call i32 @reads()
  %r = call i32 @recursive(i32 %t)
  ret i32 %r
}
attributes #0 = { convergent }
)";

class PrepareTest : public ImportStage {
protected:
  void SetUp() override { parse(family); }
};

TEST_F(PrepareTest, CooperationSpreadsToCallersAlone) {
  Names cooperating = namesOf(findCooperating(*module));
  EXPECT_EQ(cooperating, (Names{"reads", "waits", "assembly", "loads", "generic", "above", "over",
                                "kernel", "other", "recursive"}));
}

TEST_F(PrepareTest, UsersAreFoundBehindConstants) {
  EXPECT_EQ(namesOf(findUsers(*module->getNamedGlobal("shared"))), (Names{"loads", "generic"}));
  EXPECT_EQ(namesOf(findUsers(*module->getNamedGlobal("plain"))), (Names{"memory"}));
}

TEST_F(PrepareTest, ReachedAreTheRootAndWhatItCallsOrKeeps) {
  EXPECT_EQ(namesOf(functionsReachedFrom({function("kernel")})),
            (Names{"kernel", "over", "above", "reads", "llvm.nvvm.read.ptx.sreg.tid.x", "uses",
                   "inTable"}));
  EXPECT_EQ(namesOf(functionsReachedFrom({function("keeps"), function("math")})),
            (Names{"keeps", "reads", "llvm.nvvm.read.ptx.sreg.tid.x", "math", "llvm.fabs.f32"}));
}

TEST_F(PrepareTest, InliningIsForcedOnWhatCooperatesButKernelsAndRecursion) {
  forceInlining(*module, {function("kernel"), function("other")});
  for (const Function &each : *module) {
    if (each.isDeclaration())
      continue;
    bool isForced = Names{"reads", "waits", "assembly", "loads", "generic", "above", "over"}.count(
        each.getName().str());
    EXPECT_EQ(each.hasFnAttribute(Attribute::AlwaysInline), isForced) << each.getName().str();
  }
  EXPECT_FALSE(function("over")->hasFnAttribute(Attribute::NoInline));
}

TEST_F(PrepareTest, OnlyWhatKernelsReachKeepsItsBody) {
  dropUnreached(*module, {function("kernel")});
  for (const char *kept : {"kernel", "over", "above", "reads", "uses", "inTable"})
    EXPECT_FALSE(function(kept)->isDeclaration()) << kept;
  for (const char *dropped : {"other", "waits", "math", "keeps"})
    EXPECT_TRUE(function(dropped)->isDeclaration()) << dropped;
}

TEST_F(PrepareTest, PreparedKernelsCallNothingThatCooperates) {
  Expected<bool> prepared = prepareForAll(*module, {function("kernel"), function("other")});
  EXPECT_TRUE(bool(prepared)) << toString(prepared.takeError());
  EXPECT_FALSE(verifyModule(*module, &errs()));
  DenseSet<const Function *> cooperating = findCooperating(*module);
  for (const char *name : {"kernel", "other"}) {
    EXPECT_TRUE(cooperating.contains(function(name)));
    for (const Instruction &instruction : instructions(*function(name)))
      if (auto *call = dyn_cast<CallBase>(&instruction))
        EXPECT_FALSE(cooperating.contains(call->getCalledFunction()));
  }
}

TEST_F(ImportStage, AModuleForAnotherTargetCannotBePrepared) {
  parse("define void @kernel() { ret void }");
  module->setTargetTriple("no-such-target");
  Expected<bool> prepared = prepareForAll(*module, {function("kernel")});
  EXPECT_NE(toString(prepared.takeError()).find("no-such-target"), std::string::npos);
}

TEST_F(ImportStage, AParameterThatIsWrittenIsCopied) {
  parse(R"(
define void @reads(ptr byval(i32) align 8 %s, ptr %p) {
  %v = load volatile i32, ptr %s
  store volatile i32 %v, ptr %p
  ret void
}
define void @writes(ptr byval(i32) align 8 %s, ptr %p) {
  store volatile i32 7, ptr %s
  %v = load volatile i32, ptr %s
  store volatile i32 %v, ptr %p
  ret void
}
)");
  Expected<bool> prepared = prepareForAll(*module, {function("reads"), function("writes")});
  ASSERT_TRUE(bool(prepared)) << toString(prepared.takeError());
  prepareForImport(*module, {function("reads"), function("writes")});
  EXPECT_TRUE(none_of(instructions(*function("reads")),
                      [](const Instruction &each) { return isa<AllocaInst>(each); }));
  const Argument *parameter = function("writes")->getArg(0);
  ASSERT_TRUE(parameter->hasOneUse());
  EXPECT_EQ(cast<CallBase>(*parameter->user_begin())->getIntrinsicID(), Intrinsic::memcpy);
  auto *copy = dyn_cast<AllocaInst>(&function("writes")->getEntryBlock().front());
  ASSERT_TRUE(copy);
  EXPECT_EQ(copy->getAlign(), Align(8));
}

//===----------------------------------------------------------------------===//
// Park
//===----------------------------------------------------------------------===//

constexpr const char *parkable = R"(
declare i32 @llvm.nvvm.shfl.sync.down.i32(i32, i32, i32, i32)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare float @llvm.sqrt.f32(float)
declare i32 @llvm.nvvm.read.ptx.sreg.clock()
declare float @callee(float)
define void @kernel(ptr %p, ptr %q, i64 %n, i32 %m) {
  %1 = call i32 asm sideeffect "mov.u32 $0, %clock;", "=r"()
  %2 = call i32 asm "add.u32 $0, $1, 4;", "=r,r"(i32 %1)
  %3 = call i32 asm "add.u32 $0, $1, 5;", "=r,r"(i32 %2)
  %4 = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 -1, i32 %3, i32 %m, i32 31)
  call void @llvm.memcpy.p0.p0.i64(ptr align 16 %p, ptr align 4 %q, i64 %n, i1 false)
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %p, ptr align 4 %q, i64 %n, i1 true)
  %5 = call i32 @llvm.nvvm.read.ptx.sreg.clock()
  %6 = bitcast i32 %5 to float
  %7 = call fast float @llvm.sqrt.f32(float %6)
  %8 = call contract float @llvm.sqrt.f32(float %7)
  %9 = call float @callee(float %8)
  store float %9, ptr %p, align 4
  ret void
}
)";

TEST_F(ImportStage, UnparkingRestoresEachInstruction) {
  parse(parkable);
  std::vector<std::string> before = instructionsOf("kernel");
  // The context knows no intrinsics, so that all are parked.
  ParkedInstructions parked = park(*module, {function("kernel")}, {});
  EXPECT_FALSE(verifyModule(*module, &errs()));
  for (const Instruction &instruction : instructions(*function("kernel")))
    if (auto *call = dyn_cast<CallBase>(&instruction)) {
      EXPECT_FALSE(call->isInlineAsm());
      EXPECT_FALSE(call->getCalledFunction()->isIntrinsic());
    }
  EXPECT_EQ(parked.intrinsics.size(), 6u) << "as many forms of intrinsics";
  EXPECT_EQ(parked.callees.size(), 9u) << "and three of assembly";
  unpark(*module);
  EXPECT_FALSE(verifyModule(*module, &errs()));
  EXPECT_EQ(instructionsOf("kernel"), before);
  for (const Function &each : *module)
    EXPECT_FALSE(each.hasFnAttribute(parkedAttribute));
}

TEST_F(ImportStage, KnownIntrinsicsAreParkedOnlyIfTheirEffectsAreNotKnown) {
  parse(parkable);
  DenseSet<unsigned> known = {Intrinsic::sqrt, Intrinsic::memcpy,
                              Intrinsic::nvvm_read_ptx_sreg_clock,
                              Intrinsic::nvvm_shfl_sync_down_i32};
  ParkedInstructions parked = park(*module, {function("kernel")}, known);
  Names names;
  for (const auto &entry : parked.intrinsics)
    names.insert(entry.getKey().str());
  EXPECT_FALSE(names.count("sqrt.f32"));
  EXPECT_TRUE(names.count("memcpy.p0.p0.i64"));
  EXPECT_TRUE(names.count("nvvm.read.ptx.sreg.clock"));
  EXPECT_TRUE(names.count("nvvm.shfl.sync.down.i32"));
}

//===----------------------------------------------------------------------===//
// Raisable
//===----------------------------------------------------------------------===//

TEST_F(ImportStage, AFunctionsAddressIsFoundInConstants) {
  parse(R"(
@number = internal constant { ptr, i32 } { ptr null, i32 1 }
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
define void @callee() { ret void }
define void @direct(ptr %p) { store ptr @callee, ptr %p  ret void }
define void @inStructure(ptr %p) { store { ptr, i32 } { ptr @callee, i32 1 }, ptr %p  ret void }
define void @below(ptr %p) { call void @inStructure(ptr %p)  ret void }
define void @fine(ptr %p) {
  call void @llvm.memcpy.p0.p0.i64(ptr %p, ptr @number, i64 16, i1 false)
  call void @callee()
  ret void
}
)");
  for (const char *name : {"direct", "inStructure", "below"})
    EXPECT_TRUE(checkRaisable(*function(name), {})) << name;
  EXPECT_FALSE(checkRaisable(*function("fine"), {}));
}

} // namespace
