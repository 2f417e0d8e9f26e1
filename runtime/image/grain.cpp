//===- grain.cpp - The grain of a kernel and its SPEC notation ------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/image/grain_forms.h"
#include "runtime/image/grain_spec.h"

#include <algorithm>
#include <cctype>
#include <fnmatch.h>
#include <functional>
#include <vector>

namespace regrain {
namespace {

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

/// Returns the pieces of a canonical SPEC.
std::vector<std::string> piecesOf(const Grain &grain) {
  std::vector<std::string> pieces;
  for (const GrainKey &key : grainKeys())
    key.write(grain, key, pieces);
  return pieces;
}

/// Template instances demangle with their return type, which users do not write.
constexpr std::string_view returnType = "void ";

/// Returns where the parameter list begins: the '(' that matches the last ')'.
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

/// Returns the last colon before `end` that is no part of "::", and that lies outside of the
/// angle brackets of a kernel's name.
size_t findLastColon(std::string_view text, size_t end) {
  int depth = 0;
  for (size_t at = end; at-- > 0;) {
    depth += text[at] == '>';
    depth -= text[at] == '<';
    if (text[at] != ':' || depth > 0)
      continue;
    if (at == 0 || text[at - 1] != ':')
      return at;
    --at;
  }
  return std::string_view::npos;
}

bool matches(const std::string &glob, std::string_view text) {
  return fnmatch(glob.c_str(), std::string(text).c_str(), 0) == 0;
}

} // namespace

std::vector<std::string> piecesOf(const Grain &grain, const GrainKey &key) {
  std::vector<std::string> pieces;
  key.write(grain, key, pieces);
  return pieces;
}

std::string toString(const Grain &grain) {
  std::string text;
  for (const std::string &piece : piecesOf(grain))
    text += (text.empty() ? "" : ",") + piece;
  return text.empty() ? std::string(originalId) : text;
}

/// "block.x=4,for.arg1=-2" becomes "block_x4_for_arg1_m2": after a name that
/// ends in a digit, the value is separated.
std::string toSymbolSuffix(const Grain &grain) {
  std::string text;
  for (const std::string &piece : piecesOf(grain)) {
    text += text.empty() ? "" : "_";
    for (size_t i = 0; i < piece.size(); ++i) {
      char c = piece[i];
      if (c == '-')
        text += 'm';
      else if (c == '.' || c == ':' || (c == 'x' && i && std::isdigit(piece[i - 1])))
        text += '_';
      else if (c != '=' && (std::isalnum(static_cast<unsigned char>(c)) || c == '_'))
        text += c;
      else if (c != '=')
        text += "_" + std::to_string(static_cast<unsigned char>(c)) + "_";
      else if (std::isdigit(piece[i - 1]) || piece[i + 1] == '-')
        text += '_';
    }
  }
  return text.empty() ? std::string(originalId) : text;
}

Grain balance(const GrainSpec &spec, std::array<bool, 3> blockUses,
              std::array<bool, 3> threadUses) {
  Grain grain = spec.grain;
  for (const GrainKey &key : grainKeys())
    if (const GrainLoop *loop = key.loop)
      if (std::optional<uint32_t> total = spec.*loop->total)
        spread(*total, loop->ofThreads ? threadUses : blockUses, grain.*loop->factors);
  return grain;
}

OrError<GrainRequest> parseGrainRequest(std::string_view text) {
  size_t colon = findLastColon(text, text.size());
  while (colon != std::string_view::npos && isGrainModifier(text.substr(colon + 1)))
    colon = findLastColon(text, colon);
  if (colon == std::string_view::npos)
    return tl::unexpected(quoted(text) + " has no ':' between the kernel and the grain");
  GrainRequest request{std::string(text.substr(0, colon)), std::string(text.substr(colon + 1))};
  if (request.glob.empty())
    return tl::unexpected(quoted(text) + " names no kernel before ':'");
  if (request.spec.empty())
    return tl::unexpected(quoted(text) + " names no grain after ':'");
  return request;
}

std::string variantName(std::string_view name) {
  for (size_t end = findOutside(name, ':'); end + 1 < name.size(); end = findOutside(name, ':'))
    name.remove_prefix(std::min(end + 2, name.size()));
  std::string text;
  for (char c : name)
    if (c != ' ' || !text.ends_with(','))
      text += c;
  // Brackets that do not match, as in the name of an operator, would hide the next piece.
  bool isWhole = findOutside(text + ",", ',') == text.size() && text.find('=') == text.npos;
  return isWhole ? text : std::string();
}

std::string nameOfVariant(std::string_view demangledName) {
  std::string_view name = demangledName.substr(0, parameterListStart(demangledName));
  if (name.starts_with(returnType))
    name.remove_prefix(returnType.size());
  return variantName(name);
}

bool matchesKernel(std::string_view glob, std::string_view demangledName) {
  std::string pattern(glob);
  std::string_view name = demangledName;
  if (glob.find('(') == std::string_view::npos)
    name = name.substr(0, parameterListStart(name));
  if (matches(pattern, name))
    return true;
  return name.starts_with(returnType) && matches(pattern, name.substr(returnType.size()));
}

} // namespace regrain
