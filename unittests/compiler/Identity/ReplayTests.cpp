//===- ReplayTests.cpp - Which launches can be repeated -------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Identity/Replay.h"
#include "unittests/compiler/Analysis/ParsedKernel.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/SourceMgr.h"

using namespace regrain;

namespace {

class Replay : public testing::Test {
protected:
  /// Parses @kernel(ptr, i32) with this body.
  const llvm::Function &parse(const std::string &body) {
    llvm::SMDiagnostic diagnostic;
    module = llvm::parseAssemblyString(R"(
declare i32 @vprintf(ptr, ptr)
declare ptr @malloc(i64)
declare void @free(ptr)
declare void @__assertfail(ptr, ptr, i32, ptr, i64)
declare void @llvm.trap()
declare void @llvm.nvvm.membar.sys()
declare void @llvm.nvvm.membar.gl()
declare i32 @llvm.nvvm.atomic.add.gen.i.sys.i32.p0(ptr, i32)
declare i32 @llvm.nvvm.atomic.add.gen.i.cta.i32.p0(ptr, i32)
@table = internal constant [2 x ptr] [ptr @prints, ptr @plain]
define void @prints(ptr %p) { %r = call i32 @vprintf(ptr %p, ptr null)  ret void }
define void @plain(ptr %p) { store i32 1, ptr %p  ret void }
define void @above(ptr %p) { call void @prints(ptr %p)  ret void }
define void @takes(ptr %p) { store ptr @plain, ptr %p  ret void }
define void @kernel(ptr %p, i32 %n) {
)" + body + "\n  ret void\n}\n",
                                       diagnostic, context);
    EXPECT_TRUE(module) << diagnostic.getMessage().str() << " in line " << diagnostic.getLineNo();
    return *module->getFunction("kernel");
  }
  std::string reason(const std::string &body) { return whyNotReplayable(parse(body)).value_or(""); }
  bool says(const std::string &body, const std::string &part) {
    std::string text = reason(body);
    return text.find(part) != std::string::npos;
  }

  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> module;
};

TEST_F(Replay, EffectsThatMemoryDoesNotShowCannotBeRepeated) {
  EXPECT_TRUE(says("%r = call i32 @vprintf(ptr %p, ptr null)", "it prints"));
  EXPECT_TRUE(says("%r = call ptr @malloc(i64 8)", "allocates or frees"));
  EXPECT_TRUE(says("call void @free(ptr %p)", "allocates or frees"));
  EXPECT_TRUE(says("call void asm sideeffect \"some.unknown;\", \"\"()", "'some.unknown'"));
}

TEST_F(Replay, SurfacesAreReadButNotWritten) {
  EXPECT_TRUE(says("call void asm sideeffect \"sust.b.1d.b32.trap [$0, {$1}], {$1};\", "
                   "\"l,r\"(ptr %p, i32 %n)",
                   "writes through a surface"));
  EXPECT_EQ(reason("%r = call i32 asm sideeffect \"suld.b.1d.b32.trap {$0}, [$1, {$2}];\", "
                   "\"=r,l,r\"(ptr %p, i32 %n)"),
            "");
}

TEST_F(Replay, WhatRestoringMemoryUndoesCanBeRepeated) {
  EXPECT_EQ(reason("store volatile i32 1, ptr %p"), "");
  EXPECT_EQ(reason("fence syncscope(\"block\") acquire"), "");
  EXPECT_EQ(reason("call void @llvm.nvvm.membar.gl()"), "");
  EXPECT_EQ(reason("%r = call i32 @llvm.nvvm.atomic.add.gen.i.cta.i32.p0(ptr %p, i32 1)"), "");
  EXPECT_EQ(reason("call void @llvm.trap()"), "");
  EXPECT_EQ(reason("call void @__assertfail(ptr %p, ptr %p, i32 1, ptr %p, i64 1)"), "");
  EXPECT_EQ(reason("call void asm sideeffect \"membar.gl;\", \"\"()"), "");
}

TEST_F(Replay, AssemblyThatLoopsMayWait) {
  auto loops = [](const std::string &opcode) {
    return "call void asm sideeffect \"{ .reg .pred p; .reg .b32 r; AGAIN: " + opcode +
           " r, [$0]; setp.lt.u32 p, r, $1; @p bra AGAIN; }\", \"l,r\"(ptr %p, i32 %n)";
  };
  EXPECT_TRUE(says(loops("ld.acquire.gpu.b32"), "may wait for another thread"));
  EXPECT_TRUE(says(loops("ld.volatile.global.b32"), "may wait for another thread"));
  EXPECT_EQ(reason(loops("ld.volatile.shared::cta.b32")), "") << "the block ends the wait";
  EXPECT_EQ(reason(loops("mbarrier.test_wait.shared.b64")), "");
  EXPECT_EQ(reason("call void asm sideeffect \"ld.acquire.gpu.b32 r, [$0];\", \"l\"(ptr %p)"), "");
}

TEST_F(Replay, EffectsAreFoundInWhatTheKernelCalls) {
  EXPECT_TRUE(says("call void @above(ptr %p)", "it prints"));
  EXPECT_EQ(reason("call void @plain(ptr %p)"), "");
}

TEST_F(Replay, ACallThroughAPointerMayCallWhateverIsTaken) {
  const std::string indirect = "%f = load ptr, ptr %p\n call void %f(ptr %p)\n";
  EXPECT_TRUE(says(indirect, "it prints")) << "@table has the address of @prints";
  EXPECT_TRUE(says("%f = load ptr, ptr @table\n store ptr %f, ptr %p", "it prints"));
  EXPECT_EQ(reason("%f = load ptr, ptr %p\n store ptr %f, ptr %p"), "");
}

