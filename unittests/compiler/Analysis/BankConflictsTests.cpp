//===- BankConflictsTests.cpp - Lanes that access one bank ----------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Analysis/BankConflicts.h"

#include "unittests/compiler/Analysis/ParsedKernel.h"
#include "llvm/ADT/STLFunctionalExtras.h"

using namespace regrain;

namespace {

unsigned waysOf(int64_t bytes, llvm::function_ref<int64_t(int64_t)> offsetOf) {
  std::vector<int64_t> offsets;
  for (int64_t lane = 0; lane < 32; ++lane)
    offsets.push_back(offsetOf(lane));
  return bankWays(offsets, bytes);
}

unsigned waysOfStride(int64_t bytes, int64_t stride) {
  return waysOf(bytes, [&](int64_t lane) { return lane * stride; });
}

TEST(BankConflicts, ARowOfWordsLiesInDifferentBanks) {
  EXPECT_EQ(waysOfStride(4, 4), 1u);
  EXPECT_EQ(waysOfStride(4, 33 * 4), 1u);
  EXPECT_EQ(waysOfStride(4, -4), 1u);
}

TEST(BankConflicts, TheStrideDecidesHowManyLanesWait) {
  EXPECT_EQ(waysOfStride(4, 2 * 4), 2u);
  EXPECT_EQ(waysOfStride(4, 4 * 4), 4u);
  EXPECT_EQ(waysOfStride(4, 8 * 4), 8u);
  EXPECT_EQ(waysOfStride(4, 32 * 4), 32u);
  EXPECT_EQ(waysOfStride(4, 48 * 4), 16u);
  EXPECT_EQ(waysOfStride(4, -32 * 4), 32u);
}

TEST(BankConflicts, LanesThatAccessOneWordDoNotWait) {
  EXPECT_EQ(waysOfStride(4, 0), 1u);
  EXPECT_EQ(waysOf(4, [](int64_t lane) { return lane / 2 * 4; }), 1u);
  EXPECT_EQ(waysOf(4, [](int64_t lane) { return lane % 2 * 128; }), 2u);
}

TEST(BankConflicts, BytesOfOneWordDoNotConflict) {
  EXPECT_EQ(waysOfStride(1, 1), 1u);
  EXPECT_EQ(waysOfStride(2, 2), 1u);
  EXPECT_EQ(waysOfStride(1, 32), 8u);
  EXPECT_EQ(waysOfStride(1, 33), 1u);
  EXPECT_EQ(waysOfStride(2, 64), 16u);
}

TEST(BankConflicts, WideAccessesAreMadeByAPartOfTheWarp) {
  EXPECT_EQ(waysOfStride(8, 8), 1u);
  EXPECT_EQ(waysOfStride(8, 16), 2u);
  EXPECT_EQ(waysOfStride(8, 32 * 8), 16u);
  EXPECT_EQ(waysOfStride(8, 33 * 8), 1u);
  EXPECT_EQ(waysOfStride(16, 16), 1u);
  EXPECT_EQ(waysOfStride(16, 128), 8u);
  EXPECT_EQ(waysOfStride(16, 144), 1u);
}

TEST(BankConflicts, PaddingFollowsEachRow) {
  RowPadding padding{128, 4};
  EXPECT_EQ(padding.placeOf(0), 0);
  EXPECT_EQ(padding.placeOf(127), 127);
  EXPECT_EQ(padding.placeOf(128), 132);
  EXPECT_EQ(padding.placeOf(31 * 128), 31 * 132);
  EXPECT_EQ(padding.sizeOf(4096), 31 * 132 + 128);
  EXPECT_EQ(padding.sizeOf(128), 128);
  EXPECT_EQ(padding.sizeOf(129), 133);
  EXPECT_EQ(RowPadding().placeOf(4095), 4095);
}

/// A kernel with one shared array of `type` that it loads at `index`, a value of i32, through a GEP
/// over bytes.
class OneArray {
public:
  OneArray(const std::string &type, const std::string &loaded, const std::string &index,
           const std::string &block = "")
      : parsed("grain.kernel @kernel(%n: i32) {\n  grain.blocks (%bx, %by, %bz) " + block +
                   "{\n    %s = grain.shared \"s\" : " + type +
                   " align 16\n    grain.threads (%tx, %ty, %tz) {\n" + index +
                   "%a = llvm.getelementptr %s[%i] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8\n"
                   "%v = llvm.load %a : !llvm.ptr<3> -> " +
                   loaded + "\n    }\n  }\n  grain.return\n}\n",
               context.context),
        accesses(bankAccessesOf(parsed.kernel())) {}

