//===- grain_spec.cpp - Reading SPEC --------------------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/image/grain_spec.h"

#include <algorithm>
#include <charconv>

namespace regrain {
namespace {

constexpr std::string_view dimensionNames = "xyz";
constexpr std::string_view contiguousName = "contiguous";
constexpr std::string_view remainderName = "remainder";

std::string quoted(std::string_view piece) { return "'" + std::string(piece) + "'"; }

template <typename T> std::optional<T> parseWhole(std::string_view text) {
  T value = 0;
  auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failed != std::errc() || end != text.data() + text.size())
    return std::nullopt;
  return value;
}

std::optional<uint32_t> parseFactor(std::string_view text) {
  std::optional<uint32_t> value = parseWhole<uint32_t>(text);
  return value == 0u ? std::nullopt : value;
}

/// "128", "128x2" or "128x1x2".
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

/// One loop of the nest while its pieces are read.
struct LoopSpec {
  std::string_view name;
  Factors &factors;
  std::optional<uint32_t> &total;
  std::string_view modifierName; ///< empty: none
  bool *modifier;
  std::array<bool, 3> given = {};

  std::string store(std::string_view dimension, uint32_t factor);
};

/// Stores "block.x=4" or "block=4", already split. Returns what is wrong.
std::string LoopSpec::store(std::string_view dimension, uint32_t factor) {
  bool anyGiven = given[0] || given[1] || given[2];
  std::string loop(name);
  if (dimension.empty()) {
    if (total)
      return loop + " is given twice";
    if (anyGiven)
      return loop + " is given both in total and per dimension";
    total = factor;
    return {};
  }
  size_t index = dimensionNames.find(dimension);
  if (dimension.size() != 1 || index == std::string_view::npos)
    return "there is no dimension " + quoted(dimension) + "; x, y or z is meant";
  if (total)
    return loop + " is given both in total and per dimension";
  if (given[index])
    return loop + "." + dimensionNames[index] + " is given twice";
  given[index] = true;
  factors[index] = factor;
  return {};
}

class Parser {
public:
  /// Returns what is wrong with the piece, or nothing.
  std::string parse(std::string_view piece);

  GrainSpec spec;

private:
  std::string parseLoop(LoopSpec &loop, std::string_view dimension, std::string_view value);
  std::string parseKnown(std::string_view what, std::string_view value);
  std::string storeSize(std::optional<Factors> &size, std::string_view value);
  std::string parseShared(std::string_view value);
  std::string parseStores(std::string_view value);
  std::string parseAddresses(std::string_view value);
  std::string parseBound(std::string_view value);

  LoopSpec loops[3] = {
      {"block", spec.grain.block, spec.blockTotal, remainderName, &spec.grain.remainder},
      {"thread", spec.grain.thread, spec.threadTotal, contiguousName, &spec.grain.contiguous},
      {"fuse", spec.grain.fuse, spec.fuseTotal, {}, nullptr}};
};

std::string Parser::storeSize(std::optional<Factors> &size, std::string_view value) {
  if (size)
    return ": it is given twice";
  size = parseSize(value);
  return size ? "" : " needs a size such as 128x1x2";
}

std::string Parser::parseShared(std::string_view value) {
  if (spec.grain.shared != SharedArrays::United)
    return ": shared is given twice";
  if (value != "apart" && value != "global")
    return ": shared memory can be apart or global";
  spec.grain.shared = value == "apart" ? SharedArrays::Apart : SharedArrays::Global;
  return {};
}

std::string Parser::parseStores(std::string_view value) {
  if (spec.grain.nontemporal)
    return ": it is given twice";
  spec.grain.nontemporal = value == "nontemporal";
  return spec.grain.nontemporal ? "" : ": stores can be nontemporal";
}

std::string Parser::parseBound(std::string_view value) {
  if (spec.grain.bound)
    return ": bound is given twice";
  std::optional<uint32_t> bound = parseFactor(value);
  spec.grain.bound = bound.value_or(0);
  return bound ? "" : " needs a whole number of at least 1";
}

std::string Parser::parseAddresses(std::string_view value) {
  if (spec.grain.addresses != Addresses::Reduced)
    return ": it is given twice";
  if (value != "indexed" && value != "wide")
    return ": addresses can be indexed or wide";
  spec.grain.addresses = value == "wide" ? Addresses::Wide : Addresses::Indexed;
  return {};
}

std::string Parser::parseKnown(std::string_view what, std::string_view value) {
  KnownLaunch &known = spec.grain.known;
  if (what == "block")
    return storeSize(known.block, value);
  if (what == "grid")
    return storeSize(known.grid, value);
  constexpr std::string_view argument = "arg";
  std::optional<uint32_t> parameter;
  if (what.starts_with(argument))
    parameter = parseWhole<uint32_t>(what.substr(argument.size()));
  if (!parameter)
    return ": block, grid or an argument such as arg0 can be known";
  std::optional<int64_t> number = parseWhole<int64_t>(value);
  if (!number)
    return " needs a whole number of 64 bits";
  return known.arguments.emplace(*parameter, *number).second ? "" : ": it is given twice";
}

std::string Parser::parseLoop(LoopSpec &loop, std::string_view dimension, std::string_view value) {
  size_t colon = value.find(':');
  if (colon != std::string_view::npos) {
    std::string_view modifier = value.substr(colon + 1);
    if (!loop.modifier || modifier != loop.modifierName)
      return ": " + std::string(loop.name) + " has no modifier " + quoted(modifier);
    *loop.modifier = true;
  }
  std::optional<uint32_t> factor = parseFactor(value.substr(0, colon));
  if (!factor)
    return " needs a whole number of at least 1";
  std::string wrong = loop.store(dimension, *factor);
  return wrong.empty() ? wrong : ": " + wrong;
}

std::string Parser::parse(std::string_view piece) {
  if (piece == controlId && !spec.grain.control) {
    spec.grain.control = true;
    return {};
  }
  size_t equals = piece.find('=');
  if (equals == std::string_view::npos)
    return " has no '='";
  std::string_view key = piece.substr(0, equals);
  std::string_view value = piece.substr(equals + 1);
  size_t dot = key.find('.');
  std::string_view name = key.substr(0, dot);
  std::string_view dimension;
  if (dot != std::string_view::npos) {
    dimension = key.substr(dot + 1);
    if (dimension.empty())
      return " lacks a dimension after '.'";
  }
  if (name == "for")
    return parseKnown(dimension, value);
  if (key == "shape")
    return storeSize(spec.grain.shape, value);
  if (key == "shared")
    return parseShared(value);
  if (key == "stores")
    return parseStores(value);
  if (key == "addresses")
    return parseAddresses(value);
  if (key == "bound")
    return parseBound(value);
  for (LoopSpec &loop : loops)
    if (name == loop.name)
      return parseLoop(loop, dimension, value);
  return " names none of block, thread, fuse, shape, shared, stores, addresses, bound and for";
}

uint64_t product(const Factors &factors) { return uint64_t(factors[0]) * factors[1] * factors[2]; }

/// What CUDA lets a launch have, whatever the device.
constexpr uint64_t maxThreads = 1024;
constexpr Factors maxBlock = {1024, 1024, 64};
constexpr Factors maxGrid = {0x7fffffff, 65535, 65535};

bool exceeds(const Factors &size, const Factors &limits) {
  return size[0] > limits[0] || size[1] > limits[1] || size[2] > limits[2];
}

/// The launched block where the grain says what it is; empty, and `wrong` says
/// why, where there can be none.
std::optional<Factors> launchedBlock(const Grain &grain, std::string &wrong) {
  if (!grain.shape && !grain.known.block)
    return std::nullopt;
  Factors launched;
  for (int d = 0; d < 3; ++d) {
    uint64_t size =
        grain.shape ? (*grain.shape)[d] : uint64_t((*grain.known.block)[d]) * grain.fuse[d];
    if (size % grain.thread[d] != 0) {
      wrong = std::string("thread.") + dimensionNames[d] + "=" + std::to_string(grain.thread[d]) +
              " does not divide the block, which has " + std::to_string(size);
      return std::nullopt;
    }
    launched[d] = uint32_t(std::min<uint64_t>(size / grain.thread[d], maxThreads + 1));
  }
  return launched;
}

} // namespace

