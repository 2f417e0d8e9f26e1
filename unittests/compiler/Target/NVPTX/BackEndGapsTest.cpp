//===- BackEndGapsTest.cpp - What LLVM's NVPTX target gets wrong ----------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/NVPTX/BackEnd/BackEndGaps.h"

#include "compiler/Target/NVPTX/CodeGenerator.h"
#include "unittests/compiler/Target/NVPTX/Rewritten.h"

using namespace regrain::nvptx;

/// Returns the IR of which instructions are selected, for a function that extends `%s` where the
/// number that it has loaded is 0 or 1.
static std::string selectedFor(const std::string &body) {
  regrain::test::Parsed parsed((R"(
target triple = "nvptx64-nvidia-cuda"
define void @f(ptr addrspace(1) %p, ptr addrspace(1) %q) {
  %v = load i32, ptr addrspace(1) %p
  %c = icmp ugt i32 %v, 1
  br i1 %c, label %end, label %small
small:
)" + body + R"(
  %a = getelementptr i32, ptr addrspace(1) %q, i64 %w
  store i32 1, ptr addrspace(1) %a
  br label %end
end:
  %n = ashr i32 %v, 31
  store i32 %n, ptr addrspace(1) %q
  ret void
}
)")
                                   .c_str());
  auto machine = createMachine({.chip = "sm_80"});
  parsed.module->setDataLayout(machine->createDataLayout());
  llvm::cantFail(emitPtx(*parsed.module, *machine, LoopAddresses::Reduced));
  std::string text;
  llvm::raw_string_ostream(text) << *parsed.module;
  return text;
}

TEST(BackEndGaps, AnExtensionThatMovesToItsLoadTakesAnySign) {
  std::string text = selectedFor("  %w = zext nneg i32 %v to i64\n");
  EXPECT_LT(text.find("%w = zext i32 %v to i64"), text.find("br i1")) << text;
}

TEST(BackEndGaps, AnExtensionOfASumThatMovesToItsLoadTakesAnySign) {
  std::string text = selectedFor("  %s = add nuw i32 %v, 7\n  %w = zext nneg i32 %s to i64\n");
  EXPECT_TRUE(has(text, "zext i32 %v to i64")) << text;
  EXPECT_FALSE(has(text, "nneg")) << text;
}

TEST(BackEndGaps, AnExtensionThatStaysKeepsItsSign) {
  std::string text = selectedFor("  %s = lshr i32 %v, 3\n  %w = zext nneg i32 %s to i64\n");
  EXPECT_TRUE(has(text, "%w = zext nneg i32 %s to i64")) << text;
}
