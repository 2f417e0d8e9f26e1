//===- MarchedGrains.cpp - Blocks that run in steps -----------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Selection/MarchedGrains.h"

#include "compiler/Alternatives/Statistics.h"
#include "compiler/Selection/Trial.h"

using namespace regrain;

namespace {

/// How far a launched block marches, and how. Short columns read and write memory nearly in the
/// order of addresses, as a copy does. The second march holds several loads on their way with few
/// registers; long columns have less halo, and leave fewer blocks. Neighbouring rows in a thread
/// share what they read, and the code around the steps; their addresses are then many, and in long
/// columns, a pointer for each that moves in each step costs more than to compute them. They are
/// few, because reshaped blocks of which some are joined may be as fast. With joined guards,
/// neighbours along x are loaded by wide accesses, which is faster where a step reads many rows of
/// a grid of three dimensions. Then a window of one row leaves room for as many threads as without
/// neighbours, if it is kept to the registers that these may have; two rows spill.
struct March {
  uint32_t blocks, steps;
  bool ahead, staysLoop;
  uint32_t rows = 1;   ///< of one thread; 1 along y
  uint32_t width = 32; ///< threads along x of 256
  Addresses addresses = Addresses::Reduced;
  bool joinsGuards = false; ///< of neighbours in x, whose number and knowledge the space adds
  uint32_t registers = 0;   ///< 0: as many as the target chooses
};
constexpr March marches[] = {{4, 4, false, false, 2, 64},
                             {16, 16, true, true},
                             {8, 4, false, false},
                             {16, 16, false, true, 4, 64, Addresses::Indexed},
                             {16, 16, false, true, 1, 32, Addresses::Indexed, true, 64},
                             {16, 16, false, true, 4, 64},
                             {16, 16, false, true}};

} // namespace

/// Returns a shape with one thread along a dimension.
static Factors shapeFor(unsigned dimension, const March &march) {
  if (dimension == 1)
    return {128, 1, 1};
  return {march.width, 256 / march.width * march.rows, 1};
}

/// Returns the dimensions of whose coordinates the kernel reads that of the block alone, as a word
/// of slices=. Its blocks are likely to have one thread there.
static std::string_view likelySlices(const CoordinateUse &use) {
  static constexpr std::string_view words[] = {"", "x", "y", "xy", "z", "xz", "yz", "xyz"};
  unsigned dimensions = 0;
  for (unsigned d = 0; d < 3; ++d)
    if (use.block[d] && !use.thread[d])
      dimensions |= 1u << d;
  return words[dimensions];
}

static Grain marchedAlong(unsigned dimension, const March &march, std::string_view slices) {
  Grain grain = {.shape = shapeFor(dimension, march)};
  grain.block[dimension] = march.blocks;
  grain.thread[1] = march.rows;
  grain.contiguous = march.rows != 1;
  grain.addresses = march.addresses;
  grain.codegen["steps"] = march.steps;
  if (march.ahead)
    grain.words["window"] = "ahead";
  if (march.joinsGuards)
    grain.words["guards"] = "joined";
  if (march.staysLoop)
    grain.words["unroll"] = "none";
  if (march.registers)
    grain.codegen["registers"] = march.registers;
  if (!slices.empty())
    grain.words["slices"] = slices;
  return grain;
}

/// Returns whether guards of neighbours in x can be joined in the march.
static bool joinsGuards(grain::KernelOp kernel, Grain grain) {
  grain.thread[0] = 4;
  (*grain.shape)[0] *= 4;
  return isPossible(kernel, grain);
}

std::vector<Grain> regrain::marchedGrainsOf(grain::KernelOp kernel) {
  std::vector<Grain> possible;
  const CoordinateUse use = coordinateUse(kernel);
  const std::string_view likely = likelySlices(use);
  for (unsigned dimension : {2, 1})
    for (std::string_view slices : {std::string_view(), likely}) {
      if (!isPossible(kernel, marchedAlong(dimension, {8, 4, false, false}, slices)))
        continue;
      for (const March &march : marches) {
        Grain grain = marchedAlong(dimension, march, slices);
        bool hasRows = dimension == 2 && (use.block[1] || use.thread[1]);
        bool needsRows = march.rows != 1 || march.joinsGuards;
        if ((hasRows || !needsRows) && (!march.joinsGuards || joinsGuards(kernel, grain)))
          possible.push_back(grain);
      }
      break;
    }
  return possible;
}
