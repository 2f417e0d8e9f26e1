//===- candidate_order.cpp - Which candidates are tried first -------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/tuning/candidate_order.h"

#include "runtime/image/max_resident.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace regrain {
namespace {

enum class Tier : uint8_t { Promising, AsPredicted, Doubtful, FewerResident, Control };

/// Returns how many threads of the program a launched thread runs. They hide each other's latency.
uint64_t copiesOf(const Grain &grain) {
  uint64_t copies = 1;
  for (size_t d = 0; d < grain.block.size(); ++d)
    copies *= uint64_t(grain.block[d]) * grain.thread[d];
  return copies;
}

Tier tierOf(const RankedCode &code, const CodeFigures &original) {
  const Grain &grain = code.grain;
  const CodeFigures &own = code.figures;
  if (grain.control)
    return Tier::Control;
  if (maxResidentOf(grain))
    return original.residentLocalBytes > largestCache ? Tier::Promising : Tier::FewerResident;
  if (grain.words.contains("compiler") || grain.isPlainVariant())
    return Tier::Promising;
  bool limitsRegisters =
      grain.codegen.contains("registers") || grain.codegen.contains("blocks-per-sm");
  if (limitsRegisters && original.occupancy < lowOccupancy && own.occupancy > original.occupancy)
    return Tier::Promising;
  uint64_t copies = copiesOf(grain);
  bool spills = own.localBytes > original.localBytes * copies;
  bool isEmpty = own.occupancy * double(copies) * 2 < original.occupancy;
  return spills || isEmpty ? Tier::Doubtful : Tier::AsPredicted;
}

} // namespace

std::vector<size_t> rankCandidates(std::span<const RankedCode> candidates,
                                   const CodeFigures &original) {
  std::vector<Tier> tiers;
  for (const RankedCode &code : candidates)
    tiers.push_back(tierOf(code, original));
  std::vector<size_t> order(candidates.size());
  std::iota(order.begin(), order.end(), size_t(0));
  std::ranges::sort(order, {}, [&](size_t i) { return std::pair(tiers[i], i); });
  return order;
}

} // namespace regrain
