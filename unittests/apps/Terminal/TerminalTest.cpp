//===- TerminalTest.cpp - Tables and progress lines -----------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "apps/Terminal/ProgressLine.h"
#include "apps/Terminal/Table.h"

#include <gtest/gtest.h>
#include <sstream>

namespace regrain::terminal {
namespace {

TEST(Table, FiguresAreAlignedToTheRight) {
  std::ostringstream out;
  writeTable({{"name"}, {"us", true}, {"note"}}, {{"a", "100", "x"}, {"longer", "5", ""}}, out);
  EXPECT_EQ(out.str(), "  name     us  note\n"
                       "  a       100  x\n"
                       "  longer    5\n");
}

TEST(Table, WidthsAreOfCharacters) {
  EXPECT_EQ(tableLines({{"k"}, {"l"}}, {{"\xc3\xa4", "1"}, {"b", "2"}}),
            (std::vector<std::string>{"k  l", "\xc3\xa4  1", "b  2"}));
}

TEST(ProgressLine, IsDrawnOverItselfAndNotTooOften) {
  ProgressLine line;
  EXPECT_EQ(line.erase(), "") << "nothing stands there";
  EXPECT_EQ(line.update("first", 5), "\r\033[Kfirst");
  EXPECT_EQ(line.update("next", 5.05), "") << "too early";
  EXPECT_EQ(line.update("first", 5.5), "") << "it stands there";
  EXPECT_EQ(line.update("next", 5.5), "\r\033[Knext");
  EXPECT_EQ(line.erase(), "\r\033[K");
  EXPECT_EQ(line.erase(), "");
  EXPECT_EQ(line.update("next", 6), "\r\033[Knext");
}

TEST(Cut, FitsTheWidth) {
  EXPECT_EQ(cut("abcdef", 6), "abcdef");
  EXPECT_EQ(cut("abcdef", 5), "abc..");
  EXPECT_EQ(cut("abcdef", 2), "");
}

} // namespace
} // namespace regrain::terminal
