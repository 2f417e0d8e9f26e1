//===- ItemsInOrderTest.cpp - Files and flags in their order --------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Driver/CommandLine.h"
#include <gtest/gtest.h>

namespace regrain {
namespace {

using Items = std::vector<std::pair<Item::Kind, std::string>>;

Items itemsOf(std::vector<const char *> flags) {
  llvm::Expected<CommandLine> line = parseCommandLine(flags);
  if (!line) {
    ADD_FAILURE() << llvm::toString(line.takeError());
    return {};
  }
  Items items;
  for (const Item &item : line->items)
    items.push_back({item.kind, item.text});
  return items;
}

TEST(ItemsInOrder, ALanguageHoldsForWhatFollowsUntilNone) {
  EXPECT_EQ(itemsOf({"a.cpp", "-x", "cu", "b.cpp", "c", "-x", "none", "d.cpp", "e"}),
            (Items{{Item::CXX, "a.cpp"},
                   {Item::Cuda, "b.cpp"},
                   {Item::Cuda, "c"},
                   {Item::CXX, "d.cpp"},
                   {Item::LinkerInput, "e"}}));
}

TEST(ItemsInOrder, ALanguageBehindAllFilesHoldsForAll) {
  EXPECT_EQ(itemsOf({"a.cpp", "b.txt", "c.o", "-x", "cu"}),
            (Items{{Item::Cuda, "a.cpp"}, {Item::Cuda, "b.txt"}, {Item::LinkerInput, "c.o"}}));
  EXPECT_EQ(itemsOf({"-x", "c++", "a.cpp", "-x", "cu"}), (Items{{Item::CXX, "a.cpp"}}));
}

TEST(ItemsInOrder, BinariesHaveNoLanguage) {
  EXPECT_EQ(itemsOf({"-x", "cu", "a.o", "b.a", "c.so", "d.so.1.2", "e.cpp"}),
            (Items{{Item::LinkerInput, "a.o"},
                   {Item::LinkerInput, "b.a"},
                   {Item::LinkerInput, "c.so"},
                   {Item::LinkerInput, "d.so.1.2"},
                   {Item::Cuda, "e.cpp"}}));
}

TEST(ItemsInOrder, OtherNamesWithTheseLettersAreSources) {
  EXPECT_EQ(itemsOf({"-x", "cu", "project.solver/kernel.cpp", "by.sorting.cpp"}),
            (Items{{Item::Cuda, "project.solver/kernel.cpp"}, {Item::Cuda, "by.sorting.cpp"}}));
}

TEST(ItemsInOrder, LinkerFlagsKeepTheirPlace) {
  EXPECT_EQ(itemsOf({"-Xlinker", "-z,now", "a.o", "-lm", "-lcudart", "b.o"}),
            (Items{{Item::LinkerFlag, "-Xlinker"},
                   {Item::LinkerFlag, "-z"},
                   {Item::LinkerFlag, "-Xlinker"},
                   {Item::LinkerFlag, "now"},
                   {Item::LinkerInput, "a.o"},
                   {Item::LinkerFlag, "-lm"},
                   {Item::LinkerInput, "b.o"},
                   {Item::LinkerFlag, "-lm"}})); // again
}

} // namespace
} // namespace regrain
