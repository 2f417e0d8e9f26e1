//===- Grains.cpp - Grains for a fuzzed kernel ----------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "fuzz/Grains.h"

#include "runtime/image/grain_keys.h"
#include "runtime/image/launch_limits.h"
#include "runtime/image/thread_split.h"
#include "llvm/ADT/STLExtras.h"
#include <numeric>

namespace regrain::fuzz {

namespace {

/// Code size and time grow with the copies; usually few copies find the same
/// faults as many.
constexpr uint32_t fewCopies = 6, manyCopies = 16;

uint32_t product(const Factors &factors) { return factors[0] * factors[1] * factors[2]; }

/// Returns the threads of a launched block before threads are coarsened.
Factors threadsOf(const Grain &grain, const Shape &shape) {
  if (grain.shape)
    return *grain.shape;
  Factors threads = shape.block;
  for (unsigned d = 0; d < 3; ++d)
    threads[d] *= grain.fuse[d];
  return threads;
}

bool divides(const Grain &grain, const Shape &shape) {
  Factors threads = threadsOf(grain, shape);
  for (unsigned d = 0; d < 3; ++d)
    if (threads[d] % grain.thread[d] != 0)
      return false;
  return true;
}

/// Adds what the launch's pointers and integers are multiples of; sometimes the launch does not fit
/// that, and the guard must notice it.
void knowDivisors(Grain &grain, const Task &task, Random &random) {
  static const std::vector<uint32_t> alignments = {4, 8, 16, 16}, factors = {2, 3, 4, 4, 8, 12};
  if (random.percent(70))
    grain.known.pointers = random.of(alignments);
  for (auto [number, value] : task.integers) {
    uint32_t factor = random.of(factors);
    if (random.percent(value % factor == 0 ? 50 : 10) && !grain.known.arguments.contains(number))
      grain.known.multiples[number] = factor;
  }
}

/// Says of all pointers that they are in different memory, for one grain in five. Some tasks have
/// two pointers into one buffer, and the guard must notice it.
void knowApart(Grain &grain, Random &random) {
  grain.known.disjoint = random.percent(8) && !grain.control;
}

/// Draws grains of one task.
class Draw {
public:
  Draw(const Task &task, Random &random) : task(task), random(random) {}

  /// Draws any factors, even in dimensions that the kernel does not use.
  Grain beyond() {
    Grain grain;
    // Fused blocks outside of the grid do not show the values of their flags.
    if (random.percent(task.hasFlags ? 50 : 25))
      fuse(grain);
    else if (!task.sharesMemory && random.percent(30))
      reshape(grain);
    bool regrouped = !grain.isOriginal();
    if (!regrouped || random.percent(35))
      coarsen(grain);
    grain.contiguous = product(grain.thread) != 1 && random.percent(35);
    if (grain.contiguous && grain.thread[0] > 2 && random.percent(50))
      grain.words["guards"] = "joined";
    bool isOneDimension = llvm::count(grain.block, 1u) == 2;
    grain.remainder = isOneDimension && random.percent(25);
    addTrials(grain);
    if (random.percent(15))
      specialise(grain);
    return grain;
  }

  /// Draws a grain at which a block is one warp, or one thread, and keeps shared arrays in
  /// registers, or at which it is several warps that share the rest; an original if the block has
  /// no such grain.
  Grain inOneWarp() {
    Grain grain;
    grain.words["exchange"] = "warp";
    grain.known.block = task.shape.block;
    uint32_t threads = task.shape.threads(), left = threads;
    if (threads % warpThreads == 0 && !random.percent(15))
      left = threads / warpThreads;
    if (uint32_t warps = random.percent(50) ? 4 : 2;
        left % warps == 0 && threads / left == warpThreads && random.percent(50)) {
      grain.words["exchange"] = "levels";
      left /= warps;
    }
    for (unsigned d : {2, 1, 0}) {
      grain.thread[d] = std::gcd(left, task.shape.block[d]);
      left /= grain.thread[d];
    }
    grain.contiguous = product(grain.thread) != 1 && random.percent(35);
    if (random.percent(20))
      grain.block[0] = 2;
    return left == 1 ? grain : Grain();
  }

  /// Draws a grain at which lanes share threads, which takes whole warps and no factors.
  Grain inSharedThreads() {
    static const std::vector<Factors> shapes = {{32, 1, 1}, {64, 1, 1}, {32, 2, 1}, {256, 1, 1}};
    Grain grain;
    grain.shape = random.of(shapes);
    grain.words["split"] = random.of(std::vector<std::string_view>{
        "4", "8", "16", "32", "4x4", "4x8", "8x2", "8x4", "16x4", "32x2", "32x8", "128", "256x2"});
    if (uint32_t lanes = lanesPerThread(grain); lanes > warpThreads)
      grain.shape = Factors{lanes, 1, 1};
    return grain;
  }

private:
  uint32_t chance(unsigned d) const { return d < task.dimensions ? 50 : 6; }

