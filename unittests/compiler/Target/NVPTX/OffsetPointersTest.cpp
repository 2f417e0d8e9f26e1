//===- OffsetPointersTest.cpp - Loop pointers with one offset -------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/NVPTX/Addresses/OffsetPointers.h"

#include "unittests/compiler/Target/NVPTX/Rewritten.h"

using namespace regrain::nvptx;

namespace {

/// Returns a loop that sums up what is read at `%q`, which `body` computes from the pointer %p.
std::string loopWith(const std::string &body) {
  return R"(
define float @f(ptr %start, i64 %step, i64 %mine, i64 %other, i32 %n) {
entry:
  br label %loop
loop:
  %p = phi ptr [ %start, %entry ], [ %next, %loop ]
  %i = phi i32 [ 0, %entry ], [ %j, %loop ]
  %s = phi float [ 0.0, %entry ], [ %t, %loop ]
)" + body +
         R"(
  %v = load float, ptr %q
  %t = fadd float %s, %v
  %j = add i32 %i, 1
  %e = icmp ne i32 %j, %n
  br i1 %e, label %loop, label %end
end:
  ret float %t
}
)";
}

/// Returns the function after the pass; nothing if it stays as it is.
std::string offset(const std::string &body) { return rewritten(loopWith(body), offsetPointers); }

const std::string sum = "  %q = getelementptr i8, ptr %p, i64 %mine\n",
                  next = "  %next = getelementptr inbounds i8, ptr %p, i64 %step\n";

TEST(OffsetPointers, OffsetIsAddedInFrontOfTheLoop) {
  std::string text = offset(sum + next);
  EXPECT_TRUE(has(text, "getelementptr i8, ptr %start, i64 %mine")) << text;
  EXPECT_TRUE(has(text, "load float, ptr %p")) << text;
  EXPECT_FALSE(has(text, "inbounds")) << "the sums begin elsewhere: " << text;
}

TEST(OffsetPointers, AllAddressesHaveTheOffset) {
  std::string text = offset("  %r = getelementptr i8, ptr %p, i64 %mine\n"
                            "  store float %s, ptr %r\n" +
                            sum + next);
  EXPECT_TRUE(has(text, "store float %s, ptr %p")) << text;
  EXPECT_TRUE(has(text, "load float, ptr %p")) << text;
}

TEST(OffsetPointers, OtherUsesRefuse) {
  std::string other = "  %r = getelementptr i8, ptr %p, i64 %other\n  store float %s, ptr %r\n";
  EXPECT_EQ(offset(other + sum + next), "") << "two offsets";
  EXPECT_EQ(offset("  store float %s, ptr %p\n" + sum + next), "") << "the pointer itself";
  EXPECT_EQ(offset(sum + next + "  store ptr %next, ptr %start\n"), "") << "the next pointer";
}

TEST(OffsetPointers, WhatChangesInTheLoopRefuses) {
  std::string changes = "  %w = sext i32 %i to i64\n";
  EXPECT_EQ(offset(changes + "  %q = getelementptr i8, ptr %p, i64 %w\n" + next), "");
  EXPECT_EQ(offset(changes + sum + "  %next = getelementptr i8, ptr %p, i64 %w\n"), "");
}

TEST(OffsetPointers, ConstantsStayOffsetsOfAccesses) {
  EXPECT_EQ(offset("  %q = getelementptr i8, ptr %p, i64 8\n" + next), "");
}

} // namespace
