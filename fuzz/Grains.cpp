//===- Grains.cpp - Which grains a fuzzed kernel is tried at --------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "fuzz/Grains.h"

#include "llvm/ADT/STLExtras.h"
#include <limits>

namespace regrain::fuzz {

namespace {

/// Code grows with the copies, and so does the time; what many copies find, few
/// mostly find too.
constexpr uint32_t fewCopies = 6, manyCopies = 16;

bool divides(const Grain &grain, const Shape &shape) {
  for (unsigned d = 0; d < 3; ++d)
    if (shape.block[d] % grain.thread[d] != 0)
      return false;
  return true;
}

uint32_t copies(const Grain &grain) {
  uint32_t product = 1;
  for (unsigned d = 0; d < 3; ++d)
    product *= grain.block[d] * grain.thread[d];
  return product;
}

/// Any factors, in dimensions that the kernel need not use.
Grain drawBeyond(const Kernel &kernel, Random &random) {
  Grain grain;
  for (unsigned d = 0; d < 3; ++d) {
    uint32_t chance = d < kernel.dimensions ? 50 : 6;
    if (random.percent(chance))
      grain.block[d] = random.between(2, d == 0 ? 13 : 5);
    if (!random.percent(chance))
      continue;
    std::vector<uint32_t> factors;
    for (uint32_t factor = 2; factor <= 12; ++factor)
      if (kernel.shape.block[d] % factor == 0)
        factors.push_back(factor);
    if (!factors.empty())
      grain.thread[d] = random.of(factors);
  }
  return grain;
}

} // namespace

std::vector<Grain> drawGrains(const Kernel &kernel, const CoordinateUse &use, size_t count,
                              Random &random) {
  std::vector<Grain> space = enumerateGrains(use, std::numeric_limits<size_t>::max());
  std::vector<Grain> grains;
  for (unsigned attempt = 0; grains.size() < count && attempt < 20 * count; ++attempt) {
    uint32_t most = random.percent(85) ? fewCopies : manyCopies;
    bool beyond = space.empty() || random.percent(50);
    Grain grain = beyond ? drawBeyond(kernel, random) : random.of(space);
    bool fits = divides(grain, kernel.shape) || random.percent(3);
    if (!grain.isOriginal() && copies(grain) <= most && fits && !llvm::is_contained(grains, grain))
      grains.push_back(grain);
  }
  return grains;
}

} // namespace regrain::fuzz
