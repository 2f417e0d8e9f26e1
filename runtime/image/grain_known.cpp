//===- grain_known.cpp - The launch for which a grain is compiled ---------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/image/grain_forms.h"

namespace regrain {
namespace {

std::string readPointers(KnownLaunch &known, std::string_view value) {
  if (known.pointers)
    return ": it is given twice";
  known.pointers = parseWhole<uint32_t>(value).value_or(0);
  return known.pointers > 1 ? "" : " needs a number of bytes: a power of two from 2 to 128";
}

std::string readAliases(KnownLaunch &known, std::string_view value) {
  if (value != "none")
    return ": for.aliases can be none";
  return std::exchange(known.disjoint, true) ? ": it is given twice" : "";
}

std::string readMultiple(KnownLaunch &known, uint32_t parameter, std::string_view value) {
  std::optional<uint32_t> factor = parseWhole<uint32_t>(value);
  if (!factor || *factor < 2)
    return " needs a factor of at least 2 before n";
  known.multiples.emplace(parameter, *factor);
  return {};
}

} // namespace

std::string readKnown(SpecReader &reader, const GrainKey &, const SpecPiece &piece) {
  KnownLaunch &known = reader.spec.grain.known;
  if (piece.part == "block")
    return readSize(known.block, piece.value);
  if (piece.part == "grid")
    return readSize(known.grid, piece.value);
  if (piece.part == "pointers")
    return readPointers(known, piece.value);
  if (piece.part == "aliases")
    return readAliases(known, piece.value);
  constexpr std::string_view argument = "arg";
  std::optional<uint32_t> parameter;
  if (piece.part.starts_with(argument))
    parameter = parseWhole<uint32_t>(piece.part.substr(argument.size()));
  if (!parameter)
    return ": after for. comes block, grid, pointers, aliases or an argument such as arg0";
  if (known.arguments.contains(*parameter) || known.multiples.contains(*parameter))
    return ": it is given twice";
  if (piece.value.ends_with('n'))
    return readMultiple(known, *parameter, piece.value.substr(0, piece.value.size() - 1));
  std::optional<int64_t> number = parseWhole<int64_t>(piece.value);
  if (!number)
    return " needs a whole number of 64 bits, or a factor such as 4n";
  known.arguments.emplace(*parameter, *number);
  return {};
}

void writeKnown(const Grain &grain, const GrainKey &, std::vector<std::string> &pieces) {
  if (grain.known.block)
    pieces.push_back("for.block=" + sizeText(*grain.known.block));
  if (grain.known.grid)
    pieces.push_back("for.grid=" + sizeText(*grain.known.grid));
  for (auto [parameter, value] : grain.known.arguments)
    pieces.push_back("for.arg" + std::to_string(parameter) + "=" + std::to_string(value));
  for (auto [parameter, factor] : grain.known.multiples)
    pieces.push_back("for.arg" + std::to_string(parameter) + "=" + std::to_string(factor) + "n");
  if (grain.known.pointers)
    pieces.push_back("for.pointers=" + std::to_string(grain.known.pointers));
  if (grain.known.disjoint)
    pieces.emplace_back("for.aliases=none");
}

} // namespace regrain
