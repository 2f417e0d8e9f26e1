//===- CompileBudget.cpp - How much code alternatives have ----------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Pipelines/CompileBudget.h"

#include "compiler/Alternatives/Prune.h"

using namespace regrain;

std::optional<std::string> CompileBudget::describeSpent() const {
  if (!limit || taken < limit)
    return std::nullopt;
  return "compile budget: earlier grains have taken the " + std::to_string(limit) +
         " instructions of all";
}

/// Returns why code of that size is not compiled, although the budget is not spent.
std::optional<std::string>
CompileBudget::findExcess(uint64_t instructions, const std::function<uint64_t()> &originalSize) {
  if (instructions > smallCode)
    if (std::optional<std::string> growth = findGrowth(instructions, originalSize()))
      return growth;
  if (!limit && taken + instructions > wanted * least)
    limit = wanted * std::max(originalSize(), least);
  if (!limit || taken + instructions <= limit)
    return std::nullopt;
  return "compile budget: " + std::to_string(instructions) + " instructions, and " +
         std::to_string(limit - taken) + " are left of the " + std::to_string(limit) + " of all";
}

std::optional<std::string> CompileBudget::admit(unsigned grain, uint64_t instructions,
                                                const std::function<uint64_t()> &originalSize) {
  std::unique_lock lock(mutex);
  passed.wait(lock, [&] { return next >= grain; });
  std::optional<std::string> reason = describeSpent();
  if (!reason) {
    reason = findExcess(instructions, originalSize);
    taken += reason ? instructions / 2 : instructions;
  }
  pass(grain);
  return reason;
}

std::optional<std::string> CompileBudget::findSpent() {
  std::scoped_lock lock(mutex);
  return describeSpent();
}

void CompileBudget::end(unsigned grain) {
  std::scoped_lock lock(mutex);
  pass(grain);
}

/// Notes that it is no longer the turn of `grain`.
void CompileBudget::pass(unsigned grain) {
  if (grain < next)
    return;
  early.insert(grain);
  while (early.erase(next))
    ++next;
  passed.notify_all();
}
