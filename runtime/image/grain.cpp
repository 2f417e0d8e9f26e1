//===- grain.cpp - The grain of a kernel and its SPEC notation ------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/image/grain.h"

#include <algorithm>
#include <charconv>
#include <fnmatch.h>
#include <functional>
#include <vector>

namespace regrain {
namespace {

constexpr char dimensionNames[3] = {'x', 'y', 'z'};
constexpr std::string_view originalId = "original";

std::string quoted(std::string_view piece) { return "'" + std::string(piece) + "'"; }

/// One loop of the nest while its pieces are read.
struct LoopSpec {
  std::string_view name;
  Factors &factors;
  std::optional<uint32_t> &total;
  std::array<bool, 3> given = {};
};

std::optional<uint32_t> parseFactor(std::string_view text) {
  uint32_t value = 0;
  auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failed != std::errc() || end != text.data() + text.size() || value == 0)
    return std::nullopt;
  return value;
}

/// Stores "block.x=4" or "block=4", already split. Returns what is wrong.
std::string store(LoopSpec &loop, std::string_view dimension, uint32_t factor) {
  bool anyGiven = loop.given[0] || loop.given[1] || loop.given[2];
  std::string name(loop.name);
  if (dimension.empty()) {
    if (loop.total)
      return name + " is given twice";
    if (anyGiven)
      return name + " is given both in total and per dimension";
    loop.total = factor;
    return {};
  }
  auto *found = std::find(dimensionNames, dimensionNames + 3, dimension[0]);
  if (dimension.size() != 1 || found == dimensionNames + 3)
    return "there is no dimension " + quoted(dimension) + "; x, y or z is meant";
  size_t index = found - dimensionNames;
  if (loop.total)
    return name + " is given both in total and per dimension";
  if (loop.given[index])
    return name + "." + *found + " is given twice";
  loop.given[index] = true;
  loop.factors[index] = factor;
  return {};
}

std::string parsePiece(std::string_view piece, LoopSpec &block, LoopSpec &thread) {
  size_t equals = piece.find('=');
  if (equals == std::string_view::npos)
    return quoted(piece) + " has no '='";
  std::string_view key = piece.substr(0, equals);
  std::string_view value = piece.substr(equals + 1);
  size_t dot = key.find('.');
  std::string_view name = key.substr(0, dot);
  std::string_view dimension;
  if (dot != std::string_view::npos) {
    dimension = key.substr(dot + 1);
    if (dimension.empty())
      return quoted(piece) + " lacks a dimension after '.'";
  }
  if (name != block.name && name != thread.name)
    return quoted(piece) + " names neither block nor thread";
  std::optional<uint32_t> factor = parseFactor(value);
  if (!factor)
    return quoted(piece) + " needs a whole number of at least 1";
  std::string wrong = store(name == block.name ? block : thread, dimension, *factor);
  return wrong.empty() ? wrong : quoted(piece) + ": " + wrong;
}

std::vector<uint32_t> primeFactorsDescending(uint32_t value) {
  std::vector<uint32_t> primes;
  for (uint64_t prime = 2; prime * prime <= value; ++prime)
    for (; value % prime == 0; value /= prime)
      primes.push_back(prime);
  if (value > 1)
    primes.push_back(value);
  std::sort(primes.begin(), primes.end(), std::greater<>());
  return primes;
}

void spread(uint32_t total, std::array<bool, 3> uses, Factors &factors) {
  // A kernel that uses no dimension still has x.
  if (!uses[0] && !uses[1] && !uses[2])
    uses[0] = true;
  for (uint32_t prime : primeFactorsDescending(total)) {
    int best = -1;
    for (int d = 0; d < 3; ++d)
      if (uses[d] && (best < 0 || factors[d] < factors[best]))
        best = d;
    factors[best] *= prime;
  }
}

/// Calls emit(loop name, dimension name, factor) for each factor above 1.
template <typename Emit> void forEachFactor(const Grain &grain, Emit emit) {
  for (int d = 0; d < 3; ++d)
    if (grain.block[d] > 1)
      emit("block", dimensionNames[d], grain.block[d]);
  for (int d = 0; d < 3; ++d)
    if (grain.thread[d] > 1)
      emit("thread", dimensionNames[d], grain.thread[d]);
}

/// Where the parameter list begins: the '(' that the last ')' closes.
size_t parameterListStart(std::string_view name) {
  size_t close = name.rfind(')');
  if (close == std::string_view::npos)
    return name.size();
  int depth = 0;
  for (size_t at = close + 1; at-- > 0;) {
    if (name[at] == ')')
      ++depth;
    else if (name[at] == '(' && --depth == 0)
      return at;
  }
  return name.size();
}

bool matches(const std::string &glob, std::string_view text) {
  return fnmatch(glob.c_str(), std::string(text).c_str(), 0) == 0;
}

} // namespace

