//===- HelpTextTest.cpp - The layout of the help --------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Help/HelpText.h"
#include <gtest/gtest.h>

namespace regrain::help {
namespace {

Command command() {
  Command command;
  command.name = "tool run";
  command.paragraphs = {"Runs."};
  command.groups = {{"Group", {{{{"-a"}}, "", "First"}, {{{"-b", true}}, "FILE", "Second"}}}};
  command.examples = {{"tool run -a", "Runs so."}};
  return command;
}

TEST(HelpText, IsLaidOutInColumns) {
  EXPECT_EQ(helpText(command()), "usage: tool run [OPTION]...\n"
                                 "\n"
                                 "Runs.\n"
                                 "\n"
                                 "Group:\n"
                                 "  -a       First\n"
                                 "  -b FILE  Second\n"
                                 "\n"
                                 "Examples:\n"
                                 "  tool run -a\n"
                                 "      Runs so.\n");
}

TEST(HelpText, NoLineIsLongerThan80Columns) {
  Command wide = command();
  std::string words;
  for (int i = 0; i < 60; ++i)
    words += "word" + std::to_string(i) + ' ';
  wide.paragraphs = {words};
  wide.groups[0].options[0].text = words;
  wide.groups[0].options[1].spellings[0].name = "--a-name-that-is-longer-than-its-column";
  wide.examples[0].effect = words;
  std::string text = helpText(wide), line;
  for (size_t begin = 0, end; begin < text.size(); begin = end + 1) {
    end = text.find('\n', begin);
    EXPECT_LE(end - begin, 80u) << text.substr(begin, end - begin);
  }
  EXPECT_NE(text.find("word59"), std::string::npos);
}

TEST(HelpText, OptionsWithoutTextStandTogetherByTheirNames) {
  Command some = command();
  some.groups[0].options.push_back({{{"-x"}}, "", ""});
  some.groups[0].options.push_back({{{"-y", true}}, "VALUE", ""});
  EXPECT_NE(helpText(some).find("  -b FILE  Second\n  -x, -y\n"), std::string::npos);
}

} // namespace
} // namespace regrain::help
