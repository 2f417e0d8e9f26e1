//===- PtxTextTests.cpp - Reading of inline PTX ---------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/DeviceIR/PtxText.h"

#include "gtest/gtest.h"

using namespace regrain;

namespace {

std::vector<std::string> opcodes(llvm::StringRef text) {
  std::vector<std::string> result;
  for (llvm::StringRef opcode : ptx::opcodesOf(text))
    result.push_back(opcode.str());
  return result;
}
using Names = std::vector<std::string>;

TEST(Opcodes, StandAfterBracesLabelsAndPredicates) {
  EXPECT_EQ(opcodes("{ .reg .pred p;\n@!p bra done; { st.u32 [$0], $1; }\ndone: trap; }"),
            (Names{"bra", "st.u32", "trap"}));
  EXPECT_EQ(opcodes("again:@%p1 exit"), Names{"exit"});
}

TEST(Opcodes, StandAfterLabelsThatLlvmNumbers) {
  EXPECT_EQ(
      opcodes("{ wait_${:uid}: membar.gl; @p bra wait_${:uid}; ${:uid}: atom.cta.add.u32 $0; }"),
      (Names{"membar.gl", "bra", "atom.cta.add.u32"}));
  EXPECT_EQ(opcodes("ret; ${:uid"), (Names{"ret", "${:uid"}));
}

TEST(Opcodes, OperandsMayStandOnLinesOfTheirOwn) {
  EXPECT_EQ(opcodes("mma.sync.aligned.m16n8k8.row.col\n {$0, $1},\n {a, b},\n {c};\nret;"),
            (Names{"mma.sync.aligned.m16n8k8.row.col", "ret"}));
}

TEST(Opcodes, MayBeQualified) {
  EXPECT_EQ(opcodes("ld.global.L1::no_allocate.v2.u32 {$0, $1}, [$2];"),
            Names{"ld.global.L1::no_allocate.v2.u32"});
}

TEST(Opcodes, CommentsAreNoCode) {
  EXPECT_EQ(opcodes("// call f;\nadd.u32 $0, /* sys; */ $1, $2; /*/ brkpt;"), Names{"add.u32"});
  EXPECT_EQ(opcodes(""), Names());
}

TEST(Opcodes, WhatIsNoOpcodeIsStillSeen) {
  EXPECT_EQ(opcodes(".pragma \"nounroll\"; [x]; add.u32 $0, $0, 1;"),
            (Names{".pragma", "[", "add.u32"}));
}

TEST(Parse, StraightLineCodeIsReadCompletely) {
  std::string unknown;
  auto program =
      ptx::parse("{ .reg .pred p; setp.ne.s32 p, $0, 0; @p st.u32 [$1+4], $0; }", unknown);
  ASSERT_TRUE(program) << unknown;
  ASSERT_EQ(program->instructions.size(), 2u);
  EXPECT_EQ(program->registers.size(), 1u);
  const ptx::Instruction &store = program->instructions[1];
  ASSERT_TRUE(store.guard);
  EXPECT_EQ(store.opcode, (std::vector<std::string>{"st", "u32"}));
  EXPECT_EQ(store.operands[0].kind, ptx::Operand::Memory);
  EXPECT_EQ(store.operands[0].number, 4u);
}

TEST(Parse, WhatIsNoStraightLineCodeIsNamed) {
  std::string unknown;
  EXPECT_FALSE(ptx::parse("add.u32 $0, $0, 1; again: bra again;", unknown));
  EXPECT_EQ(unknown, "again: bra again");
}

TEST(Parse, PlaceOfATextureHasCoordinates) {
  std::string unknown;
  std::optional<ptx::Program> program =
      ptx::parse("tex.2d.v4.f32.f32 {$0, $1, $2, $3}, [$4, {$5, $6}];", unknown);
  ASSERT_TRUE(program) << unknown;
  const ptx::Operand &place = program->instructions[0].operands[1];
  ASSERT_EQ(place.kind, ptx::Operand::Memory);
  ASSERT_EQ(place.parts.size(), 2u);
  EXPECT_EQ(place.parts[0].number, 4u);
  EXPECT_EQ(place.parts[1].parts.size(), 2u);
  EXPECT_FALSE(ptx::parse("tex.2d.v4.f32.f32 {$0, $1, $2, $3}, [$4, ];", unknown));
}

} // namespace