  /// Returns the ways of the load; 0 if its lanes are not known.
  unsigned ways() const { return accesses.empty() ? 0 : accesses.front().ways(); }

  grain::SharedOp shared() const { return accesses.front().array; }

  RowPadding padding(int64_t granule, int64_t most = 48 * 1024) {
    return findPadding(accesses.front().array, accesses, granule, most).value_or(RowPadding());
  }

private:
  GrainContext context;
  ParsedKernel parsed;
  std::vector<BankAccess> accesses;
};

constexpr const char *column = "%c = arith.constant 128 : i32\n%r = arith.muli %tx, %c : i32\n"
                               "%y = arith.muli %ty, %n : i32\n%i = arith.addi %r, %y : i32\n";

TEST(BankConflicts, AnUnknownNumberThatIsTheSameInAllLanesDoesNotMatter) {
  OneArray array("!llvm.array<4096 x i8>", "f32", column);
  EXPECT_EQ(array.ways(), 32u);
  EXPECT_EQ(array.padding(4), (RowPadding{128, 4}));
  EXPECT_EQ(array.padding(1), (RowPadding{128, 4}));
  EXPECT_EQ(array.padding(16), (RowPadding{128, 16}));
  EXPECT_EQ(array.padding(4, 4096), RowPadding());
}

TEST(BankConflicts, AnUnknownFactorOfTheThreadIsNotKnown) {
  EXPECT_EQ(OneArray("!llvm.array<4096 x i8>", "f32", "%i = arith.muli %tx, %n : i32\n").ways(),
            0u);
}

TEST(BankConflicts, ThreadsOfAKnownBlockFillAWarpRowByRow) {
  const char *square = "%c = arith.constant 128 : i32\n%d = arith.constant 4 : i32\n"
                       "%r = arith.muli %ty, %c : i32\n%e = arith.muli %tx, %d : i32\n"
                       "%i = arith.addi %r, %e : i32\n";
  EXPECT_EQ(OneArray("!llvm.array<4096 x i8>", "f32", square).ways(), 1u);
  EXPECT_EQ(OneArray("!llvm.array<4096 x i8>", "f32", square,
                     "attributes {known_block = array<i32: 16, 16, 1>} ")
                .ways(),
            2u);
  EXPECT_EQ(OneArray("!llvm.array<4096 x i8>", "f32", square,
                     "attributes {known_block = array<i32: 4, 2, 1>} ")
                .ways(),
            2u);
}

TEST(BankConflicts, RemaindersAndShiftsAreEvaluated) {
  // The lanes of a half warp take the rows of a column: index = tx % 16 * 128 + tx / 16 * 4.
  const char *halves = "%c4 = arith.constant 4 : i32\n%c15 = arith.constant 15 : i32\n"
                       "%c7 = arith.constant 7 : i32\n%c2 = arith.constant 2 : i32\n"
                       "%m = arith.andi %tx, %c15 : i32\n%r = arith.shli %m, %c7 : i32\n"
                       "%h = arith.shrui %tx, %c4 : i32\n%e = arith.shli %h, %c2 : i32\n"
                       "%i = arith.addi %r, %e : i32\n";
  EXPECT_EQ(OneArray("!llvm.array<4096 x i8>", "f32", halves).ways(), 16u);
}

TEST(BankConflicts, PaddingIsChosenOnlyIfLanesWaitLess) {
  // The lanes access words 0, 1, 2, 4, 8 and 16 of the first row, and word 0 of the second: the
  // padding would have to be of another length than a power of two of words.
  OneArray array("!llvm.array<256 x i8>", "f32", column);
  BankAccess access{nullptr, array.shared(), 4, {0, 4, 8, 16, 32, 64, 128}};
  EXPECT_EQ(access.ways(), 2u);
  for (int64_t pad = 4; pad <= 64; pad *= 2)
    EXPECT_EQ(access.ways({128, pad}), 2u) << pad;
  EXPECT_FALSE(findPadding(array.shared(), access, 4, 48 * 1024));
}

} // namespace
