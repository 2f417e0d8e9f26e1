//===- TerminalTest.cpp - Tables and progress lines -----------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "apps/Terminal/Colour.h"
#include "apps/Terminal/ProgressLine.h"
#include "apps/Terminal/Table.h"

#include <cstdlib>
#include <gtest/gtest.h>
#include <iostream>
#include <sstream>
#include <unistd.h>

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

TEST(Table, ColoursTakeNoRoom) {
  EXPECT_EQ(tableLines({{"k"}, {"l"}}, {{"\033[32mab\033[0m", "1"}, {"c", "2"}}),
            (std::vector<std::string>{"k   l", "\033[32mab\033[0m  1", "c   2"}));
}

TEST(Colour, IsOfTerminalsUnlessTheUserSaysOtherwise) {
  for (const char *name : {"NO_COLOR", "CLICOLOR_FORCE"})
    ::unsetenv(name);
  std::ostringstream text;
  int pipe[2];
  ASSERT_EQ(::pipe(pipe), 0);
  EXPECT_FALSE(showsColours(pipe[1]));
  ::setenv("CLICOLOR_FORCE", "0", 1);
  EXPECT_FALSE(showsColours(pipe[1]));
  ::setenv("CLICOLOR_FORCE", "1", 1);
  EXPECT_TRUE(showsColours(pipe[1]));
  EXPECT_EQ(painted(std::cout, Tone::Good, "yes"), "\033[32myes\033[0m");
  EXPECT_EQ(painted(text, Tone::Good, "yes"), "yes") << "a file";
  ::setenv("NO_COLOR", "1", 1);
  EXPECT_EQ(painted(std::cout, Tone::Bad, "no"), "no");
  ::setenv("NO_COLOR", "", 1);
  EXPECT_TRUE(showsColours(pipe[1])) << "an empty value counts as none";
  for (const char *name : {"NO_COLOR", "CLICOLOR_FORCE"})
    ::unsetenv(name);
  for (int end : pipe)
    ::close(end);
}

TEST(TimeLeft, IsEstimatedOnceThatSaysSomething) {
  EXPECT_EQ(timeLeft(1, 100, 60), "");
  EXPECT_EQ(timeLeft(10, 100, 1), "");
  EXPECT_EQ(timeLeft(10, 100, 2), "about 18 s left");
  EXPECT_EQ(timeLeft(10, 100, 30), "about 5 min left");
  EXPECT_EQ(timeLeft(100, 100, 30), "");
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
