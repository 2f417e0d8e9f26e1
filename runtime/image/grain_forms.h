//===- grain_forms.h - The forms of values in a SPEC ------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions that read return what is wrong, to follow the quoted piece, or an empty
// text.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/image/grain_keys.h"

#include <algorithm>
#include <charconv>

namespace regrain {

inline constexpr std::string_view dimensionNames = "xyz";

[[nodiscard]] inline std::string quoted(std::string_view piece) {
  return "'" + std::string(piece) + "'";
}

template <typename T> std::optional<T> parseWhole(std::string_view text) {
  T value = 0;
  auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failed != std::errc() || end != text.data() + text.size())
    return std::nullopt;
  return value;
}

/// Parses a factor, which is at least 1.
[[nodiscard]] std::optional<uint32_t> parseFactor(std::string_view text);

/// Reads a size in full ("128x1x2") or shortened ("128", "128x2").
[[nodiscard]] std::string readSize(std::optional<Factors> &size, std::string_view value);
[[nodiscard]] std::string sizeText(const Factors &size);

/// Reads "block.x=4", "block=8" and "thread.x=4:contiguous", for keys with a
/// loop.
[[nodiscard]] std::string readLoop(SpecReader &reader, const GrainKey &key, const SpecPiece &piece);
void writeLoop(const Grain &grain, const GrainKey &key, std::vector<std::string> &pieces);

/// Reads a number for code generators, for keys with `least` and `most`.
[[nodiscard]] std::string readCodegen(SpecReader &reader, const GrainKey &key,
                                      const SpecPiece &piece);
void writeCodegen(const Grain &grain, const GrainKey &key, std::vector<std::string> &pieces);

/// Reads one of the key's words for code generators, for keys with `words`.
[[nodiscard]] std::string readTargetWord(SpecReader &reader, const GrainKey &key,
                                         const SpecPiece &piece);
void writeTargetWord(const Grain &grain, const GrainKey &key, std::vector<std::string> &pieces);

/// Reads and writes the launch for which a grain is compiled, for the key `for`.
[[nodiscard]] std::string readKnown(SpecReader &reader, const GrainKey &key,
                                    const SpecPiece &piece);
void writeKnown(const Grain &grain, const GrainKey &key, std::vector<std::string> &pieces);

/// Reads one of `words`, which name the values of `field` from 1 on; 0 is the default.
template <typename T>
std::string readWord(T &field, std::string_view value, std::span<const std::string_view> words,
                     std::string_view twice, std::string_view unknown) {
  if (field != T())
    return std::string(twice);
  auto found = std::find(words.begin(), words.end(), value);
  if (found == words.end())
    return std::string(unknown);
  field = T(found - words.begin() + 1);
  return {};
}

template <typename T>
void writeWord(T field, const GrainKey &key, std::span<const std::string_view> words,
               std::vector<std::string> &pieces) {
  if (field != T())
    pieces.push_back(std::string(key.name) + "=" + std::string(words[size_t(field) - 1]));
}

} // namespace regrain
