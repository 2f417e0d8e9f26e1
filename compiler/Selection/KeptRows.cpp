//===- KeptRows.cpp - Launches whose rows fit into registers --------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Selection/KeptRows.h"

#include "compiler/Selection/Trial.h"
#include "compiler/Transforms/KeepRows/KeepRows.h"
#include "runtime/image/launch_limits.h"
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

/// Adds what must be known of pointers; returns whether rows can be kept then.
static bool addPointers(grain::KernelOp kernel, KnownLaunch &known) {
  if (keepsRows(kernel, known))
    return true;
  known.disjoint = true;
  if (keepsRows(kernel, known))
    return true;
  // Programs test whether a row is aligned, and read it in another way if it is not.
  known.pointers = mostAlignment;
  if (!keepsRows(kernel, known))
    return false;
  KnownLaunch less = known;
  for (less.pointers /= 2; less.pointers >= widestAccess && keepsRows(kernel, less);
       less.pointers /= 2)
    known = less;
  return true;
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
    if (!addPointers(kernel, known))
      continue;
    reduce(kernel, known);
    if (!llvm::is_contained(possible, known))
      possible.push_back(known);
  }
  return possible;
}
