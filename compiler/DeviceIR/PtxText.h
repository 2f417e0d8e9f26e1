//===- PtxText.h - Reading of inline PTX ------------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads the text of inline assembly, in two depths. Of any text, opcodesOf() finds the opcodes.
// parse() reads code completely: declarations of registers, instructions and labels, in nested
// braces. It accepts no directives other than .reg.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>
#include <vector>

namespace regrain::ptx {

/// The type at the end of an opcode, such as "s32", "f16x2" or "pred".
struct Type {
  char kind = 'b'; ///< b, s, u, f, or p for predicates
  unsigned bits = 32;
  unsigned lanes = 1; ///< 2 for f16x2: `bits` counts both

  bool isFloat() const { return kind == 'f'; }
  bool isSigned() const { return kind == 's'; }
  bool isPredicate() const { return kind == 'p'; }
};

std::optional<Type> parseType(llvm::StringRef text);

struct Operand {
  enum Kind {
    Register, ///< `number` is its index among the declared registers
    Argument, ///< $1: `number` is the number after the dollar
    Special,  ///< %laneid: `name`
    Number,   ///< `number` contains its bits
    Floating, ///< 0f3F800000 or 1.0: `number` contains its bits, `bits` their count (64 for 1.0)
    Memory,   ///< [a+4]: `parts` contains the address, `number` is the offset; of a texture,
              ///< [a, {x, y}], `parts` also contains the coordinates
    Vector,   ///< {a, b}
    Pair,     ///< p|q
    Part,     ///< a.b0: `parts` contains the register, `name` its part
    Label,    ///< where bra goes: `number` is its index among the labels
    Sink      ///< _
  };
  Kind kind = Sink;
  uint64_t number = 0;
  unsigned bits = 0;
  bool negated = false; ///< !p
  std::string name;
  std::vector<Operand> parts;
};

struct Instruction {
  std::string text;                ///< the whole instruction, on one line
  std::vector<std::string> opcode; ///< "add", "cc", "u32"
  std::optional<Operand> guard;    ///< @p, @!p
  std::vector<Operand> operands;
};

struct Program {
  std::vector<Type> registers;
  std::vector<Instruction> instructions;
  /// For each label, the index of the instruction behind it. A label may stand behind the last one.
  std::vector<size_t> labels;
};

/// Returns the opcodes of `text` in order, such as "atom.add.sys.u32", as parts of it. Comments,
/// braces, labels, predicates and declarations of registers are left out. A directive counts as an
/// opcode, and so does any other token where an opcode should be.
[[nodiscard]] llvm::SmallVector<llvm::StringRef> opcodesOf(llvm::StringRef text);

/// Parses `text`. If it contains anything else, returns nothing and sets `unknown` to that
/// statement.
std::optional<Program> parse(llvm::StringRef text, std::string &unknown);

/// Returns `text` on one line.
std::string onOneLine(llvm::StringRef text);

} // namespace regrain::ptx
