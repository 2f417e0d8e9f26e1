//===- ReferencesTests.cpp - What functions and variables refer to --------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/DeviceIR/References.h"

#include "unittests/compiler/DeviceIR/Parse.h"
#include "llvm/IR/InstrTypes.h"

using namespace regrain;

namespace {

class ReferencesOfKernel : public testing::Test {
protected:
  test::Parsed parsed{R"(
@table = addrspace(4) constant [2 x ptr] [ptr @inTable, ptr addrspacecast (ptr addrspace(1) @data to ptr)]
@data = addrspace(1) global i32 0
@other = alias void (), ptr @aliased
@elsewhere = external addrspace(1) global i32
define void @kernel(ptr %f) {
  %p = load ptr, ptr addrspace(4) getelementptr ([2 x ptr], ptr addrspace(4) @table, i64 0, i64 1)
  call void @called()
  call void %f()
  ret void
}
define void @called() {
  call void @other()
  ret void
}
define void @inTable() {
  ret void
}
define void @aliased() {
  store i32 0, ptr addrspace(1) @elsewhere
  ret void
}
define void @onlyTaken() {
  ret void
}
define ptr @takes() {
  ret ptr @onlyTaken
}
)"};

  using Names = std::vector<std::string>;
  static Names namesOf(const References &references) {
    Names names;
    for (const auto &[value, by] : references)
      names.push_back(value->getName().str());
    return names;
  }
};

TEST_F(ReferencesOfKernel, GoThroughBodiesInitialisersAndAliases) {
  EXPECT_EQ(
      namesOf(findReferences(&parsed.function("kernel"))),
      (Names{"kernel", "table", "called", "inTable", "data", "other", "aliased", "elsewhere"}));
  EXPECT_EQ(reachableFrom(parsed.function("kernel")).size(), 8u);
}

TEST_F(ReferencesOfKernel, FunctionsAloneCanBeAskedFor) {
  auto functions = functionsReachedFrom(&parsed.function("kernel"));
  EXPECT_EQ(functions.size(), 4u);
  EXPECT_TRUE(functions.contains(&parsed.function("inTable")));
  EXPECT_FALSE(functions.contains(&parsed.function("onlyTaken")));
}

TEST_F(ReferencesOfKernel, EachHasTheInstructionThatLeadsToIt) {
  References references = findReferences(&parsed.function("kernel"));
  llvm::Function &kernel = parsed.function("kernel"), &called = parsed.function("called");
  auto load = kernel.getEntryBlock().begin(), call = std::next(load);
  EXPECT_EQ(references.lookup(&kernel), nullptr);
  EXPECT_EQ(references.lookup(&called), &*call);
  EXPECT_EQ(references.lookup(&parsed.function("inTable")), &*load);
  EXPECT_EQ(references.lookup(&parsed.function("aliased")), &called.getEntryBlock().front());
}

TEST_F(ReferencesOfKernel, CallsThroughPointersAreFollowedOnRequest) {
  References references = findReferences(&parsed.function("kernel"), PointerCalls::Followed);
  EXPECT_EQ(references.size(), 9u);
  const llvm::Instruction *by = references.lookup(&parsed.function("onlyTaken"));
  ASSERT_TRUE(by);
  EXPECT_TRUE(llvm::cast<llvm::CallBase>(by)->isIndirectCall());
}

} // namespace