std::optional<GrainSpec> parseGrainSpec(std::string_view text, std::string &error) {
  GrainSpec spec;
  if (text == originalId)
    return spec;
  if (text.empty()) {
    error = "the grain is empty; 'block.x=4,thread.y=2' is one";
    return std::nullopt;
  }
  LoopSpec block{"block", spec.grain.block, spec.blockTotal};
  LoopSpec thread{"thread", spec.grain.thread, spec.threadTotal};
  for (size_t at = 0; at <= text.size();) {
    size_t comma = std::min(text.find(',', at), text.size());
    std::string wrong = parsePiece(text.substr(at, comma - at), block, thread);
    if (!wrong.empty()) {
      error = std::move(wrong);
      return std::nullopt;
    }
    at = comma + 1;
  }
  return spec;
}

std::string toString(const Grain &grain) {
  std::string text;
  forEachFactor(grain, [&](const char *loop, char dimension, uint32_t factor) {
    text += text.empty() ? "" : ",";
    text += std::string(loop) + "." + dimension + "=" + std::to_string(factor);
  });
  return text.empty() ? std::string(originalId) : text;
}

std::string toSymbolSuffix(const Grain &grain) {
  std::string text;
  forEachFactor(grain, [&](const char *loop, char dimension, uint32_t factor) {
    text += text.empty() ? "" : "_";
    text += std::string(loop) + "_" + dimension + std::to_string(factor);
  });
  return text.empty() ? std::string(originalId) : text;
}

Grain balance(const GrainSpec &spec, std::array<bool, 3> blockUses,
              std::array<bool, 3> threadUses) {
  Grain grain = spec.grain;
  if (spec.blockTotal)
    spread(*spec.blockTotal, blockUses, grain.block);
  if (spec.threadTotal)
    spread(*spec.threadTotal, threadUses, grain.thread);
  return grain;
}

std::optional<GrainRequest> parseGrainRequest(std::string_view text, std::string &error) {
  size_t colon = text.rfind(':');
  if (colon == std::string_view::npos) {
    error = quoted(text) + " has no ':' between the kernel and the grain";
    return std::nullopt;
  }
  GrainRequest request{std::string(text.substr(0, colon)), std::string(text.substr(colon + 1))};
  if (request.glob.empty() || request.spec.empty()) {
    error = quoted(text) +
            (request.glob.empty() ? " names no kernel before ':'" : " names no grain after ':'");
    return std::nullopt;
  }
  return request;
}

bool matchesKernel(std::string_view glob, std::string_view demangledName) {
  std::string pattern(glob);
  std::string_view name = demangledName;
  if (glob.find('(') == std::string_view::npos)
    name = name.substr(0, parameterListStart(name));
  if (matches(pattern, name))
    return true;
  // Template instances demangle with their return type, which nobody types.
  constexpr std::string_view returnType = "void ";
  return name.starts_with(returnType) && matches(pattern, name.substr(returnType.size()));
}

} // namespace regrain
