//===- Amdgcn.cpp - What instructions of AMD's GPUs do --------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Listing/Amdgcn.h"

#include "compiler/Listing/Words.h"

#include <charconv>

namespace regrain::listing {
namespace {

using Parts = std::span<const std::string_view>;

/// Returns the bits that a part of the name tells: 128 for "dwordx4", "b128"; otherwise 0.
unsigned bitsNamed(std::string_view part) {
  constexpr std::string_view bytes[] = {"ubyte", "sbyte", "byte"},
                             halves[] = {"ushort", "sshort", "short"};
  constexpr std::string_view dword = "dword", letters = "biuf";
  if (isOneOf(part, bytes))
    return 8;
  if (isOneOf(part, halves))
    return 16;
  unsigned number = 0;
  auto read = [&](size_t from) {
    return from < part.size() &&
           std::from_chars(part.data() + from, part.data() + part.size(), number).ptr ==
               part.data() + part.size();
  };
  if (part == dword)
    return 32;
  if (part.starts_with(dword))
    return part[dword.size()] == 'x' && read(dword.size() + 1) ? 32 * number : 0;
  if (part.starts_with("bf"))
    return read(2) ? number : 0;
  return part.size() > 1 && letters.find(part.front()) != std::string_view::npos && read(1) ? number
                                                                                            : 0;
}

/// Returns the bits of a load or store. The last part that tells a width counts: that of
/// "load_d16_b16" is 16.
unsigned bitsOf(Parts parts) {
  unsigned bits = 0;
  bool isTwice = false;
  for (std::string_view part : parts) {
    if (unsigned named = bitsNamed(part))
      bits = named;
    isTwice |= part == "2addr" || part.starts_with("read2") || part.starts_with("write2");
  }
  return isTwice ? 2 * bits : bits;
}

/// Returns the bits of an atomic operation: 32 if its name tells none, as in "add", and "x2" means
/// twice as many.
unsigned bitsOfAtomic(Parts parts) {
  unsigned bits = bitsOf(parts);
  if (parts.back() == "x2")
    return 64;
  return bits ? bits : 32;
}

std::string hintOf(std::string_view operands) {
  constexpr std::string_view hints[] = {"glc", "slc", "dlc", "nt", "sc0", "sc1", "lds"};
  std::string hint;
  while (!operands.empty()) {
    std::string_view word = takeWord(operands);
    if (isOneOf(word, hints) || word.starts_with("th:") || word.starts_with("scope:"))
      append(hint, word, " ");
  }
  return hint;
}

bool startsWithAny(Parts parts, std::string_view prefix) {
  return std::ranges::any_of(parts,
                             [&](std::string_view part) { return part.starts_with(prefix); });
}

std::optional<Space> spaceOf(std::string_view family) {
  if (family == "global")
    return Space::Global;
  if (family == "flat")
    return Space::Generic;
  if (family == "scratch" || family == "buffer")
    return Space::Local;
  if (family == "ds")
    return Space::Shared;
  if (family == "image")
    return Space::Texture;
  return std::nullopt;
}

/// Returns the access of a scalar load, which reads what no thread of the launch writes.
std::optional<MemoryAccess> scalarLoad(Parts parts) {
  bool isLoad =
      parts.size() > 1 && (parts[1] == "load" || (parts[1] == "buffer" && parts[2] == "load"));
  if (!isLoad)
    return std::nullopt;
  return MemoryAccess{Space::Constant, Kind::Load, bitsOf(parts), ""};
}

std::optional<MemoryAccess> accessOf(Parts parts, std::string_view operands) {
  if (parts.front() == "s")
    return scalarLoad(parts);
  std::optional<Space> space = spaceOf(parts.front());
  if (!space)
    return std::nullopt;
  Parts rest = parts.subspan(1);
  MemoryAccess access = {*space, Kind::Load, bitsOf(rest), hintOf(operands)};
  if (startsWithAny(rest, "load") || startsWithAny(rest, "read") || startsWithAny(rest, "sample"))
    return access;
  constexpr std::string_view lanes[] = {"swizzle", "permute", "bpermute", "nop", "gws", "ordered",
                                        "wbl2",    "inv",     "wbinvl1",  "gl0", "gl1"};
  if (startsWithAny(rest, "store") || startsWithAny(rest, "write"))
    access.kind = Kind::Store;
  else if (parts.size() > 1 &&
           (parts[1] == "atomic" || (*space == Space::Shared && !isOneOf(parts[1], lanes))))
    access = {*space, Kind::Atomic, bitsOfAtomic(rest), access.hint};
  else
    return std::nullopt;
  return access;
}

Role roleOf(std::string_view opcode) {
  if (opcode.starts_with("s_barrier"))
    return Role::Barrier;
  if (opcode.starts_with("s_branch") || opcode.starts_with("s_cbranch"))
    return Role::Branch;
  constexpr std::string_view products[] = {"v_fma_",    "v_fmac_",    "v_fmaak_",  "v_fmamk_",
                                           "v_pk_fma_", "v_pk_fmac_", "v_dual_fma"};
  return std::ranges::any_of(products, [&](auto prefix) { return opcode.starts_with(prefix); })
             ? Role::Fma
             : Role::Other;
}

} // namespace

Meaning meaningInAmdgcn(std::string_view instruction) {
  std::string_view rest = trimmed(instruction);
  std::string_view opcode = takeWord(rest);
  std::vector<std::string_view> parts = split(opcode, '_');
  return {std::string(opcode), roleOf(opcode), accessOf(parts, rest)};
}

} // namespace regrain::listing
