//===- StridedGrains.cpp - Neighbours where blocks stride -----------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Selection/StridedGrains.h"

#include "compiler/Selection/Trial.h"
#include "runtime/image/launch_limits.h"
#include "runtime/image/thread_split.h"

using namespace regrain;

/// The numbers of neighbours, the widest first.
static constexpr std::string_view neighbours[] = {"16", "8", "4", "2"};

/// Neighbours of which accesses have half of the widest access leave a thread more registers.
static constexpr uint32_t leastBytes = 8;

std::vector<Grain> regrain::stridedGrainsOf(grain::KernelOp kernel, const Statistics &statistics) {
  std::vector<Grain> possible;
  if (!statistics.joinable.isAny())
    return possible;
  for (std::string_view word : neighbours)
    for (bool isDisjoint : {false, true}) {
      Grain grain = {.words = {{"iterations", word}}};
      uint32_t width = neighboursPerThread(grain), bytes = width * statistics.joinable.least;
      if (bytes > widestAccess || bytes < leastBytes)
        continue;
      if (statistics.alignsAccesses)
        grain.known = statistics.joinable.alignedFor(width);
      grain.known.disjoint = isDisjoint;
      if (!isPossible(kernel, grain))
        continue;
      possible.push_back(grain);
      break;
    }
  return possible;
}
