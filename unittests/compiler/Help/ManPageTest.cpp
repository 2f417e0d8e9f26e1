//===- ManPageTest.cpp - Man pages ----------------------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Help/ManPage.h"
#include <gtest/gtest.h>

namespace regrain::help {
namespace {

TEST(ManPage, NoTextIsAnInstruction) {
  Command command;
  command.name = "tool run";
  command.paragraphs = {".B is 'no' request, and \\ is no escape."};
  std::string page = manPage(command, "1.0");
  EXPECT_NE(page.find("\n\\&.B is \\(aqno\\(aq request, and \\e is no escape.\n"),
            std::string::npos)
      << page;
}

TEST(ManPage, DashesCanBePasted) {
  Command command;
  command.name = "tool run";
  command.groups = {{"Group", {{{{"--all-of"}}, "", "Everything"}}}};
  std::string page = manPage(command, "1.0");
  EXPECT_NE(page.find(".B \"\\-\\-all\\-of\"\nEverything.\n"), std::string::npos) << page;
  EXPECT_EQ(manPageName(command), "tool-run.1");
}

TEST(ManPage, SubcommandsStandOnThePageOfTheirCommand) {
  Command inner, outer, root;
  inner.name = "tool db list";
  inner.groups = {{"Group", {{{{"--json"}}, "", "Write JSON"}}}};
  outer.name = "tool db";
  outer.subcommands = {inner};
  root.name = "tool";
  root.subcommands = {outer};
  EXPECT_NE(manPage(outer, "1.0").find("Write JSON"), std::string::npos);
  EXPECT_EQ(manPage(root, "1.0").find("Write JSON"), std::string::npos);
  EXPECT_NE(manPage(root, "1.0").find("tool db"), std::string::npos);
}

} // namespace
} // namespace regrain::help