  void fuse(Grain &grain) {
    for (unsigned d = 0; d < 3; ++d)
      if (random.percent(chance(d)))
        grain.fuse[d] = random.between(2, d == 0 ? 5 : 3);
  }

  void reshape(Grain &grain) {
    static const std::vector<Factors> shapes = {{32, 1, 1}, {64, 1, 1},   {128, 1, 2}, {16, 4, 1},
                                                {8, 8, 2},  {1, 32, 1},   {256, 1, 1}, {33, 1, 1},
                                                {7, 3, 2},  {1024, 1, 1}, {2, 2, 2},   {1, 1, 1}};
    grain.shape = random.of(shapes);
    // Some blocks have several threads there, and the guard must notice it.
    if ((*grain.shape)[2] == 2)
      grain.words["slices"] = task.shape.block[1] == 1 ? "yz" : "z";
  }

  void coarsen(Grain &grain) {
    Factors threads = threadsOf(grain, task.shape);
    for (unsigned d = 0; d < 3; ++d) {
      if (random.percent(chance(d)))
        grain.block[d] = random.between(2, d == 0 ? 13 : 5);
      if (!random.percent(chance(d)))
        continue;
      std::vector<uint32_t> factors;
      for (uint32_t factor = 2; factor <= 12; ++factor)
        if (threads[d] % factor == 0)
          factors.push_back(factor);
      if (!factors.empty())
        grain.thread[d] = random.of(factors);
    }
  }

  /// Draws pieces of keys without a loop. Pieces that most launches do not fit are left
  /// to the runtime's tests.
  void addTrials(Grain &grain) {
    for (const GrainKey &key : grainKeys()) {
      auto isFor = [&](KernelFact fact) {
        return std::any_of(
            key.candidates.begin(), key.candidates.end(),
            [&](const KeyCandidate &candidate) { return candidate.worthFor == fact; });
      };
      bool isSuitable = !isFor(KernelFact::HasSharedArrays) || task.sharesMemory;
      if (key.trials.empty() || !isSuitable || !random.percent(key.trialPercent))
        continue;
      Grain more = grain;
      if (isFor(KernelFact::SharesFootprint) && !more.shape)
        more.known.block = task.shape.block;
      if (isFor(KernelFact::RereadsRows)) {
        more.known.block = task.shape.block;
        for (auto [number, value] : task.integers)
          more.known.arguments[number] = value;
      }
      if (addPiece(more, key.trials[random.below(uint32_t(key.trials.size()))]))
        grain = more;
    }
  }

  /// Specialises for the values of the launch. The runtime's tests check that
  /// other launches run the original.
  void specialise(Grain &grain) {
    if (random.percent(50))
      grain.known.block = task.shape.block;
    if (random.percent(50))
      grain.known.grid = task.shape.grid;
    for (auto [number, value] : task.integers)
      if (random.percent(30))
        grain.known.arguments[number] = value;
  }

  const Task &task;
  Random &random;
};

} // namespace

std::vector<Grain> drawGrains(const Task &task, const Statistics &statistics, size_t count,
                              Random &random) {
  std::vector<Grain> space = enumerateGrains(statistics);
  std::vector<Grain> grains;
  Draw draw(task, random);
  // These leave the other draws as they are.
  Random ofDivisors(task.seed ^ 0x64697669736f7273), ofExchanges(task.seed ^ 0x65786368616e6765);
  Random ofPointers(task.seed ^ 0x6469736a6f696e74), ofSplits(task.seed ^ 0x73706c6974746564);
  Draw drawExchange(task, ofExchanges), drawSplit(task, ofSplits);
  for (unsigned attempt = 0; grains.size() < count && attempt < 20 * count; ++attempt) {
    uint32_t most = random.percent(85) ? fewCopies : manyCopies;
    Grain grain = space.empty() || random.percent(60) ? draw.beyond() : random.of(space);
    if (task.exchangesElements && ofExchanges.percent(50))
      grain = drawExchange.inOneWarp();
    if (ofSplits.percent(3))
      grain = drawSplit.inSharedThreads();
    if (!task.grains.empty() && ofSplits.percent(80))
      grain = parseGrainSpec(ofSplits.of(task.grains))->grain;
    if (task.isPattern)
      grain.words.erase("sums"); // their results are not exact
    if (ofDivisors.percent(20) && !grain.control)
      knowDivisors(grain, task, ofDivisors);
    knowApart(grain, ofPointers);
    bool fits = divides(grain, task.shape) || random.percent(3);
    bool isSmall = product(grain.block) * product(grain.thread) <= most &&
                   product(threadsOf(grain, task.shape)) <= maxBlockThreads;
    if (!grain.isOriginal() && isSmall && fits && findContradiction(grain).empty() &&
        !llvm::is_contained(grains, grain))
      grains.push_back(grain);
  }
  return grains;
}

} // namespace regrain::fuzz
