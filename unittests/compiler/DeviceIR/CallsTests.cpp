//===- CallsTests.cpp - Which functions call which ------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/DeviceIR/Calls.h"

#include "unittests/compiler/DeviceIR/Parse.h"

using namespace regrain;

namespace {

class CallsOfModule : public testing::Test {
protected:
  test::Parsed parsed{R"(
@table = global [1 x ptr] [ptr @taken]
declare void @elsewhere()
define void @kernel() {
  call void @second()
  call void @first()
  call void asm sideeffect "membar.gl;", ""()
  ret void
}
define void @first() {
  call void @elsewhere()
  ret void
}
define void @second() {
  call void @again()
  ret void
}
define void @again() {
  call void @second()
  ret void
}
define void @taken() {
  call void @first()
  ret void
}
define void @indirect(ptr %f) {
  call void %f()
  ret void
}
)"};

  std::vector<std::string> calledFrom(const char *name) {
    std::vector<std::string> names;
    for (const llvm::Function *called : Calls(*parsed.module).calledFrom(parsed.function(name)))
      names.push_back(called->getName().str());
    return names;
  }
  using Names = std::vector<std::string>;
};

TEST_F(CallsOfModule, AreFoundBreadthFirst) {
  EXPECT_EQ(calledFrom("kernel"), (Names{"second", "first", "again"}));
}

TEST_F(CallsOfModule, DeclarationsDoNotCount) { EXPECT_EQ(calledFrom("first"), Names()); }

TEST_F(CallsOfModule, RecursiveFunctionIsCalledFromItself) {
  EXPECT_EQ(calledFrom("second"), (Names{"again", "second"}));
}

TEST_F(CallsOfModule, PointersReachEachFunctionWhoseAddressIsTaken) {
  EXPECT_EQ(calledFrom("indirect"), (Names{"taken", "first"}));
}

TEST_F(CallsOfModule, DirectCalleesAreNotFollowed) {
  Calls calls(*parsed.module);
  EXPECT_EQ(calls.calleesOf(parsed.function("kernel")).size(), 2u);
}

} // namespace
