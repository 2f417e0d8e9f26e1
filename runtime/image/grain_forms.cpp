//===- grain_forms.cpp - The forms of values in a SPEC --------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/image/grain_forms.h"

namespace regrain {
namespace {

std::optional<Factors> parseSize(std::string_view text) {
  Factors size = {1, 1, 1};
  for (size_t d = 0;; ++d) {
    size_t end = std::min(text.find('x'), text.size());
    std::optional<uint32_t> extent = parseFactor(text.substr(0, end));
    if (!extent || d == size.size())
      return std::nullopt;
    size[d] = *extent;
    if (end == text.size())
      return size;
    text.remove_prefix(end + 1);
  }
}

std::string sayBothForms(const std::string &loop) {
  return loop + "= (all dimensions together) and " + loop +
         ".x= (one dimension) cannot be combined";
}

/// Stores "block=4". Returns what is wrong, or an empty text.
std::string storeTotal(SpecReader &reader, const GrainKey &key, uint32_t factor) {
  std::string loop(key.name);
  std::optional<uint32_t> &total = reader.spec.*key.loop->total;
  if (total)
    return loop + " is given twice";
  for (char dimension : dimensionNames)
    if (reader.given.contains(loop + "." + dimension))
      return sayBothForms(loop);
  total = factor;
  return {};
}

/// Stores "block.x=4". Returns what is wrong, or an empty text.
std::string storeFactor(SpecReader &reader, const GrainKey &key, std::string_view dimension,
                        uint32_t factor) {
  std::string loop(key.name);
  size_t index = dimensionNames.find(dimension);
  if (dimension.size() != 1 || index == std::string_view::npos)
    return "there is no dimension " + quoted(dimension) + "; use x, y or z";
  if (reader.spec.*key.loop->total)
    return sayBothForms(loop);
  std::string name = loop + "." + dimensionNames[index];
  if (!reader.given.insert(name).second)
    return name + " is given twice";
  (reader.spec.grain.*key.loop->factors)[index] = factor;
  return {};
}

} // namespace

std::optional<uint32_t> parseFactor(std::string_view text) {
  std::optional<uint32_t> value = parseWhole<uint32_t>(text);
  return value == 0u ? std::nullopt : value;
}

std::string readSize(std::optional<Factors> &size, std::string_view value) {
  if (size)
    return ": it is given twice";
  size = parseSize(value);
  return size ? "" : " needs a size such as 128x1x2";
}

std::string sizeText(const Factors &size) {
  return std::to_string(size[0]) + "x" + std::to_string(size[1]) + "x" + std::to_string(size[2]);
}

std::string readLoop(SpecReader &reader, const GrainKey &key, const SpecPiece &piece) {
  size_t colon = piece.value.find(':');
  if (colon != std::string_view::npos) {
    std::string_view modifier = piece.value.substr(colon + 1);
    if (!key.loop->modifier || modifier != key.modifier)
      return ": " + std::string(key.name) + " has no modifier " + quoted(modifier);
    reader.spec.grain.*key.loop->modifier = true;
  }
  std::optional<uint32_t> factor = parseFactor(piece.value.substr(0, colon));
  if (!factor)
    return " needs a whole number of at least 1";
  std::string wrong = piece.part.empty() ? storeTotal(reader, key, *factor)
                                         : storeFactor(reader, key, piece.part, *factor);
  return wrong.empty() ? wrong : ": " + wrong;
}

void writeLoop(const Grain &grain, const GrainKey &key, std::vector<std::string> &pieces) {
  const Factors &factors = grain.*key.loop->factors;
  for (size_t d = 0; d < factors.size(); ++d)
    if (factors[d] > 1)
      pieces.push_back(std::string(key.name) + "." + dimensionNames[d] + "=" +
                       std::to_string(factors[d]));
  if (key.loop->modifier && grain.*key.loop->modifier && !isOne(factors))
    pieces.back() += ":" + std::string(key.modifier);
}

std::string readCodegen(SpecReader &reader, const GrainKey &key, const SpecPiece &piece) {
  std::optional<uint32_t> number = parseWhole<uint32_t>(piece.value);
  if (!number || *number < key.least || *number > key.most)
    return " needs a whole number of " + std::to_string(key.least) + " to " +
           std::to_string(key.most);
  return reader.spec.grain.codegen.emplace(key.name, *number).second ? "" : ": it is given twice";
}

void writeCodegen(const Grain &grain, const GrainKey &key, std::vector<std::string> &pieces) {
  if (auto found = grain.codegen.find(key.name); found != grain.codegen.end())
    pieces.push_back(std::string(key.name) + "=" + std::to_string(found->second));
}

std::string readTargetWord(SpecReader &reader, const GrainKey &key, const SpecPiece &piece) {
  auto found = std::find(key.words.begin(), key.words.end(), piece.value);
  if (found != key.words.end())
    return reader.spec.grain.words.emplace(key.name, *found).second ? "" : ": it is given twice";
  std::string all;
  for (size_t i = 0; i < key.words.size(); ++i)
    all += std::string(i == 0                      ? ""
                       : i + 1 == key.words.size() ? " or "
                                                   : ", ") +
           std::string(key.words[i]);
  return ": " + std::string(key.name) + " can be " + all;
}

void writeTargetWord(const Grain &grain, const GrainKey &key, std::vector<std::string> &pieces) {
  if (auto found = grain.words.find(key.name); found != grain.words.end())
    pieces.push_back(std::string(key.name) + "=" + std::string(found->second));
}

} // namespace regrain
