//===- tuning/CandidateOrderTest.cpp - Which candidates are tried first ---===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/tuning/candidate_order.h"

#include "runtime/image/grain.h"

#include <gtest/gtest.h>

using namespace regrain;

namespace {

struct Code {
  std::string id;
  CodeFigures figures;
};

std::vector<std::string> rank(const std::vector<Code> &codes, const CodeFigures &original) {
  std::vector<RankedCode> ranked;
  for (const Code &code : codes)
    ranked.push_back({parseGrainSpec(code.id)->grain, code.figures});
  std::vector<std::string> ids;
  for (size_t i : rankCandidates(ranked, original))
    ids.push_back(codes[i].id);
  return ids;
}

using Ids = std::vector<std::string>;

TEST(CandidateOrder, WithoutOtherFigures_IsTheImages) {
  EXPECT_EQ(rank({{"control", {}}, {"block.x=4", {}}, {"block.x=2", {}}, {"thread.x=2", {}}}, {}),
            (Ids{"block.x=4", "block.x=2", "thread.x=2", "control"}));
}

TEST(CandidateOrder, AnotherCompiler_IsFirst) {
  EXPECT_EQ(rank({{"block.x=2", {}}, {"compiler=nvcc", {112, 0.5}}, {"control", {}}}, {0, 1}),
            (Ids{"compiler=nvcc", "block.x=2", "control"}));
}

TEST(CandidateOrder, WhatTheSourceOffers_IsFirst) {
  EXPECT_EQ(rank({{"block.x=2", {}},
                  {"variant=k<1,2>,block.x=2", {500, 1}},
                  {"variant=k<1,2>", {500, 0.125}},
                  {"control", {}}},
                 {0, 1}),
            (Ids{"variant=k<1,2>", "block.x=2", "variant=k<1,2>,block.x=2", "control"}));
}

TEST(CandidateOrder, FewerRegisters_AreFirstWhereOccupancyIsLow) {
  std::vector<Code> codes = {
      {"block.x=2", {200, 0.125}}, {"registers=128", {300, 0.25}}, {"registers=160", {200, 0.125}}};
  EXPECT_EQ(rank(codes, {200, 0.125}), (Ids{"registers=128", "block.x=2", "registers=160"}));
  codes[1].figures.occupancy = 1;
  EXPECT_EQ(rank(codes, {200, 0.75}).back(), "registers=160"); // its occupancy collapses
  EXPECT_EQ(rank(codes, {200, 0.75}).front(), "block.x=2");
}

TEST(CandidateOrder, MoreSpills_AreLater) {
  std::vector<Code> codes = {{"thread.x=2", {500, 1}}, {"thread.x=4", {400, 1}}};
  EXPECT_EQ(rank(codes, {100, 1}), (Ids{"thread.x=4", "thread.x=2"}));
}

TEST(CandidateOrder, FewResidentThreads_AreLaterUnlessEachDoesMore) {
  std::vector<Code> codes = {
      {"bound=64", {0, 0.25}}, {"block.x=4", {0, 0.25}}, {"block.x=2", {0, 1}}};
  EXPECT_EQ(rank(codes, {0, 1}), (Ids{"block.x=4", "block.x=2", "bound=64"}));
}

TEST(CandidateOrder, FewerResidentBlocks_AreBehindOtherCode) {
  EXPECT_EQ(rank({{"max-resident=3", {0, 0.9}},
                  {"control", {}},
                  {"block.x=2,max-resident=2", {0, 1}},
                  {"thread.x=2", {500, 0.125}}},
                 {0, 1}),
            (Ids{"thread.x=2", "max-resident=3", "block.x=2,max-resident=2", "control"}));
}

TEST(CandidateOrder, FewerResidentBlocks_AreFirstWhereLocalMemoryIsEvicted) {
  std::vector<Code> codes = {{"block.x=2", {256, 1}}, {"max-resident=3", {256, 0.375}}};
  EXPECT_EQ(rank(codes, {256, 1, 1, 512 << 10}).front(), "max-resident=3");
  EXPECT_EQ(rank(codes, {128, 1, 1, 256 << 10}).front(), "block.x=2");
}

} // namespace
