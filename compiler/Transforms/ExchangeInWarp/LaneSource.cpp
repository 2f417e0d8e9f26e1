//===- LaneSource.cpp - From which lane each lane reads -------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Transforms/ExchangeInWarp/LaneSource.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"

using namespace regrain;

/// Returns the number that `of(lane, source)` is for all lanes, or nothing.
static std::optional<unsigned> common(const SourceLanes &sources,
                                      llvm::function_ref<unsigned(unsigned, unsigned)> of) {
  std::optional<unsigned> result;
  for (auto [lane, source] : llvm::enumerate(sources)) {
    if (!source)
      continue;
    unsigned number = of(lane, *source);
    if (result && *result != number)
      return std::nullopt;
    result = number;
  }
  return result;
}

/// An equation for the masks: the exclusive or of those that `unknowns` names is `value`. Bit 0 of
/// `unknowns` is the base.
struct Equation {
  unsigned unknowns, value;
};

/// Solves the equations that the sources state, if there is a solution.
static std::optional<LaneSource> solveBits(const SourceLanes &sources) {
  std::array<Equation, laneBits + 1> solved = {}; ///< by the highest unknown
  for (auto [lane, source] : llvm::enumerate(sources)) {
    if (!source)
      continue;
    Equation equation = {unsigned(lane) << 1 | 1, *source};
    while (equation.unknowns) {
      Equation &other = solved[llvm::Log2_32(equation.unknowns)];
      if (!other.unknowns) {
        other = equation;
        break;
      }
      equation = {equation.unknowns ^ other.unknowns, equation.value ^ other.value};
    }
    if (!equation.unknowns && equation.value)
      return std::nullopt;
  }
  // An unknown without an equation is 0. The others follow from the lower ones.
  std::array<unsigned, laneBits + 1> values = {};
  for (auto [index, equation] : llvm::enumerate(solved)) {
    values[index] = equation.value;
    for (unsigned lower = 0; lower < index; ++lower)
      if (equation.unknowns >> lower & 1)
        values[index] ^= values[lower];
  }
  LaneSource source = {LaneSource::Bits, values[0]};
  std::copy(values.begin() + 1, values.end(), source.masks.begin());
  return source;
}

std::optional<LaneSource> regrain::findLaneSource(const SourceLanes &sources) {
  using Kind = LaneSource::Kind;
  if (auto base = common(sources, [](unsigned, unsigned source) { return source; }))
    return LaneSource{Kind::Same, *base};
  if (auto base = common(sources, [](unsigned lane, unsigned source) { return source - lane; }))
    return int(*base) >= 0 ? LaneSource{Kind::Down, *base} : LaneSource{Kind::Up, -*base};
  if (auto base = common(sources, [](unsigned lane, unsigned source) { return source ^ lane; }))
    return LaneSource{Kind::Across, *base};
  for (unsigned factor = 1; factor < warpThreads; ++factor) {
    auto rest = [&](unsigned lane, unsigned source) {
      return (source - lane * factor) % warpThreads;
    };
    if (auto base = common(sources, rest))
      return LaneSource{Kind::Linear, *base, factor};
  }
  return solveBits(sources);
}
