//===- GrainKeysTest.cpp - The table of the keys of SPEC ------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// These properties must hold for every key, including future ones.
//
//===----------------------------------------------------------------------===//
#include "runtime/image/grain_keys.h"

#include "gtest/gtest.h"

using namespace regrain;

namespace {

std::vector<std::string> words(std::string_view text) {
  std::vector<std::string> result;
  while (!text.empty()) {
    size_t blank = std::min(text.find(' '), text.size());
    result.emplace_back(text.substr(0, blank));
    text.remove_prefix(std::min(blank + 1, text.size()));
  }
  return result;
}

TEST(GrainKeys, Names_AreUnique) {
  std::set<std::string_view> names;
  for (const GrainKey &key : grainKeys())
    EXPECT_TRUE(names.insert(key.name).second) << key.name;
}

TEST(GrainKeys, Examples_AreReadAndPrintedByTheirKey) {
  for (const GrainKey &key : grainKeys())
    for (const std::string &example : words(key.examples)) {
      Grain grain;
      if (addPiece(grain, example)) {
        EXPECT_EQ(toString(grain), example);
        EXPECT_EQ(piecesOf(grain, key).size(), 1u) << example;
        continue;
      }
      OrError<GrainSpec> spec = parseGrainSpec(example);
      ASSERT_TRUE(spec && spec->hasTotals()) << example;
      constexpr std::array<bool, 3> all = {true, true, true};
      EXPECT_FALSE(piecesOf(balance(*spec, all, all), key).empty()) << example;
    }
}

TEST(GrainKeys, ProposedAndTriedPieces_AreCanonical) {
  for (const GrainKey &key : grainKeys()) {
    std::vector<std::string_view> pieces(key.trials.begin(), key.trials.end());
    for (const KeyCandidate &candidate : key.candidates)
      pieces.push_back(candidate.piece);
    for (std::string_view piece : pieces) {
      Grain grain;
      EXPECT_TRUE(addPiece(grain, piece)) << piece;
      EXPECT_EQ(toString(grain), piece);
      EXPECT_EQ(findContradiction(grain), "");
    }
  }
}

TEST(GrainKeys, EachIsExplained) {
  for (const GrainKey &key : grainKeys()) {
    EXPECT_TRUE(key.help.ends_with('.')) << key.name;
    EXPECT_TRUE(key.isBare || !key.absence.empty()) << key.name;
    EXPECT_EQ(key.trials.empty(), key.trialPercent == 0) << key.name;
  }
}

TEST(AddPiece, LeavesTheGrainWhereThePieceIsWrong) {
  Grain grain;
  EXPECT_TRUE(addPiece(grain, "block.x=2"));
  EXPECT_FALSE(addPiece(grain, "bound=0"));
  EXPECT_FALSE(addPiece(grain, "thread=4"));
  EXPECT_EQ(toString(grain), "block.x=2");
}

} // namespace
