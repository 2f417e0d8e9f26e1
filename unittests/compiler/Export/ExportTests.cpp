//===- ExportTests.cpp - Export of kernels at other grains ----------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Export/Export.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/Support/SourceMgr.h"
#include "gtest/gtest.h"
#include <thread>

using namespace regrain;

namespace {

constexpr const char *deviceCode = R"(
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
@pool = external addrspace(3) global [0 x double], align 8
@total = addrspace(1) externally_initialized global i32 0, align 4

define void @scale(ptr %p, i32 %n) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %ctaid = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %ntid = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %nctaid = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
  %base = mul i32 %ctaid, %ntid
  %i = add i32 %base, %tid
  %old = atomicrmw add ptr addrspace(1) @total, i32 %nctaid monotonic
  %slot = getelementptr double, ptr addrspace(3) @pool, i32 %tid
  store double 1.0, ptr addrspace(3) %slot
  %twice = call i32 @twice(i32 %i)
  store i32 %twice, ptr %p
  ret void
}

define i32 @twice(i32 %x) noinline {
  %r = mul i32 %x, 2
  ret i32 %r
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()

!nvvm.annotations = !{!0, !1}
!0 = !{ptr @scale, !"kernel", i32 1}
!1 = !{ptr @scale, !"maxntidx", i32 256, !"minctasm", i32 2}
)";

class ExportTest : public testing::Test {
protected:
  void SetUp() override {
    llvm::SMDiagnostic diagnostic;
    auto device = llvm::parseAssemblyString(deviceCode, diagnostic, llvmContext);
    ASSERT_TRUE(device) << diagnostic.getMessage().str();
    auto result = importDeviceModule(*device, {"scale"}, mlirContext);
    ASSERT_TRUE(static_cast<bool>(result)) << llvm::toString(result.takeError());
    ASSERT_TRUE(result->notRaised().empty());
    imported.emplace(std::move(*result));
    clone = imported->module().clone();
  }

  grain::KernelOp kernel() { return *clone->getOps<grain::KernelOp>().begin(); }

  template <typename Nest> void setFactors(std::array<int32_t, 3> factors) {
    kernel().walk([&](Nest nest) { nest.setFactors(factors); });
  }

  std::unique_ptr<llvm::Module> exported(llvm::StringRef symbol) {
    auto result = exportKernel(kernel(), *imported, symbol, llvmContext);
    EXPECT_TRUE(static_cast<bool>(result)) << llvm::toString(result.takeError());
    return result ? std::move(*result) : nullptr;
  }

  static unsigned countCalls(const llvm::Module &module, llvm::StringRef name) {
    const llvm::Function *function = module.getFunction(name);
    return function ? function->getNumUses() : 0;
  }

  /// Returns the value that follows `key` in the kernel's annotations; -1 if
  /// there is none.
  static int64_t annotation(const llvm::Module &module, llvm::StringRef key) {
    for (const llvm::MDNode *node : module.getNamedMetadata("nvvm.annotations")->operands())
      for (unsigned i = 0; i + 1 < node->getNumOperands(); ++i)
        if (auto *name = llvm::dyn_cast_or_null<llvm::MDString>(node->getOperand(i).get());
            name && name->getString() == key)
          return llvm::mdconst::extract<llvm::ConstantInt>(node->getOperand(i + 1))->getSExtValue();
    return -1;
  }

  llvm::LLVMContext llvmContext;
  mlir::MLIRContext mlirContext;
  std::optional<ImportedModule> imported;
  mlir::OwningOpRef<mlir::ModuleOp> clone;
};

TEST_F(ExportTest, OriginalGrain_KeepsLaunchAndBounds) {
  auto module = exported("scale__same");
  ASSERT_TRUE(module);
  llvm::Function *function = module->getFunction("scale__same");
  ASSERT_TRUE(function);
  EXPECT_EQ(function->arg_size(), 2u);
  EXPECT_EQ(countCalls(*module, "llvm.nvvm.read.ptx.sreg.nctaid.x"), 1u);
  EXPECT_EQ(annotation(*module, "maxntidx"), 256);
  EXPECT_EQ(annotation(*module, "minctasm"), 2);
  EXPECT_FALSE(module->getFunction("scale"));
}

TEST_F(ExportTest, BlockFactors_AppendGridSize) {
  setFactors<grain::BlocksOp>({2, 1, 1});
  kernel().walk([](grain::BlocksOp nest) { nest.setEdges(llvm::ArrayRef{true, false, false}); });
  auto module = exported("scale__block");
  ASSERT_TRUE(module);
  llvm::Function *function = module->getFunction("scale__block");
  ASSERT_EQ(function->arg_size(), 5u);
  EXPECT_TRUE(function->getArg(2)->getType()->isIntegerTy(32));
  EXPECT_FALSE(function->getArg(2)->use_empty()) << "the program's grid size is a parameter";
  EXPECT_EQ(countCalls(*module, "llvm.nvvm.read.ptx.sreg.nctaid.x"), 1u)
      << "the launched grid's alone says which block is at the edge";
  EXPECT_EQ(annotation(*module, "maxntidx"), 256) << "the block keeps its size";
}

