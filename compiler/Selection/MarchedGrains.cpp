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

/// How far a launched block marches, and how. The first hold several loads on their way with few
/// registers; long columns have less halo, and leave fewer blocks.
struct March {
  uint32_t blocks, steps;
  bool ahead, staysLoop;
};
constexpr March marches[] = {{16, 16, true, true}, {8, 4, false, false}, {16, 16, false, true},
                             {8, 8, false, false}, {16, 8, false, true}, {32, 32, true, true},
                             {4, 4, false, false}, {32, 16, true, true}};

} // namespace

/// Returns the shapes with one thread along a dimension, in the order in which they are tried.
static std::vector<Factors> shapesFor(unsigned dimension) {
  if (dimension == 2)
    return {{32, 8, 1}, {64, 4, 1}};
  return {{128, 1, 1}, {256, 1, 1}};
}

std::vector<Grain> regrain::marchedGrainsOf(grain::KernelOp kernel) {
  std::vector<Grain> possible;
  for (unsigned dimension : {2, 1}) {
    Grain grain = {.shape = shapesFor(dimension).front()};
    grain.block[dimension] = marches[1].blocks;
    grain.codegen["steps"] = marches[1].steps;
    if (!isPossible(kernel, grain))
      continue;
    for (const March &march : marches)
      for (const Factors &shape : shapesFor(dimension)) {
        grain = {.shape = shape};
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
