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
/// Tiles of more rows write longer pieces of each row of memory. 64 by 64 numbers of 4 bytes are 16
/// KiB, and 16 elements leave them 256 launched threads.
static constexpr uint32_t largeSide = 64, largeElements = 16;

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
    if (line != 0) {
      Grain large = {.shape = Factors{largeSide, 1, 1}, .words = grain.words};
      (*large.shape)[line] *= largeSide;
      large.thread[line] = largeElements;
      if (isPossible(kernel, large))
        possible.push_back(large);
    }
    for (uint32_t count : elements) {
      grain.thread[line] = count;
      possible.push_back(grain);
    }
  }
  return possible;
}
