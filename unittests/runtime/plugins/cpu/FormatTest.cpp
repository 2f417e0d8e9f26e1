//===- plugins/cpu/FormatTest.cpp - printf from a packed buffer -----------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/plugins/cpu/format.h"

#include <gtest/gtest.h>

using regrain::cpu::formatPacked;

namespace {

template <typename Packed> std::string format(const char *text, const Packed &packed) {
  std::string out;
  formatPacked(text, &packed, out);
  return out;
}

TEST(Format, Plain) { EXPECT_EQ(format("100%% plain\n", 0), "100% plain\n"); }

TEST(Format, Alignment_IsThatOfEachArgument) {
  struct {
    int a;
    long long b;
    int c;
    double d;
    const char *e;
    int f;
  } packed = {-1, 1ll << 40, 'z', 2.5, "text", 255};
  EXPECT_EQ(format("%d %lld %c %g %s %#x", packed), "-1 1099511627776 z 2.5 text 0xff");
}

TEST(Format, WidthAndPrecisionFromArguments) {
  struct {
    int width, precision;
    double value;
  } packed = {8, 3, 3.14159};
  EXPECT_EQ(format("[%*.*f]", packed), "[   3.142]");
}

TEST(Format, LengthModifiers) {
  struct {
    size_t a;
    unsigned long b;
    int c, d;
  } packed = {~size_t(0), 7, 300, -3};
  EXPECT_EQ(format("%zu %lu %hd %hhd", packed), "18446744073709551615 7 300 -3");
}

TEST(Format, NullText) { EXPECT_EQ(format("%s", static_cast<const char *>(nullptr)), "(null)"); }

TEST(Format, LongText) {
  std::string text(10000, 'a');
  EXPECT_EQ(format("%s", text.c_str()), text);
}

TEST(Format, UnknownAndUnfinishedConversions_StandAsTheyAre) {
  EXPECT_EQ(format("%y %-5", 0), "%y %-5");
}

TEST(Format, CountsArguments) {
  int packed[2] = {1, 2};
  std::string out;
  EXPECT_EQ(formatPacked("%d%d", packed, out), 2);
  EXPECT_EQ(formatPacked("none", nullptr, out), 0);
}

} // namespace
