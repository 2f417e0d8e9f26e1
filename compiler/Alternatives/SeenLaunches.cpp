//===- SeenLaunches.cpp - Grains for launches that were seen --------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Alternatives/SeenLaunches.h"
#include "runtime/image/launch_limits.h"

#include "llvm/ADT/STLExtras.h"

using namespace regrain;

/// Returns what to compile for: first the blocks alone, which differ little between launches, then
/// whole launches, because grids and arguments do differ.
static std::vector<KnownLaunch> formsOf(llvm::ArrayRef<KnownLaunch> seen) {
  std::vector<KnownLaunch> forms;
  auto add = [&](const KnownLaunch &form) {
    if (!form.empty() && !llvm::is_contained(forms, form))
      forms.push_back(form);
  };
  for (const KnownLaunch &launch : seen) {
    KnownLaunch blockAlone;
    blockAlone.block = launch.block;
    add(blockAlone);
  }
  for (const KnownLaunch &launch : seen)
    add(launch);
  return forms;
}

/// Adds what is known of pointers, and what is divisible; a number says that better itself.
static void addProperties(const KnownLaunch &from, KnownLaunch &known) {
  known.pointers = from.pointers;
  known.disjoint = from.disjoint;
  for (auto [parameter, factor] : from.multiples)
    if (!known.arguments.contains(parameter))
      known.multiples[parameter] = factor;
}

std::vector<Grain> regrain::addForSeen(llvm::ArrayRef<KnownLaunch> seen, std::vector<Grain> space) {
  std::vector<KnownLaunch> forms = formsOf(seen);
  std::vector<Grain> result;
  space.insert(space.begin(), Grain());
  for (const Grain &grain : space) {
    for (const KnownLaunch &form : forms) {
      Grain specialised = grain;
      specialised.known = form;
      addProperties(grain.known, specialised.known);
      // A bound says nothing beside a known block.
      if (!(grain.bound && form.block) && findContradiction(specialised).empty())
        result.push_back(specialised);
    }
    if (!grain.isOriginal())
      result.push_back(grain);
  }
  return result;
}

std::optional<Factors> regrain::commonBlock(llvm::ArrayRef<KnownLaunch> seen) {
  std::optional<Factors> common;
  for (const KnownLaunch &launch : seen) {
    if (!launch.block ||
        llvm::any_of(*launch.block, [](uint32_t x) { return x > maxBlockThreads; }))
      continue;
    if (common && *launch.block != *common)
      return std::nullopt;
    common = launch.block;
  }
  return common;
}

unsigned regrain::boundFor(llvm::ArrayRef<KnownLaunch> seen, unsigned launchBounds) {
  uint64_t bound = 0;
  for (const KnownLaunch &launch : seen) {
    if (!launch.block)
      bound = std::max<uint64_t>(bound, usualBound);
    else
      bound =
          std::max(bound, uint64_t((*launch.block)[0]) * (*launch.block)[1] * (*launch.block)[2]);
  }
  if (seen.empty())
    bound = usualBound;
  bool saysNothing = bound >= maxBlockThreads || (launchBounds && bound >= launchBounds);
  return saysNothing ? 0 : bound;
}
