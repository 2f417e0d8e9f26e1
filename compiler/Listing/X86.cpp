//===- X86.cpp - What instructions of the CPU do --------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Listing/X86.h"

#include "compiler/Listing/Words.h"

namespace regrain::listing {
namespace {

struct Width {
  std::string_view name; ///< before "ptr"
  unsigned bits;
};
constexpr Width widths[] = {{"zmmword", 512}, {"ymmword", 256}, {"xmmword", 128}, {"qword", 64},
                            {"dword", 32},    {"word", 16},     {"byte", 8},      {"tbyte", 80}};

bool startsWithAny(std::string_view opcode, std::span<const std::string_view> prefixes) {
  return std::ranges::any_of(prefixes, [&](auto prefix) { return opcode.starts_with(prefix); });
}

/// Returns the bits of `qword ptr [rax]`; 0 if the operand tells none.
unsigned bitsOf(std::string_view operand) {
  std::string_view word = operand.substr(0, operand.find(' '));
  const Width *width = std::ranges::find(widths, word, &Width::name);
  return width == std::end(widths) ? 0 : width->bits;
}

Space spaceOf(std::string_view operand) {
  std::string_view address = operand.substr(operand.find('['));
  if (address.starts_with("[rip"))
    return Space::Constant;
  return address.starts_with("[rsp") || address.starts_with("[rbp") ? Space::Local : Space::Global;
}

/// Returns whether the instruction only reads its first operand.
bool onlyReads(std::string_view opcode) {
  constexpr std::string_view prefixes[] = {"cmp",  "test",   "ucomis", "vucomis", "comis", "vcomis",
                                           "bt",   "vptest", "ptest",  "vtest",   "call",  "jmp",
                                           "push", "div",    "idiv",   "mul",     "imul"};
  constexpr std::string_view writers[] = {"cmpxchg", "btc", "btr", "bts"};
  return startsWithAny(opcode, prefixes) && !startsWithAny(opcode, writers);
}

std::optional<MemoryAccess> accessOf(std::string_view opcode, std::string_view operands,
                                     bool isLocked) {
  size_t bracket = operands.find('[');
  constexpr std::string_view addressOnly[] = {"lea", "nop"};
  if (bracket == std::string_view::npos || startsWithAny(opcode, addressOnly))
    return std::nullopt;
  size_t comma = operands.rfind(',', bracket);
  bool isFirst = comma == std::string_view::npos;
  std::string_view operand = trimmed(isFirst ? operands : operands.substr(comma + 1));
  MemoryAccess access = {spaceOf(operand), Kind::Load, bitsOf(operand), ""};
  if (opcode.starts_with("prefetch"))
    return MemoryAccess{access.space, Kind::Prefetch, 0, std::string(opcode.substr(8))};
  if (isLocked || (opcode.starts_with("xchg")))
    access.kind = Kind::Atomic;
  else if (isFirst && !onlyReads(opcode))
    access.kind = Kind::Store;
  if (opcode.find("movnt") != std::string_view::npos)
    access.hint = "nt";
  return access;
}

Role roleOf(std::string_view opcode) {
  constexpr std::string_view products[] = {"vfmadd", "vfmsub", "vfnmadd", "vfnmsub"};
  if (opcode.starts_with('j'))
    return Role::Branch;
  return startsWithAny(opcode, products) ? Role::Fma : Role::Other;
}

} // namespace

Meaning meaningInX86(std::string_view instruction) {
  std::string_view rest = trimmed(instruction);
  bool isLocked = rest.starts_with("lock");
  if (isLocked || rest.starts_with("rep"))
    takeWord(rest);
  std::string_view opcode = takeWord(rest);
  return {std::string(opcode), roleOf(opcode), accessOf(opcode, rest, isLocked)};
}

} // namespace regrain::listing