bool isGrainModifier(std::string_view text) {
  std::string_view word = text.substr(0, text.find(','));
  return word == contiguousName || word == remainderName;
}

std::string findContradiction(const Grain &grain) {
  if (grain.control && grain != Grain{.control = true})
    return "control is of no factors: it stands alone";
  if (grain.shape && product(grain.fuse) != 1)
    return "shape and fuse exclude each other: both say what the launched block is";
  unsigned coarsened = std::count_if(grain.block.begin(), grain.block.end(),
                                     [](uint32_t factor) { return factor != 1; });
  if (grain.remainder && coarsened != 1)
    return "a remainder is of block factors in one dimension";
  if (grain.shared == SharedArrays::Apart && product(grain.block) == 1)
    return "shared=apart is of block factors above 1";
  if (grain.contiguous && product(grain.thread) == 1)
    return "contiguous is of thread factors above 1";
  if (grain.bound > maxThreads)
    return "bound is larger than the block of any launch";
  if (grain.known.block &&
      (exceeds(*grain.known.block, maxBlock) || product(*grain.known.block) > maxThreads))
    return "for.block is larger than the block of any launch";
  if (grain.known.grid && exceeds(*grain.known.grid, maxGrid))
    return "for.grid is larger than the grid of any launch";
  std::string wrong;
  std::optional<Factors> launched = launchedBlock(grain, wrong);
  if (launched && (exceeds(*launched, maxBlock) || product(*launched) > maxThreads))
    return "the launched block has more threads than any can have";
  if (launched && grain.bound && product(*launched) > grain.bound)
    return "the launched block has more threads than the bound allows";
  return wrong;
}

std::optional<GrainSpec> parseGrainSpec(std::string_view text, std::string &error) {
  Parser parser;
  if (text == "original")
    return parser.spec;
  if (text.empty()) {
    error = "the grain is empty; 'block.x=4,thread.y=2' is one";
    return std::nullopt;
  }
  for (size_t at = 0; at <= text.size();) {
    size_t comma = std::min(text.find(',', at), text.size());
    std::string_view piece = text.substr(at, comma - at);
    std::string wrong = parser.parse(piece);
    if (!wrong.empty()) {
      error = quoted(piece) + wrong;
      return std::nullopt;
    }
    at = comma + 1;
  }
  // Totals are not known per dimension yet; what is can contradict itself already.
  if (!parser.spec.hasTotals())
    error = findContradiction(parser.spec.grain);
  if (!error.empty()) {
    error = quoted(text) + ": " + error;
    return std::nullopt;
  }
  return parser.spec;
}

} // namespace regrain