TEST_F(ExportTest, BlockFactorsWithoutEdge_DoNotAskForTheLaunchedGrid) {
  setFactors<grain::BlocksOp>({2, 1, 1});
  kernel().walk([](grain::BlocksOp nest) { nest.setEdges(llvm::ArrayRef{false, true, false}); });
  auto module = exported("scale__block");
  ASSERT_TRUE(module);
  EXPECT_EQ(countCalls(*module, "llvm.nvvm.read.ptx.sreg.nctaid.x"), 0u);
}

TEST_F(ExportTest, ThreadFactors_ScaleBlockSizeAndBounds) {
  setFactors<grain::ThreadsOp>({4, 1, 1});
  auto module = exported("scale__thread");
  ASSERT_TRUE(module);
  EXPECT_EQ(annotation(*module, "maxntidx"), 64);
  llvm::Function *size = module->getFunction("llvm.nvvm.read.ptx.sreg.ntid.x");
  ASSERT_TRUE(size && size->hasOneUse());
  auto *call = llvm::cast<llvm::Instruction>(*size->user_begin());
  auto *scaled = llvm::dyn_cast<llvm::BinaryOperator>(*call->user_begin());
  ASSERT_TRUE(scaled && scaled->getOpcode() == llvm::Instruction::Mul);
  EXPECT_EQ(llvm::cast<llvm::ConstantInt>(scaled->getOperand(1))->getZExtValue(), 4u);
}

TEST_F(ExportTest, CopiedDynamicShared_LiesApart) {
  setFactors<grain::BlocksOp>({3, 1, 1});
  kernel().walk([](grain::DynamicSharedOp op) { op.setCopy(2); });
  auto module = exported("scale__copies");
  ASSERT_TRUE(module);
  llvm::Function *function = module->getFunction("scale__copies");
  bool reads = false, divides = false;
  for (llvm::Instruction &instruction : llvm::instructions(function)) {
    if (auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction); call && call->isInlineAsm())
      reads |= llvm::cast<llvm::InlineAsm>(call->getCalledOperand())->getAsmString() ==
               dynamicSharedBytesAssembly;
    if (instruction.getOpcode() == llvm::Instruction::UDiv)
      divides |= llvm::cast<llvm::ConstantInt>(instruction.getOperand(1))->equalsInt(3);
  }
  EXPECT_TRUE(reads);
  EXPECT_TRUE(divides);
}

TEST_F(ExportTest, Reached_OwnedElsewhereOrInternal) {
  auto module = exported("scale__links");
  ASSERT_TRUE(module);
  EXPECT_TRUE(module->getGlobalVariable("total")->isDeclaration());
  EXPECT_TRUE(module->getFunction("twice")->hasInternalLinkage());
}

TEST_F(ExportTest, SeveralThreads_SameCode) {
  constexpr unsigned threads = 8;
  std::vector<std::string> texts(threads);
  std::vector<std::thread> running;
  for (unsigned i = 0; i < threads; ++i)
    running.emplace_back([&, i] {
      mlir::OwningOpRef<mlir::ModuleOp> own = imported->module().clone();
      llvm::LLVMContext context;
      auto module =
          exportKernel(*own->getOps<grain::KernelOp>().begin(), *imported, "scale__many", context);
      if (!module)
        return llvm::consumeError(module.takeError());
      llvm::raw_string_ostream stream(texts[i]);
      (*module)->print(stream, nullptr);
    });
  for (std::thread &thread : running)
    thread.join();
  for (const std::string &text : texts) {
    EXPECT_FALSE(text.empty());
    EXPECT_EQ(text, texts.front());
  }
}

TEST_F(ExportTest, Alternatives_AreAnError) {
  mlir::OpBuilder builder(&mlirContext);
  grain::BlocksOp blocks;
  kernel().walk([&](grain::BlocksOp op) { blocks = op; });
  builder.setInsertionPoint(blocks);
  mlir::OperationState state(blocks.getLoc(), grain::AlternativesOp::getOperationName());
  state.addAttribute("ids", builder.getStrArrayAttr({"original"}));
  state.addRegion()->emplaceBlock();
  mlir::Operation *alternatives = builder.create(state);
  blocks->moveBefore(&alternatives->getRegion(0).front(), alternatives->getRegion(0).front().end());
  builder.setInsertionPointAfter(blocks);
  builder.create<grain::YieldOp>(blocks.getLoc());
  auto result = exportKernel(kernel(), *imported, "scale__several", llvmContext);
  ASSERT_FALSE(static_cast<bool>(result));
  EXPECT_NE(llvm::toString(result.takeError()).find("alternatives"), std::string::npos);
}

} // namespace
