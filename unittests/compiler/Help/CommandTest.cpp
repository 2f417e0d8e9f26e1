//===- CommandTest.cpp - The description of a command ---------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Help/Command.h"
#include <gtest/gtest.h>

namespace regrain::help {
namespace {

TEST(Usage, NamesOptionsCommandsAndArguments) {
  Command command;
  command.name = "tool";
  EXPECT_EQ(usageOf(command), "tool");
  command.groups = {{"Group", {}}};
  command.arguments = {{"FILE", ""}, {"[GLOB]", ""}};
  EXPECT_EQ(usageOf(command), "tool [OPTION]... FILE [GLOB]");
  command.subcommands.resize(1);
  EXPECT_EQ(usageOf(command), "tool [OPTION]... COMMAND FILE [GLOB]");
}

TEST(Form, TheValueStandsWhereTheLastNameTakesIt) {
  EXPECT_EQ(formOf({{{"-o", true}, {"--output", true, true}}, "FILE", ""}), "-o, --output FILE");
  EXPECT_EQ(formOf({{{"--emit", false, true}}, "STAGE", ""}), "--emit=STAGE");
  EXPECT_EQ(formOf({{{"-O", false, false, true}}, "LEVEL", ""}), "-OLEVEL");
  EXPECT_EQ(formOf({{{"-c"}, {"--compile"}}, "", ""}), "-c, --compile");
  EXPECT_EQ(formOf({{{"--code", false, true}}, "ptx|sass", "", true}), "--code[=ptx|sass]");
}

TEST(Form, LeavesOutNamesThatAreNotShown) {
  Option option{{{"-ptx"}, {"--ptx", false, false, false, false}}, "", ""};
  EXPECT_EQ(formOf(option), "-ptx");
  EXPECT_EQ(usualName(option), "-ptx");
}

TEST(FixedValues, AreTheWordsInLowerCase) {
  EXPECT_EQ(fixedValues({{}, "N|all", ""}), std::vector<std::string>{"all"});
  EXPECT_EQ(fixedValues({{}, "true|false", ""}), (std::vector<std::string>{"true", "false"}));
  EXPECT_TRUE(fixedValues({{}, "FILE", ""}).empty());
}

} // namespace
} // namespace regrain::help
