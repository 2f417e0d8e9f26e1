//===- Space.cpp - Which grains are worth compiling -----------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Alternatives/Space.h"

#include "compiler/Alternatives/Model.h"
#include "llvm/ADT/STLExtras.h"
#include <tuple>

using namespace regrain;

namespace {

constexpr uint32_t blockFactors[] = {2, 3, 4, 5, 6, 7, 8, 9, 16};
constexpr uint32_t threadFactors[] = {2, 4, 8};
constexpr uint32_t fusedBlocks[] = {2, 4, 8, 16};
constexpr uint32_t fewFactors[] = {2, 4};
constexpr unsigned mostCopies = 32;    ///< of the program's threads in a launched one
constexpr unsigned mostFused = 16;     ///< blocks
constexpr unsigned mostThreads = 1024; ///< of a launched block
constexpr unsigned usualBlock = 256;   ///< threads

unsigned product(const Factors &factors) { return factors[0] * factors[1] * factors[2]; }

/// All factor triples over the dimensions that are read, total at most `most`.
std::vector<Factors> triples(llvm::ArrayRef<uint32_t> factors, const std::array<bool, 3> &read,
                             unsigned most) {
  std::vector<Factors> result = {{1, 1, 1}};
  for (unsigned dimension = 0; dimension < 3; ++dimension) {
    if (!read[dimension])
      continue;
    size_t known = result.size();
    for (size_t i = 0; i < known; ++i)
      for (uint32_t factor : factors) {
        Factors next = result[i];
        next[dimension] = factor;
        if (product(next) <= most)
          result.push_back(next);
      }
  }
  return result;
}

/// How late a factor is tried; see the header.
unsigned rungOf(uint32_t factor) {
  switch (factor) {
  case 2:
    return 0;
  case 4:
    return 1;
  case 3:
  case 8:
    return 2;
  case 7:
  case 9:
    return 3;
  default:
    return 4;
  }
}

/// Collects the grains of one kernel.
class Enumeration {
public:
  explicit Enumeration(const Statistics &statistics)
      : statistics(statistics), original(predictCycles(statistics, Grain())) {}

  std::vector<Grain> run() {
    addCoarsened();
    if (statistics.isWidenable && statistics.use.thread[0])
      addContiguous();
    if (!statistics.mostThreads || statistics.mostThreads < smallBlock)
      addFused();
    if (!statistics.cooperates)
      addReshaped();
    llvm::sort(entries);
    std::vector<Grain> grains;
    for (const Entry &entry : entries)
      grains.push_back(entry.grain);
    return grains;
  }

private:
  /// A grain, and when it was enumerated, which decides between equals.
  struct Entry {
    Grain grain;
    unsigned tier;
    double cycles;
    size_t order;

    bool operator<(const Entry &other) const {
      return std::tie(tier, cycles, order) < std::tie(other.tier, other.cycles, other.order);
    }
  };

  void add(const Grain &grain) {
    if (grain.isOriginal())
      return;
    double cycles = predictCycles(statistics, grain);
    unsigned tier = tierOf(grain) + (cycles >= 1.25 * original ? 3 : 0);
    entries.push_back({grain, tier, cycles, entries.size()});
  }

  static unsigned tierOf(const Grain &grain) {
    unsigned rungs = 0, steps = 0;
    for (const Factors &factors : {grain.block, grain.thread, grain.fuse})
      for (uint32_t factor : factors)
        if (factor != 1) {
          rungs += rungOf(factor);
          ++steps;
        }
    if (grain.shape) {
      rungs += product(*grain.shape) == usualBlock ? 0 : 3;
      ++steps;
    }
    return rungs + steps - 1;
  }

  void addCoarsened() {
    for (const Factors &block : triples(blockFactors, statistics.use.block, 16))
      for (const Factors &thread : triples(threadFactors, statistics.use.thread, 8))
        if (product(block) * product(thread) <= mostCopies)
          add({.block = block, .thread = thread});
  }

  void addContiguous() {
    for (uint32_t thread : threadFactors)
      for (const Factors &block : triples(fewFactors, statistics.use.block, 4))
        add({.block = block, .thread = {thread, 1, 1}, .contiguous = true});
  }

  void addFused() {
    for (const Factors &fuse : triples(fusedBlocks, statistics.use.block, mostFused))
      if (product(fuse) != 1 && statistics.mostThreads * product(fuse) <= mostThreads)
        addWithOneFactor({.fuse = fuse});
  }

  /// 64 to 512 threads over the dimensions that are read; lanes along x.
  void addReshaped() {
    auto isRead = [&](unsigned d) { return statistics.use.block[d] || statistics.use.thread[d]; };
    if (!isRead(0))
      return;
    for (uint32_t x = 32; x <= 512; x *= 2)
      for (uint32_t y = 1; y <= (isRead(1) ? 8u : 1u); y *= 2)
        for (uint32_t z = 1; z <= (isRead(2) ? 2u : 1u); z *= 2)
          if (x * y * z >= 64 && x * y * z <= 512)
            addWithOneFactor({.shape = Factors{x, y, z}});
  }

  /// `grain`, and with a factor of 2 or 4 of blocks or threads in one dimension.
  void addWithOneFactor(const Grain &grain) {
    add(grain);
    for (unsigned d = 0; d < 3; ++d)
      for (uint32_t factor : fewFactors) {
        Grain more = grain;
        more.block[d] = factor;
        if (statistics.use.block[d])
          add(more);
        more.block[d] = 1;
        more.thread[d] = factor;
        if (statistics.use.thread[d] && findContradiction(more).empty())
          add(more);
      }
  }

  const Statistics &statistics;
  double original;
  std::vector<Entry> entries;
};

} // namespace

std::vector<Grain> regrain::enumerateGrains(const Statistics &statistics) {
  return Enumeration(statistics).run();
}
