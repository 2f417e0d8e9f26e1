//===- Text.h - Inline PTX read ---------------------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The text of inline assembly as straight-line code: declarations of registers and
// instructions, in nested braces. There are no labels and no directives but .reg.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>
#include <vector>

namespace regrain::ptx {

/// The type at the end of an opcode: "s32", "f16x2", "pred".
struct Type {
  char kind = 'b'; ///< b, s, u, f, or p of predicates
  unsigned bits = 32;
  unsigned lanes = 1; ///< 2 of f16x2: `bits` are those of both

  bool isFloat() const { return kind == 'f'; }
  bool isSigned() const { return kind == 's'; }
  bool isPredicate() const { return kind == 'p'; }
};

std::optional<Type> parseType(llvm::StringRef text);

struct Operand {
  enum Kind {
    Register, ///< `number` is its place among those that are declared
    Argument, ///< $1: `number` is what stands behind the dollar
    Special,  ///< %laneid: `name`
    Number,   ///< `number` are its bits
    Floating, ///< 0f3F800000: `number` are its bits, `bits` how many
    Memory,   ///< [a+4]: `parts` has the address, `number` is the offset
    Vector,   ///< {a, b}
    Pair,     ///< p|q
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
  std::string text;                ///< all of it, on one line
  std::vector<std::string> opcode; ///< "add", "cc", "u32"
  std::optional<Operand> guard;    ///< @p, @!p
  std::vector<Operand> operands;
};

struct Program {
  std::vector<Type> registers;
  std::vector<Instruction> instructions;
};

/// Reads `text`. Where it is something else, `unknown` is the statement that is.
std::optional<Program> parse(llvm::StringRef text, std::string &unknown);

/// `text` on one line.
std::string onOneLine(llvm::StringRef text);

} // namespace regrain::ptx
