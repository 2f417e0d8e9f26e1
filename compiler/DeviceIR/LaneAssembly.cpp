//===- LaneAssembly.cpp - Assembly that transforms know -------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/DeviceIR/LaneAssembly.h"

#include "compiler/DeviceIR/LaneAssemblyNames.h"
#include "compiler/DeviceIR/PtxText.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/DerivedTypes.h"

using namespace llvm;
using namespace regrain;

namespace {

/// Writes instructions in one form: registers are numbered in the order in which they come, and a
/// move has its bits alone.
class Writer {
public:
  /// Returns an empty string if there is an operand of another kind.
  std::string write(const ptx::Program &program) {
    std::string text;
    for (const ptx::Instruction &instruction : program.instructions) {
      if (instruction.guard)
        text += "@" + write(*instruction.guard) + " ";
      text += opcodeOf(instruction) + " ";
      text += join(map_range(instruction.operands, [&](auto &one) { return write(one); }), ", ");
      text += "; ";
    }
    return isKnown ? text : std::string();
  }

private:
  static std::string opcodeOf(const ptx::Instruction &instruction) {
    const std::vector<std::string> &words = instruction.opcode;
    std::optional<ptx::Type> type = ptx::parseType(words.back());
    if (words.front() == "mov" && words.size() == 2 && type)
      return "mov." + utostr(type->bits);
    return join(words, ".");
  }

  std::string write(const ptx::Operand &operand) {
    auto parts = [&](StringRef between) {
      return join(map_range(operand.parts, [&](auto &part) { return write(part); }), between);
    };
    std::string sign = operand.negated ? "!" : "";
    switch (operand.kind) {
    case ptx::Operand::Register:
      return sign + "r" + utostr(numbers.try_emplace(operand.number, numbers.size()).first->second);
    case ptx::Operand::Argument:
      return sign + "$" + utostr(operand.number);
    case ptx::Operand::Special:
      return sign + "%" + operand.name;
    case ptx::Operand::Vector:
      return "{" + parts(", ") + "}";
    case ptx::Operand::Pair:
      return parts("|");
    default:
      isKnown = false;
      return "";
    }
  }

  DenseMap<uint64_t, size_t> numbers;
  bool isKnown = true;
};

/// A form of a sum; K stands for the kind of the shuffle.
struct Form {
  StringLiteral text;
  StringLiteral types; ///< of the result, the value, and the operands in order: f, i, d or l
};

} // namespace

static constexpr Form forms[] = {
    {"shfl.sync.K.b32 r0|r1, $1, $2, $3, $5; @r1 add.f32 r0, r0, $4; mov.32 $0, r0; ", "ffiifi"},
    {"shfl.sync.K.b32 r0|r1, $1, $2, $3, $5; @r1 add.u32 r0, r0, $4; mov.32 $0, r0; ", "iiiiii"},
    {"shfl.sync.K.b32 r0|r1, $1, $2, $3, $5; @r1 add.s32 r0, r0, $4; mov.32 $0, r0; ", "iiiiii"},
    {"mov.64 {r0, r1}, $1; shfl.sync.K.b32 r0|r2, r0, $2, $3, $4; "
     "shfl.sync.K.b32 r1|r2, r1, $2, $3, $4; mov.64 $0, {r0, r1}; @r2 add.u64 $0, $0, $1; ",
     "lliii"},
    {"mov.64 {r0, r1}, $1; shfl.sync.K.b32 r0|r2, r0, $2, $3, $4; "
     "shfl.sync.K.b32 r1|r2, r1, $2, $3, $4; mov.64 $0, {r0, r1}; @r2 add.s64 $0, $0, $1; ",
     "lliii"},
    {"mov.64 {r0, r1}, $1; shfl.sync.K.b32 r0|r2, r0, $2, $3, $5; "
     "shfl.sync.K.b32 r1|r2, r1, $2, $3, $5; mov.64 r3, {r0, r1}; @r2 add.u64 r3, r3, $4; "
     "mov.64 $0, r3; ",
     "lliili"},
    {"mov.64 {r0, r1}, $1; shfl.sync.K.b32 r0|r2, r0, $2, $3, $5; "
     "shfl.sync.K.b32 r1|r2, r1, $2, $3, $5; mov.64 r3, {r0, r1}; @r2 add.s64 r3, r3, $4; "
     "mov.64 $0, r3; ",
     "lliili"},
    {"mov.64 $0, $1; mov.64 {r0, r1}, $1; shfl.sync.K.b32 r0|r2, r0, $2, $3, $4; "
     "shfl.sync.K.b32 r1|r2, r1, $2, $3, $4; mov.64 r3, {r0, r1}; @r2 add.f64 $0, $0, r3; ",
     "ddiii"},
};

static bool isOfType(const Type *type, char letter) {
  switch (letter) {
  case 'f':
    return type->isFloatTy();
  case 'd':
    return type->isDoubleTy();
  default:
    return type->isIntegerTy(letter == 'l' ? 64 : 32);
  }
}

static bool hasTypes(const FunctionType &function, StringRef types) {
  return function.getNumParams() + 1 == types.size() &&
         isOfType(function.getReturnType(), types.front()) &&
         all_of_zip(function.params(), types.drop_front(), isOfType);
}

std::string regrain::nameOfLaneAssembly(const InlineAsm &assembly) {
  std::string unknown;
  std::optional<ptx::Program> program = ptx::parse(assembly.getAsmString(), unknown);
  if (!program)
    return "";
  const FunctionType &type = *assembly.getFunctionType();
  std::string text = Writer().write(*program);
  if (text == "mov.32 $0, %laneid; " && hasTypes(type, "i"))
    return laneNumberAssembly.str();
  for (StringRef kind : {"down", "up"})
    for (const Form &form : forms) {
      SmallVector<StringRef> parts;
      form.text.split(parts, "sync.K.");
      if (text == join(parts, ("sync." + kind + ".").str()) && hasTypes(type, form.types))
        return (kind == "down" ? sumDownAssembly : sumUpAssembly).str();
    }
  return "";
}
