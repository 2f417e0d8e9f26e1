//===- KeptRows.cpp - Launches whose rows fit into registers --------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Selection/KeptRows.h"

#include "compiler/Selection/Trial.h"
#include "compiler/Transforms/KeepRows/KeepRows.h"
#include "llvm/ADT/STLExtras.h"

using namespace regrain;

/// The launches that are tried. Each takes several trials.
static constexpr size_t mostLaunches = 4;

static bool keepsRows(grain::KernelOp kernel, const KnownLaunch &known) {
  Grain grain;
  grain.words["rows"] = "registers";
  grain.known = known;
  return isPossible(kernel, grain);
}

/// Forgets the arguments that do not matter.
static void reduce(grain::KernelOp kernel, KnownLaunch &known) {
  for (auto [parameter, value] : std::map(known.arguments)) {
    KnownLaunch less = known;
    less.arguments.erase(parameter);
    if (keepsRows(kernel, less))
      known = less;
  }
}

std::vector<KnownLaunch> regrain::launchesWithRows(grain::KernelOp kernel,
                                                   llvm::ArrayRef<KnownLaunch> seen) {
  std::vector<KnownLaunch> possible;
  if (!readsRowsAgain(kernel))
    return possible;
  for (const KnownLaunch &launch : seen.take_front(mostLaunches)) {
    if (!launch.block)
      continue;
    KnownLaunch known;
    known.block = launch.block;
    known.arguments = launch.arguments;
    if (!keepsRows(kernel, known))
      known.disjoint = true;
    if (known.disjoint && !keepsRows(kernel, known))
      continue;
    reduce(kernel, known);
    if (!llvm::is_contained(possible, known))
      possible.push_back(known);
  }
  return possible;
}
