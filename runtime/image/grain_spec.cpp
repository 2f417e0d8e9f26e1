//===- grain_spec.cpp - Parsing SPEC --------------------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/image/grain_spec.h"

#include "runtime/image/grain_forms.h"

namespace regrain {
namespace {

const GrainKey *findKey(std::string_view name, bool isBare) {
  for (const GrainKey &key : grainKeys())
    if (key.name == name && key.isBare == isBare)
      return &key;
  return nullptr;
}

/// Returns " names none of block, thread and for", with the names of the table.
std::string namesNone() {
  std::vector<std::string_view> names;
  for (const GrainKey &key : grainKeys())
    if (!key.isBare)
      names.push_back(key.name);
  std::string text = " names none of ";
  for (size_t i = 0; i < names.size(); ++i) {
    const char *between = i == 0 ? "" : i + 1 == names.size() ? " and " : ", ";
    text += between + std::string(names[i]);
  }
  return text;
}

/// Returns what is wrong with the piece, or an empty text.
std::string readPiece(SpecReader &reader, std::string_view piece) {
  size_t equals = piece.find('=');
  if (equals == std::string_view::npos) {
    const GrainKey *bare = findKey(piece, /*isBare=*/true);
    return bare ? bare->read(reader, *bare, {}) : " has no '='";
  }
  std::string_view name = piece.substr(0, equals);
  size_t dot = name.find('.');
  const GrainKey *key = findKey(name.substr(0, dot), /*isBare=*/false);
  SpecPiece said = {{}, piece.substr(equals + 1)};
  if (dot != std::string_view::npos) {
    said.part = name.substr(dot + 1);
    if (said.part.empty())
      return " lacks a dimension after '.'";
    if (key && !key->hasParts)
      key = nullptr;
  }
  return key ? key->read(reader, *key, said) : namesNone();
}

} // namespace

bool isGrainModifier(std::string_view text) {
  std::string_view word = text.substr(0, text.find(','));
  for (const GrainKey &key : grainKeys())
    if (!key.modifier.empty() && key.modifier == word)
      return true;
  return false;
}

size_t findOutside(std::string_view text, char wanted, size_t at) {
  int depth = 0;
  for (; at < text.size(); ++at) {
    char c = text[at];
    if (depth == 0 && c == wanted)
      return at;
    depth += c == '<' || c == '(' || c == '[' || c == '{';
    depth -= c == '>' || c == ')' || c == ']' || c == '}';
  }
  return text.size();
}

bool addPiece(Grain &grain, std::string_view piece) {
  SpecReader reader;
  reader.spec.grain = grain;
  if (!readPiece(reader, piece).empty() || reader.spec.hasTotals())
    return false;
  grain = reader.spec.grain;
  return true;
}

std::string findContradiction(const Grain &grain) {
  constexpr RuleOrder orders[] = {RuleOrder::Whole, RuleOrder::Steps, RuleOrder::Parts,
                                  RuleOrder::Values, RuleOrder::Launch};
  for (RuleOrder order : orders)
    for (const GrainKey &key : grainKeys())
      for (const GrainRule &rule : key.rules)
        if (rule.order == order)
          if (std::string broken = rule.find(grain); !broken.empty())
            return broken;
  return {};
}

OrError<GrainSpec> parseGrainSpec(std::string_view text) {
  SpecReader reader;
  if (text == originalId)
    return reader.spec;
  if (text.empty())
    return tl::make_unexpected("the grain is empty; 'block.x=4,thread.y=2' is one");
  for (size_t at = 0; at <= text.size();) {
    size_t comma = findOutside(text, ',', at);
    std::string_view piece = text.substr(at, comma - at);
    if (std::string wrong = readPiece(reader, piece); !wrong.empty())
      return tl::unexpected(quoted(piece) + wrong);
    at = comma + 1;
  }
  // Totals are not distributed over the dimensions yet; the other pieces can
  // already contradict each other.
  if (!reader.spec.hasTotals())
    if (std::string wrong = findContradiction(reader.spec.grain); !wrong.empty())
      return tl::unexpected(quoted(text) + ": " + wrong);
  return reader.spec;
}

} // namespace regrain
