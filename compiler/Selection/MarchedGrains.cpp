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

/// How far a launched block marches, and in how many steps. The first hold a short column and have
/// several loads on their way; long columns have less halo, and leave fewer blocks.
struct March {
  uint32_t blocks, steps;
};
constexpr March marches[] = {{8, 4}, {16, 16}, {8, 8}, {16, 8}, {4, 4}, {32, 16}, {32, 32}};

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
    auto march = [&](const March &march) {
      grain.block[dimension] = march.blocks;
      grain.codegen["steps"] = march.steps;
    };
    march(marches[0]);
    if (!isPossible(kernel, grain))
      continue;
    for (const March &each : marches)
      for (const Factors &shape : shapesFor(dimension)) {
        march(each);
        grain.shape = shape;
        possible.push_back(grain);
      }
  }
  return possible;
}
