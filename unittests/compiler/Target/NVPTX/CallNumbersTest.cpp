//===- CallNumbersTest.cpp - Numbers of calls in PTX ----------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/NVPTX/PtxText/CallNumbers.h"

#include "compiler/Target/NVPTX/CodeGenerator.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/Support/SourceMgr.h"
#include "gtest/gtest.h"

using namespace regrain::nvptx;

TEST(CallNumbers, CountFromZeroInTheOrderOfTheText) {
  EXPECT_EQ(
      renumberCalls("{ // callseq 41, 0\n} // callseq 41\n{ // callseq 7, 0\n} // callseq 7\n"),
      "{ // callseq 0, 0\n} // callseq 0\n{ // callseq 1, 0\n} // callseq 1\n");
}

TEST(CallNumbers, APrototypeHasTheNumberOfItsCall) {
  EXPECT_EQ(renumberCalls("// callseq 9, 0\n// callseq 12, 0\n"
                          "prototype_12 : .callprototype (.param .b32 _) _ ();\n"
                          "call (r), %rd1, (), prototype_12;\n"),
            "// callseq 0, 0\n// callseq 1, 0\n"
            "prototype_1 : .callprototype (.param .b32 _) _ ();\n"
            "call (r), %rd1, (), prototype_1;\n");
}

TEST(CallNumbers, FunctionsOfTheProgramKeepTheirNames) {
  const char *text = ".func prototype_4()\n{ // callseq 0, 0\ncall prototype_4, ();\n"
                     ".func prototype_\n.func my_prototype_0\n.func prototype_0x\n";
  EXPECT_EQ(renumberCalls(text), text);
}

/// Returns the PTX of a module with a call through a pointer, from a context of its own.
static std::string compile() {
  llvm::LLVMContext context;
  llvm::SMDiagnostic error;
  auto module = llvm::parseAssemblyString("target triple = \"nvptx64-nvidia-cuda\"\n"
                                          "define void @f(ptr %g) {\n"
                                          "  call void %g()\n  ret void\n}\n",
                                          error, context);
  EXPECT_TRUE(module) << error.getMessage().str();
  auto machine = createMachine(MachineSettings());
  module->setDataLayout(machine->createDataLayout());
  auto ptx = emitPtx(*module, *machine, LoopAddresses::Reduced);
  EXPECT_TRUE(bool(ptx));
  return std::string(ptx->begin(), ptx->end());
}

TEST(CallNumbers, AreTheSameHoweverManyModulesWereCompiledBefore) {
  std::string first = compile();
  EXPECT_NE(first.find("prototype_0 : .callprototype"), std::string::npos) << first;
  EXPECT_EQ(first, compile());
}
