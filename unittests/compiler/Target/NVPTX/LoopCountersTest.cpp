//===- LoopCountersTest.cpp - What counts the iterations of a loop --------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/NVPTX/Loops/LoopCounters.h"

#include "unittests/compiler/Target/NVPTX/Rewritten.h"

using namespace llvm;
using namespace regrain::nvptx;

namespace {

struct Parsed : regrain::test::Parsed {
  explicit Parsed(const std::string &text) : regrain::test::Parsed(text.c_str()) {}
  Function &function() { return *module->getFunction("f"); }
  std::string text() {
    EXPECT_FALSE(verifyModule(*module, &errs()));
    std::string printed;
    raw_string_ostream(printed) << function();
    return printed;
  }
};

/// A loop of one block with the counter %c, which ends by `end`, and behind which `behind` is run.
std::string loopWith(const std::string &body, const std::string &end, const std::string &behind) {
  return R"(
define void @f(ptr %p, i32 %n, i32 %m) {
entry:
  br label %loop
loop:
  %c = phi i32 [ 0, %entry ], [ %d, %loop ]
)" + body +
         end + R"(
  br i1 %e, label %loop, label %end
end:
)" + behind +
         "\n  ret void\n}\n";
}

const std::string counts = "  %d = add nuw i32 %c, 4\n", wraps = "  %d = add i32 %c, 4\n",
                  atLimit = "  %e = icmp ne i32 %d, %n\n",
                  wide = "  %i = phi i64 [ 0, %entry ], [ %j, %loop ]\n",
                  wideNext = "  %j = add i64 %i, 4\n", stores = "  store volatile i64 %j, ptr %p",
                  extended = "store volatile i64 %0, ptr %p";

TEST(UseLimits, AnotherCounterIsTheLimitBehindTheLoop) {
  std::string after = afterPass(UseLimits(), loopWith(wide + counts + wideNext, atLimit, stores));
  EXPECT_TRUE(has(after, "%0 = zext i32 %n to i64")) << after;
  EXPECT_TRUE(has(after, extended)) << after;
  std::string narrow =
      afterPass(UseLimits(), loopWith("  %i = phi i16 [ 0, %entry ], [ %j, %loop ]\n" + wraps +
                                          "  %j = add i16 %i, 4\n",
                                      atLimit, "  store volatile i16 %j, ptr %p"));
  EXPECT_TRUE(has(narrow, "%0 = trunc i32 %n to i16")) << narrow;
}

TEST(UseLimits, CountersThatMayWrapAreNotWidened) {
  EXPECT_FALSE(
      has(afterPass(UseLimits(), loopWith(wide + wraps + wideNext, atLimit, stores)), "zext"));
}

TEST(UseLimits, OtherStepsStartsAndEndsStay) {
  for (const std::string &text : {
           loopWith(wide + counts + "  %j = add i64 %i, 8\n", atLimit, stores),
           loopWith("  %i = phi i64 [ 4, %entry ], [ %j, %loop ]\n" + counts + wideNext, atLimit,
                    stores),
           loopWith(wide + counts + wideNext, "  %e = icmp ult i32 %d, %n\n", stores),
           loopWith(wide + counts + wideNext, "  %e = icmp ne i32 %c, %n\n", stores),
           loopWith(wide + counts + wideNext, "  %e = icmp eq i32 %d, %n\n", stores),
       })
    EXPECT_TRUE(has(afterPass(UseLimits(), text), stores)) << text;
}

TEST(UseLimits, LoopsWithTwoEndsStay) {
  std::string after = afterPass(UseLimits(), R"(
define void @f(ptr %p, i32 %n, i1 %other) {
entry:
  br label %loop
loop:
  %c = phi i32 [ 0, %entry ], [ %d, %latch ]
  %d = add nuw i32 %c, 4
  br i1 %other, label %latch, label %end
latch:
  %e = icmp ne i32 %d, %n
  br i1 %e, label %loop, label %end
end:
  store volatile i32 %d, ptr %p
  ret void
})");
  EXPECT_TRUE(has(after, "store volatile i32 %d, ptr %p")) << after;
}

std::string afterCountDown(const std::string &text, bool isChanged) {
  Parsed parsed(text);
  EXPECT_EQ(countDown(parsed.function()), isChanged) << text;
  return parsed.text();
}

TEST(CountDown, CountersThatOnlyEndTheLoopGoToZero) {
  for (const std::string &text :
       {loopWith(counts, atLimit, ""), loopWith(wraps, "  %e = icmp ne i32 %n, %d\n", "")}) {
    std::string after = afterCountDown(text, true);
    EXPECT_TRUE(has(after, "phi i32 [ %n, %entry ], [ %d, %loop ]")) << after;
    EXPECT_TRUE(has(after, "%d = add i32 %c, -4")) << after;
    EXPECT_TRUE(has(after, "icmp ne i32 %d, 0") || has(after, "icmp ne i32 0, %d")) << after;
  }
}

TEST(CountDown, CountersAndLimitsWithOtherUsesStay) {
  const std::string use = "  store volatile i32 ", at = ", ptr %p\n";
  afterCountDown(loopWith(use + "%c" + at + counts, atLimit, ""), false);
  afterCountDown(loopWith(counts + use + "%d" + at, atLimit, ""), false);
  afterCountDown(loopWith(counts, atLimit, use + "%d" + at), false);
  afterCountDown(loopWith(counts + use + "%n" + at, atLimit, ""), false);
  afterCountDown(loopWith(counts, atLimit, use + "%n" + at), true);
}

TEST(CountDown, OtherEndsStay) {
  afterCountDown(loopWith(counts, "  %e = icmp ult i32 %d, %n\n", ""), false);
  afterCountDown(loopWith(counts, "  %e = icmp ne i32 %d, 64\n", ""), false);
  afterCountDown(
      loopWith(counts + "  %v = load volatile i32, ptr %p\n", "  %e = icmp ne i32 %d, %v\n", ""),
      false);
}

} // namespace
