//===- residency.cpp - How many blocks share a multiprocessor -------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/core/residency.h"

#include <algorithm>

namespace regrain {
namespace {

constexpr uint64_t wholePercent = 100;

uint64_t roundUp(uint64_t bytes, uint64_t to) { return (bytes + to - 1) / to * to; }

/// Works out one limit of one block.
class Limiter {
public:
  Limiter(const SharedMemoryUnits &units, const BlockMemory &block, uint64_t blocks)
      : units(units), block(block), blocks(blocks) {}

  std::optional<Residency> find() const {
    for (uint64_t size : units.sizes)
      for (uint64_t dynamic : {leastFor(size), mostFor(size)})
        if (isAllowed(dynamic) && fills(size, dynamic))
          if (std::optional<Residency> found = with(dynamic))
            return found;
    return std::nullopt;
  }

private:
  /// Returns what a block takes of the multiprocessor. Nothing is reserved for a block that asks
  /// for nothing.
  uint64_t takenWith(uint64_t dynamic) const {
    uint64_t own = block.statics + dynamic;
    return own ? roundUp(own + units.reserved, units.granule) : 0;
  }

  /// Returns the least dynamic memory with which one more than `blocks` find no room in `size`.
  uint64_t leastFor(uint64_t size) const {
    uint64_t beside = block.statics + units.reserved, taken = size / (blocks + 1) + 1;
    uint64_t added = std::max<uint64_t>(block.dynamic, taken > beside ? taken - beside : 0);
    return added == block.dynamic && block.statics + added ? added
                                                           : aligned(std::max<uint64_t>(added, 1));
  }

  /// Returns about the most with which `blocks` do find room.
  uint64_t mostFor(uint64_t size) const {
    uint64_t beside = block.statics + units.reserved;
    uint64_t taken = size / blocks / units.granule * units.granule;
    return taken > beside ? (taken - beside) / block.multiple * block.multiple : 0;
  }

  uint64_t aligned(uint64_t dynamic) const { return roundUp(dynamic, block.multiple); }

  bool isAllowed(uint64_t dynamic) const {
    return dynamic == block.dynamic || (dynamic > block.dynamic && dynamic <= block.mostDynamic &&
                                        block.statics + dynamic <= units.mostPerBlock);
  }

  /// Returns whether exactly `blocks` find room in `size`.
  bool fills(uint64_t size, uint64_t dynamic) const {
    uint64_t taken = takenWith(dynamic);
    return taken && size / taken == blocks;
  }

  /// Returns the size that a device chooses which has at least `bytes`.
  uint64_t sizeOf(uint64_t bytes) const {
    auto found = std::lower_bound(units.sizes.begin(), units.sizes.end(), bytes);
    return found == units.sizes.end() ? units.sizes.back() : *found;
  }

  /// Returns whether a device that is asked for a part of its memory holds exactly `blocks` blocks:
  /// both if it rounds up the part itself, and if it makes room for as many blocks as find room in
  /// the part without what is reserved for them, as measured on NVIDIA GPUs.
  bool isExact(uint64_t dynamic, uint64_t percent) const {
    uint64_t asked = units.sizes.back() * percent / wholePercent, taken = takenWith(dynamic);
    uint64_t whole = asked / (block.statics + dynamic);
    return fills(sizeOf(std::max(asked, taken)), dynamic) &&
           fills(sizeOf(std::max<uint64_t>(whole, 1) * taken), dynamic);
  }

  std::optional<Residency> with(uint64_t dynamic) const {
    if (units.sizes.size() == 1)
      return Residency{dynamic, std::nullopt};
    for (uint64_t percent = 0; percent <= wholePercent; ++percent)
      if (isExact(dynamic, percent))
        return Residency{dynamic, uint32_t(percent)};
    return std::nullopt;
  }

  const SharedMemoryUnits &units;
  const BlockMemory &block;
  uint64_t blocks;
};

} // namespace

std::vector<uint64_t> residentSteps(uint64_t blocks) {
  std::vector<uint64_t> steps;
  for (uint64_t eighths : {3, 1}) {
    uint64_t step = (blocks * eighths + 7) / 8;
    if (step < blocks && (steps.empty() || step < steps.back()))
      steps.push_back(step);
  }
  return steps;
}

std::optional<Residency> limitResidency(const SharedMemoryUnits &units, const BlockMemory &block,
                                        uint64_t blocks) {
  return Limiter(units, block, blocks).find();
}

} // namespace regrain
