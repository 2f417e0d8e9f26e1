//===- ShownConstantsTests.cpp - Constants known by address ---------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Import/ShownConstants.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/Support/SourceMgr.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace regrain;

namespace {

/// Returns whether `body` reveals the address of @table, a constant of two
/// numbers.
bool isShown(const std::string &body) {
  const std::string declarations = R"(
    @table = internal constant [2 x i32] [i32 1, i32 2]
    @other = internal constant [2 x i32] [i32 3, i32 4]
    declare void @keeps(ptr)
    declare void @reads(ptr nocapture)
    declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
    define void @kernel(ptr %p, i64 %i, i1 %c) {
      %element = getelementptr [2 x i32], ptr @table, i64 0, i64 %i
  )";
  LLVMContext context;
  SMDiagnostic diagnostic;
  std::unique_ptr<Module> module =
      parseAssemblyString(declarations + body + "\n ret void }", diagnostic, context);
  EXPECT_TRUE(module) << diagnostic.getMessage().str();
  return module && findShownConstants(*module).contains(module->getNamedGlobal("table"));
}

TEST(ShownConstants, ReadsShowNothing) {
  EXPECT_FALSE(isShown("%x = load i32, ptr %element"));
  EXPECT_FALSE(isShown("%one = select i1 %c, ptr %element, ptr @other  %x = load i32, ptr %one"));
  EXPECT_FALSE(isShown("call void @llvm.memcpy.p0.p0.i64(ptr %p, ptr @table, i64 8, i1 false)"));
  EXPECT_FALSE(isShown("call void @reads(ptr %element)"));
}

TEST(ShownConstants, EndsOfLoopsShowNothing) {
  EXPECT_FALSE(isShown("%end = icmp eq ptr %element, getelementptr (i8, ptr @table, i64 8)"));
  EXPECT_FALSE(isShown("%none = icmp eq ptr %element, null"));
}

TEST(ShownConstants, ComparisonsShow) {
  EXPECT_TRUE(isShown("%same = icmp eq ptr %p, @table"));
  EXPECT_TRUE(isShown("%same = icmp eq ptr %element, %p"));
  EXPECT_TRUE(isShown("%one = select i1 %c, ptr @table, ptr @other\n"
                      "%same = icmp eq ptr %one, @other"));
}

TEST(ShownConstants, WhatIsKeptShows) {
  EXPECT_TRUE(isShown("store ptr %element, ptr %p"));
  EXPECT_TRUE(isShown("call void @keeps(ptr @table)"));
  EXPECT_TRUE(isShown("%number = ptrtoint ptr @table to i64"));
  EXPECT_TRUE(isShown("store i64 ptrtoint (ptr @table to i64), ptr %p"));
}

TEST(ShownConstants, LiteralsHaveAnAddressWhereAVariableHoldsIt) {
  LLVMContext context;
  SMDiagnostic diagnostic;
  std::unique_ptr<Module> module = parseAssemblyString(R"(
    @held = private unnamed_addr constant [2 x i8] c"a\00"
    @free = private unnamed_addr constant [2 x i8] c"b\00"
    @names = internal constant [1 x ptr] [ptr @held]
    define void @kernel(ptr %p, ptr %q) {
      store ptr @free, ptr %p
      store ptr @held, ptr %q
      ret void
    })",
                                                       diagnostic, context);
  ASSERT_TRUE(module) << diagnostic.getMessage().str();
  keepHeldAddresses(*module);
  SetVector<const GlobalVariable *> shown = findShownConstants(*module);
  EXPECT_TRUE(shown.contains(module->getNamedGlobal("held")));
  EXPECT_FALSE(shown.contains(module->getNamedGlobal("free")));
  EXPECT_FALSE(shown.contains(module->getNamedGlobal("names")));
}

} // namespace
