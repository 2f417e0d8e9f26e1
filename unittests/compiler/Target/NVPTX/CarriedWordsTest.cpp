//===- CarriedWordsTest.cpp - Words of two halves in loops ----------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/NVPTX/Memory/CarriedWords.h"

#include "unittests/compiler/Target/NVPTX/Rewritten.h"

using namespace regrain::nvptx;

namespace {

/// A switch with several ways to one block is several entries of a merge, which are one value.
TEST(CarriedWords, TakeOneHalfForAllWaysOfASwitch) {
  std::string text = afterPass(CarryWords(), R"(
define i16 @f(i32 %n, i32 %s) {
entry:
  br label %loop
loop:
  %low = phi i16 [ 0, %entry ], [ %l, %loop ]
  %high = phi i16 [ 0, %entry ], [ %h, %loop ]
  %i = phi i32 [ 0, %entry ], [ %j, %loop ]
  %wideLow = zext i16 %low to i32
  %wideHigh = zext i16 %high to i32
  %shifted = shl nuw i32 %wideHigh, 16
  %w = or disjoint i32 %shifted, %wideLow
  %r = call i32 asm "add.f16x2 $0, $1, $1;", "=r,r"(i32 %w)
  %l = trunc i32 %r to i16
  %above = lshr i32 %r, 16
  %h = trunc nuw i32 %above to i16
  %j = add i32 %i, 1
  %e = icmp ult i32 %j, %n
  br i1 %e, label %loop, label %exit
exit:
  switch i32 %s, label %other [ i32 1, label %end
                                i32 2, label %end ]
other:
  br label %end
end:
  %merged = phi i16 [ %high, %exit ], [ %high, %exit ], [ 7, %other ]
  ret i16 %merged
}
)");
  EXPECT_TRUE(has(text, "%word = phi i32")) << text;
  EXPECT_FALSE(has(text, "%high = phi i16")) << text;
}

} // namespace
