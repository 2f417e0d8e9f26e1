//===- PtxTextTests.cpp - Reading of inline PTX ---------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/DeviceIR/PtxText.h"

#include "llvm/ADT/bit.h"
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
  EXPECT_FALSE(ptx::parse("add.u32 $0, $0, 1; .pragma \"nounroll\"; ret;", unknown));
  EXPECT_EQ(unknown, ".pragma \"nounroll\"");
}

TEST(Parse, BranchesGoToLabelsInFrontAndBehind) {
  std::string unknown;
  auto program = ptx::parse("{ .reg .pred p; AGAIN: setp.eq.u32 p, $0, 0; @p bra DONE;\n"
                            "bra.uni AGAIN; DONE: }",
                            unknown);
  ASSERT_TRUE(program) << unknown;
  EXPECT_EQ(program->labels, (std::vector<size_t>{0, 3}));
  ASSERT_EQ(program->instructions.size(), 3u);
  const ptx::Operand &forward = program->instructions[1].operands.at(0);
  EXPECT_EQ(forward.kind, ptx::Operand::Label);
  EXPECT_EQ(forward.number, 1u);
  EXPECT_EQ(program->instructions[2].operands.at(0).number, 0u);
}

TEST(Parse, BranchesHaveOneLabel) {
  std::string unknown;
  EXPECT_FALSE(ptx::parse("bra nowhere; there: add.u32 $0, $0, 1;", unknown));
  EXPECT_EQ(unknown, "bra nowhere");
  EXPECT_FALSE(ptx::parse("{ L: bra L; } { L: bra L; }", unknown));
  EXPECT_EQ(unknown, "L: bra L");
  EXPECT_FALSE(ptx::parse("L: bra L, 1;", unknown));
  EXPECT_FALSE(ptx::parse("L: bra;", unknown));
}

/// Returns the second operand of `text`; nothing if it is not known.
std::optional<ptx::Operand> secondOperand(llvm::StringRef text) {
  std::string unknown;
  std::optional<ptx::Program> program = ptx::parse(text, unknown);
  return program ? std::optional(program->instructions.front().operands[1]) : std::nullopt;
}

TEST(Parse, NumbersWithAPointHave64Bits) {
  const std::pair<llvm::StringRef, double> numbers[] = {{"1.0", 1.0},
                                                        {"1.", 1.0},
                                                        {".5", 0.5},
                                                        {"-.25", -0.25},
                                                        {"1e3", 1000.0},
                                                        {"25e-2", 0.25},
                                                        {"1.5E+2", 150.0},
                                                        {"-1.0", -1},
                                                        {"0.1", 0.1},
                                                        {"0e0", 0},
                                                        {"0d4000000000000000", 2.0}};
  for (auto [text, wanted] : numbers) {
    std::optional<ptx::Operand> number = secondOperand(("mov.f64 $0, " + text + ";").str());
    ASSERT_TRUE(number) << text.str();
    EXPECT_EQ(number->kind, ptx::Operand::Floating);
    EXPECT_EQ(number->bits, 64u);
    EXPECT_EQ(number->number, llvm::bit_cast<uint64_t>(wanted)) << text.str();
  }
  std::optional<ptx::Operand> single = secondOperand("mov.f32 $0, 0F3F800000;");
  ASSERT_TRUE(single);
  EXPECT_EQ(single->bits, 32u);
  EXPECT_EQ(single->number, 0x3f800000u);
}

TEST(Parse, WhatIsNoNumberIsRefused) {
  for (llvm::StringRef text :
       {"1.0f", "1e", "1e+", ".", "1.2.3", "-0f3F800000", "0f3F8000", "1.0+1.0"})
    EXPECT_FALSE(secondOperand(("mov.f32 $0, " + text + ";").str())) << text.str();
}

TEST(Parse, OffsetsAreNoExponents) {
  std::optional<ptx::Operand> place = secondOperand("ld.u32 $0, [$1e+4];");
  EXPECT_FALSE(place) << "no operand has this number";
  place = secondOperand("ld.u32 $0, [$1+4];");
  ASSERT_TRUE(place);
  EXPECT_EQ(place->number, 4u);
}

TEST(Parse, PartsOfRegistersAreNamed) {
  std::optional<ptx::Operand> part = secondOperand("vadd.u32.u32.u32 $0, $1.h1, $2;");
  ASSERT_TRUE(part);
  EXPECT_EQ(part->kind, ptx::Operand::Part);
  EXPECT_EQ(part->name, "h1");
  EXPECT_EQ(part->parts.at(0).number, 1u);
  EXPECT_FALSE(secondOperand("vadd.u32.u32.u32 $0, $1.h2, $2;"));
  EXPECT_FALSE(secondOperand("vadd.u32.u32.u32 $0, -$1.h1, $2;"));
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
  program = ptx::parse("{ .reg .pred p; tex.2d.v4.f32.f32 {$0, $1, $2, $3}|p, [$4, {$5, $6}]; }",
                       unknown);
  ASSERT_TRUE(program) << unknown;
  const ptx::Operand &both = program->instructions[0].operands[0];
  ASSERT_EQ(both.kind, ptx::Operand::Pair);
  EXPECT_EQ(both.parts.at(0).parts.size(), 4u);
  EXPECT_EQ(both.parts.at(1).kind, ptx::Operand::Register);
  EXPECT_FALSE(ptx::parse("tex.2d.v4.f32.f32 {$0, $1, $2, $3}, [$4, ];", unknown));
}

} // namespace
