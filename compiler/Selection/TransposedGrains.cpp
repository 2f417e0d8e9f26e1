//===- TransposedGrains.cpp - Accesses in the order of addresses ----------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Selection/TransposedGrains.h"

#include "compiler/Selection/Trial.h"

using namespace regrain;

static constexpr uint32_t side = 32;              ///< of a block, a warp's lanes
static constexpr uint32_t elements[] = {4, 2, 8}; ///< of a launched thread
static constexpr uint32_t mostElements = 8;

std::vector<Grain> regrain::transposedGrainsOf(grain::KernelOp kernel,
                                               const std::set<uint32_t> &divisors) {
  std::vector<Grain> possible;
  for (unsigned line : {0, 1, 2}) {
    Grain grain = {.shape = Factors{side, 1, 1}, .words = {{"staging", "transposed"}}};
    (*grain.shape)[line] *= side;
    if (!isPossible(kernel, grain))
      continue;
    if (line == 0 && !divisors.empty()) {
      Grain divided = grain;
      divided.thread[0] = mostElements;
      for (uint32_t parameter : divisors)
        divided.known.multiples[parameter] = side;
      possible.push_back(divided);
    }
    for (uint32_t count : elements) {
      grain.thread[line] = count;
      possible.push_back(grain);
    }
  }
  return possible;
}
