//===- MarchedGrainsTests.cpp - Blocks that run in steps ------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Selection/MarchedGrains.h"
#include "unittests/compiler/Analysis/ParsedKernel.h"

using namespace regrain;

namespace {

/// A thread at (x, last) loads elements `rows` rows away, and in a plane, its neighbours along x if
/// it has any. `last` is the row, or the plane.
std::string stencil(bool hasPlanes, bool hasNeighbours) {
  std::string body = R"(
      %one = arith.constant 1 : i32
      %zero = arith.constant 0 : i32
      %sx = grain.block_size x
      %sy = grain.block_size y
      %ox = arith.muli %bx, %sx : i32
      %oy = arith.muli %by, %sy : i32
      %x = arith.addi %ox, %tx : i32
      %y = arith.addi %oy, %ty : i32
      %afterFirst = arith.cmpi sgt, %x, %zero : i32
      %end = arith.subi %nx, %one : i32
      %beforeLast = arith.cmpi slt, %x, %end : i32
      %inside = arith.andi %afterFirst, %beforeLast : i1
)";
  body += hasPlanes ? "      %deep = arith.muli %bz, %ny overflow<nsw> : i32\n"
                      "      %row = arith.addi %deep, %y overflow<nsw> : i32\n"
                      "      %rows = arith.addi %ny, %zero : i32\n"
                    : "      %row = arith.addi %y, %zero : i32\n"
                      "      %rows = arith.addi %one, %zero : i32\n";
  body += "      scf.if %inside {\n        %s0 = arith.constant 0.0 : f32\n";
  unsigned sums = 0;
  auto load = [&](const std::string &away, const std::string &beside) {
    std::string n = std::to_string(sums), next = std::to_string(sums + 1);
    body += "        %r" + n + " = arith." + away + " %row, %rows overflow<nsw> : i32\n" +
            "        %m" + n + " = arith.muli %r" + n + ", %nx overflow<nsw> : i32\n" +
            "        %p" + n + " = arith.addi %m" + n + ", %x overflow<nsw> : i32\n" +
            "        %q" + n + " = arith." + beside + " overflow<nsw> : i32\n" + "        %i" + n +
            " = arith.extsi %q" + n + " : i32 to i64\n" + "        %a" + n +
            " = llvm.getelementptr inbounds %in[%i" + n +
            "] : (!llvm.ptr, i64) -> !llvm.ptr, f32\n" + "        %v" + n + " = llvm.load %a" + n +
            " {alignment = 4 : i64} : !llvm.ptr -> f32\n" + "        %s" + next +
            " = llvm.fadd %s" + n + ", %v" + n + " : f32\n";
    ++sums;
  };
  for (const char *away : {"subi", "addi"}) {
    load(away, "addi %p" + std::to_string(sums) + ", %zero");
    if (hasNeighbours) {
      load(away, "subi %p" + std::to_string(sums) + ", %one");
      load(away, "addi %p" + std::to_string(sums) + ", %one");
    }
  }
  body += "        %base = arith.muli %row, %nx overflow<nsw> : i32\n"
          "        %at = arith.addi %base, %x overflow<nsw> : i32\n"
          "        %wide = arith.extsi %at : i32 to i64\n"
          "        %to = llvm.getelementptr inbounds %out[%wide] : (!llvm.ptr, i64) -> "
          "!llvm.ptr, f32\n        llvm.store %s" +
          std::to_string(sums) + ", %to {alignment = 4 : i64} : f32, !llvm.ptr\n      }\n";
  return kernelText("%out: !llvm.ptr, %in: !llvm.ptr, %nx: i32, %ny: i32", body);
}

std::vector<Grain> marchesOf(const std::string &text) {
  GrainContext own;
  ParsedKernel parsed(text, own.context);
  return marchedGrainsOf(parsed.kernel());
}

std::vector<Grain> joiningGuards(const std::vector<Grain> &marches) {
  std::vector<Grain> found;
  for (const Grain &grain : marches)
    if (grain.words.contains("guards"))
      found.push_back(grain);
  return found;
}

/// Two rows would spill, and with more registers, fewer threads are resident.
TEST(MarchedGrains, JoinedGuardsHaveOneRowInFewRegisters) {
  std::vector<Grain> joining = joiningGuards(marchesOf(stencil(true, true)));
  ASSERT_EQ(joining.size(), 1u);
  const Grain &grain = joining.front();
  EXPECT_EQ(grain.thread, (Factors{1, 1, 1}));
  EXPECT_EQ(*grain.shape, (Factors{32, 8, 1}));
  EXPECT_EQ(grain.codegen.at("registers"), 64u);
  EXPECT_EQ(grain.block, (Factors{1, 1, 16}));
}

TEST(MarchedGrains, AlongRowsNoGuardsAreJoined) {
  std::vector<Grain> marches = marchesOf(stencil(false, true));
  EXPECT_FALSE(marches.empty());
  EXPECT_TRUE(joiningGuards(marches).empty());
}

TEST(MarchedGrains, WithoutNeighboursAlongXNoGuardsAreJoined) {
  std::vector<Grain> marches = marchesOf(stencil(true, false));
  EXPECT_FALSE(marches.empty());
  EXPECT_TRUE(joiningGuards(marches).empty());
}

} // namespace
