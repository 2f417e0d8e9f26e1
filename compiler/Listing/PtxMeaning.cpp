//===- PtxMeaning.cpp - What PTX instructions do --------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Listing/Ptx.h"

#include "compiler/Listing/Words.h"

#include <charconv>

namespace regrain::listing {
namespace {

using Parts = std::span<const std::string_view>;

/// Returns the number at the end of a type ("f32", "b128"), otherwise 0.
unsigned bitsOfType(std::string_view type) {
  constexpr std::string_view letters[] = {"b", "u", "s", "f", "bf"};
  size_t digit = type.find_first_of("0123456789");
  if (digit == std::string_view::npos || !isOneOf(type.substr(0, digit), letters))
    return 0;
  unsigned bits = 0, lanes = 1;
  const char *end = type.data() + type.size();
  const char *rest = std::from_chars(type.data() + digit, end, bits).ptr;
  if (rest != end && (*rest != 'x' || std::from_chars(rest + 1, end, lanes).ptr != end))
    return 0;
  return bits * lanes;
}

/// Returns the bits of all elements: the type's, times those of the vector.
unsigned bitsOf(Parts parts) {
  unsigned bits = 0, elements = 1;
  for (std::string_view part : parts) {
    if (unsigned ofType = bitsOfType(part))
      bits = ofType;
    else if (part == "v2" || part == "x2")
      elements = 2;
    else if (part == "v4" || part == "x4")
      elements = 4;
    else if (part == "v8")
      elements = 8;
  }
  return bits * elements;
}

Space spaceOf(Parts parts) {
  for (std::string_view part : parts) {
    if (part == "global")
      return Space::Global;
    if (part.starts_with("shared"))
      return Space::Shared;
    if (part == "local")
      return Space::Local;
    if (part == "const")
      return Space::Constant;
    if (part.starts_with("param"))
      return Space::Parameter;
  }
  return Space::Generic;
}

std::string hintOf(Parts parts) {
  constexpr std::string_view hints[] = {"nc",      "ca",      "cg",      "cs",     "lu",
                                        "cv",      "wb",      "wt",      "mmio",   "volatile",
                                        "relaxed", "acquire", "release", "acq_rel"};
  std::string hint;
  for (std::string_view part : parts)
    if (isOneOf(part, hints) || part.starts_with("L1::") || part.starts_with("L2::"))
      append(hint, part, ".");
  return hint;
}

/// Returns the bits that cp.async copies: its third operand says how many bytes.
unsigned bitsCopied(std::string_view operands) {
  std::vector<std::string_view> each = split(operands, ',');
  unsigned bytes = 0;
  if (each.size() >= 3) {
    std::string_view third = trimmed(each[2]);
    std::from_chars(third.data(), third.data() + third.size(), bytes);
  }
  return 8 * bytes;
}

std::optional<MemoryAccess> accessOf(Parts parts, std::string_view operands) {
  constexpr std::string_view textures[] = {"tex", "tld4", "suld"};
  std::string_view name = parts.front();
  Parts modifiers = parts.subspan(1);
  MemoryAccess access = {spaceOf(modifiers), Kind::Load, bitsOf(modifiers), hintOf(modifiers)};
  if (name == "ld" || name == "ldu")
    return access;
  if (name == "ldmatrix" || name == "stmatrix") {
    // Each lane holds 32 bits of each 8x8 matrix of 16-bit elements.
    unsigned matrices = std::max(1u, bitsOf(modifiers) / 16);
    return MemoryAccess{Space::Shared, name == "ldmatrix" ? Kind::Load : Kind::Store, 32 * matrices,
                        access.hint};
  }
  if (name == "st")
    access.kind = Kind::Store;
  else if (name == "atom" || name == "red")
    access.kind = Kind::Atomic;
  else if (name == "prefetch" || name == "prefetchu")
    access = {access.space, Kind::Prefetch, 0,
              std::string(modifiers.empty() ? "" : modifiers.back())};
  else if (name == "cp" && modifiers.size() > 1 && modifiers[1] == "bulk")
    access = {Space::Global, Kind::Copy, 0, "bulk"};
  else if (name == "cp" && modifiers.size() > 2)
    access = {Space::Global, Kind::Copy, bitsCopied(operands), access.hint};
  else if (isOneOf(name, textures))
    access = {Space::Texture, Kind::Load, 0, ""};
  else if (name == "sust")
    access = {Space::Texture, Kind::Store, 0, ""};
  else
    return std::nullopt;
  return access;
}

Role roleOf(Parts parts) {
  std::string_view name = parts.front();
  bool isForWarp = parts.size() > 1 && parts[1] == "warp";
  if ((name == "bar" || name == "barrier") && !isForWarp)
    return Role::Barrier;
  if (name == "bra" || name == "brx")
    return Role::Branch;
  return name == "fma" ? Role::Fma : Role::Other;
}

} // namespace

Meaning meaningInPtx(std::string_view statement) {
  std::string_view rest = trimmed(statement);
  if (rest.starts_with('@'))
    takeWord(rest);
  std::string_view opcode = takeWord(rest);
  std::vector<std::string_view> parts = split(opcode, '.');
  // cp.async.commit_group, cp.async.wait_group and cp.async.mbarrier.arrive copy nothing.
  bool waits = opcode.starts_with("cp.") && (opcode.find("_group") != std::string_view::npos ||
                                             opcode.starts_with("cp.async.mbarrier"));
  return {std::string(opcode), roleOf(parts), waits ? std::nullopt : accessOf(parts, rest)};
}

} // namespace regrain::listing
