//===- ExposeVariablesTests.cpp - Variables that alternatives reach -------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Pipelines/ExposeVariables.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/SourceMgr.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace regrain;

namespace {

class ExposeVariables : public testing::Test {
protected:
  void SetUp() override {
    SMDiagnostic diagnostic;
    code.module =
        parseAssemblyString(R"(
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
@visible = addrspace(1) global i32 1
@hidden.one = internal addrspace(1) global [3 x i32] zeroinitializer, align 16
@table.two = internal constant [2 x i64] zeroinitializer
@known = addrspace(4) externally_initialized global i64 0
@shared.three = internal addrspace(3) global [4 x i32] undef
@elsewhere = external addrspace(1) global i32
@llvm.used = appending global [1 x ptr] [ptr addrspacecast (ptr addrspace(1) @visible to ptr)], section "llvm.metadata"
)",
                            diagnostic, *(code.context = std::make_unique<LLVMContext>()));
    ASSERT_TRUE(code.module) << diagnostic.getMessage().str();
    DeviceVariable known;
    known.symbol = "known";
    known.size = 8;
    code.variables = {known};
    variables = exposeVariables(code);
  }

  std::vector<std::string> names() const {
    std::vector<std::string> found;
    for (const DeviceVariable &variable : variables)
      found.push_back(variable.symbol);
    return found;
  }

  DeviceCode code;
  std::vector<DeviceVariable> variables;
};

TEST_F(ExposeVariables, ThoseThatCanBeWrittenAreExposedOnce) {
  EXPECT_EQ(names(), (std::vector<std::string>{"known", "visible", "hidden_one"}));
  EXPECT_EQ(variables[2].size, 12u);
  EXPECT_EQ(variables[2].align, 16u);
  EXPECT_EQ(variables[2].kind, DeviceVariable::Device);
  const GlobalVariable *hidden = code.module->getNamedGlobal("hidden_one");
  ASSERT_TRUE(hidden);
  EXPECT_TRUE(hidden->hasExternalLinkage());
}

TEST_F(ExposeVariables, ReadOnlyDataStaysInternalUnderALegalName) {
  const GlobalVariable *table = code.module->getNamedGlobal("table_two");
  ASSERT_TRUE(table);
  EXPECT_TRUE(table->hasInternalLinkage());
}

TEST_F(ExposeVariables, SharedMemoryIsLeftAlone) {
  const GlobalVariable *shared = code.module->getNamedGlobal("shared.three");
  ASSERT_TRUE(shared);
  EXPECT_TRUE(shared->hasInternalLinkage());
}

TEST_F(ExposeVariables, ConstantsAreExposedOnRequest) {
  exposeConstants(code, {"table_two", "no_such", "known"}, variables);
  EXPECT_EQ(names(), (std::vector<std::string>{"known", "visible", "hidden_one", "table_two"}));
  EXPECT_TRUE(code.module->getNamedGlobal("table_two")->hasExternalLinkage());
  EXPECT_EQ(variables[3].size, 16u);
}

} // namespace
