//===- MarchedGrains.cpp - Blocks that run in steps -----------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Selection/MarchedGrains.h"

#include "compiler/Selection/Trial.h"

using namespace regrain;

namespace {

/// How far a launched block marches, and how. The first holds several loads on their way with few
/// registers; long columns have less halo, and leave fewer blocks. They are few, because reshaped
/// blocks of which some are joined may be as fast.
struct March {
  uint32_t blocks, steps;
  bool ahead, staysLoop;
};
constexpr March marches[] = {{16, 16, true, true}, {8, 4, false, false}, {16, 16, false, true}};

} // namespace

/// Returns a shape with one thread along a dimension.
static Factors shapeFor(unsigned dimension) {
  return dimension == 2 ? Factors{32, 8, 1} : Factors{128, 1, 1};
}

std::vector<Grain> regrain::marchedGrainsOf(grain::KernelOp kernel) {
  std::vector<Grain> possible;
  for (unsigned dimension : {2, 1}) {
    Grain grain = {.shape = shapeFor(dimension)};
    grain.block[dimension] = marches[1].blocks;
    grain.codegen["steps"] = marches[1].steps;
    if (!isPossible(kernel, grain))
      continue;
    for (const March &march : marches) {
      grain = {.shape = shapeFor(dimension)};
      grain.block[dimension] = march.blocks;
      grain.codegen["steps"] = march.steps;
      if (march.ahead)
        grain.words["window"] = "ahead";
      if (march.staysLoop)
        grain.words["unroll"] = "none";
      possible.push_back(grain);
    }
  }
  return possible;
}