TEST_F(Replay, AllocationIsAnEffectOfItsOwn) {
  EXPECT_TRUE(mayAllocate(parse("%r = call ptr @malloc(i64 8)")));
  EXPECT_FALSE(mayAllocate(parse("call void @free(ptr %p)")));
  EXPECT_FALSE(mayAllocate(parse("call void @above(ptr %p)")));
}

TEST_F(Replay, OthersMayTakePartInWhatHasSystemScope) {
  for (const char *body : {"fence acquire", "call void @llvm.nvvm.membar.sys()",
                           "%r = atomicrmw add ptr %p, i32 1 seq_cst",
                           "%r = load atomic i32, ptr %p monotonic, align 4",
                           "%r = call i32 @llvm.nvvm.atomic.add.gen.i.sys.i32.p0(ptr %p, i32 1)"}) {
    EXPECT_TRUE(usesSystemScope(parse(body))) << body;
    EXPECT_EQ(reason(body), "") << body;
  }
  for (const char *body : {"fence syncscope(\"block\") acquire", "call void @llvm.nvvm.membar.gl()",
                           "%r = atomicrmw add ptr %p, i32 1 syncscope(\"device\") seq_cst",
                           "store volatile i32 1, ptr %p"})
    EXPECT_FALSE(usesSystemScope(parse(body))) << body;
}

TEST_F(Replay, SharedSizeIsReadFromRegisters) {
  for (const char *body :
       {"%r = call i32 asm \"mov.u32 $0, %dynamic_smem_size;\", \"=r\"()",
        "%r = call i32 asm sideeffect \"mov.u32 $0, %total_smem_size;\", \"=r\"()"})
    EXPECT_TRUE(readsSharedSize(parse(body))) << body;
  for (const char *body :
       {"%r = call i32 asm \"mov.u32 $0, %smid;\", \"=r\"()", "store volatile i32 1, ptr %p"})
    EXPECT_FALSE(readsSharedSize(parse(body))) << body;
}

TEST(ReplayOfGrains, FunctionsThatStayCallsMayWait) {
  GrainContext own;
  auto reason = [&](const std::string &body) {
    llvm::LLVMContext context;
    llvm::SMDiagnostic diagnostic;
    auto functions = llvm::parseAssemblyString("declare void @llvm.nvvm.membar.gl()\n"
                                               "declare float @llvm.fabs.f32(float)\n"
                                               "define i32 @callee(ptr %p, i32 %n) {\n" +
                                                   body + "}\n",
                                               diagnostic, context);
    EXPECT_TRUE(functions) << diagnostic.getMessage().str();
    ParsedKernel parsed(kernelText("%p: !llvm.ptr, %n: i32",
                                   "%r = llvm.call @callee(%p, %n) : (!llvm.ptr, i32) -> i32\n",
                                   "llvm.func @callee(!llvm.ptr, i32) -> i32\n"),
                        own.context);
    return whyNotReplayable(parsed.kernel(), *functions).value_or("");
  };
  auto waits = [&](const std::string &body) {
    return reason(body).find("may wait for another thread") != std::string::npos;
  };
  auto loop = [](const std::string &read) {
    return "br label %again\nagain:\n" + read +
           "\n%c = icmp ult i32 %v, %n\nbr i1 %c, label %again, label %done\ndone:\nret i32 %v\n";
  };
  auto recursion = [](const std::string &read) {
    return read + "\n%r = call i32 @callee(ptr %p, i32 %v)\nret i32 %r\n";
  };
  EXPECT_TRUE(waits(loop("%v = load volatile i32, ptr %p")));
  EXPECT_TRUE(waits(loop("call void @llvm.nvvm.membar.gl()\n%v = load i32, ptr %p")));
  EXPECT_TRUE(waits(loop("%v = call i32 asm sideeffect \"ld.relaxed.gpu.b32 $0, [$1];\", "
                         "\"=r,l\"(ptr %p)")));
  EXPECT_TRUE(waits(recursion("%v = load atomic i32, ptr %p monotonic, align 4")));
  EXPECT_EQ(reason(loop("%v = load i32, ptr %p")), "");
  EXPECT_EQ(reason(recursion("%f = call float @llvm.fabs.f32(float 1.0)\n%v = load i32, ptr %p")),
            "");
  EXPECT_EQ(reason("%v = load volatile i32, ptr %p\nret i32 %v\n"), "");
}

TEST(ReplayOfGrains, WaitsAndStoredTimesCannotBeRepeated) {
  GrainContext own;
  auto reason = [&](const std::string &body) {
    ParsedKernel parsed(kernelText("%p: !llvm.ptr, %n: i32", body), own.context);
    llvm::LLVMContext context;
    return whyNotReplayable(parsed.kernel(), llvm::Module("functions", context)).value_or("");
  };
  EXPECT_EQ(reason("llvm.store %n, %p : i32, !llvm.ptr\n"), "");
  EXPECT_NE(reason("%t = nvvm.read.ptx.sreg.clock : i32\nllvm.store %t, %p : i32, !llvm.ptr\n")
                .find("stores the time"),
            std::string::npos);
  EXPECT_NE(reason("scf.while : () -> () {\n%v = llvm.load volatile %p : !llvm.ptr -> i32\n"
                   "%c = arith.cmpi ne, %v, %n : i32\nscf.condition(%c)\n} do {\nscf.yield\n}\n")
                .find("wait for another thread"),
            std::string::npos);
}

} // namespace
