//===- Space.cpp - Which grains are worth compiling -----------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Alternatives/Space.h"

#include "llvm/ADT/STLExtras.h"
#include <numeric>
#include <tuple>

using namespace regrain;

CoordinateUse regrain::coordinateUse(grain::KernelOp kernel) {
  CoordinateUse use;
  auto mark = [](std::array<bool, 3> &read, mlir::Block &body) {
    for (auto [dimension, coordinate] : llvm::enumerate(body.getArguments()))
      read[dimension] |= llvm::any_of(coordinate.getUsers(), [](mlir::Operation *user) {
        return !llvm::isa<grain::BarrierOp, grain::BarrierReduceOp>(user);
      });
  };
  kernel.walk([&](grain::BlocksOp blocks) { mark(use.block, blocks.getBody().front()); });
  kernel.walk([&](grain::ThreadsOp threads) { mark(use.thread, threads.getBody().front()); });
  return use;
}

namespace {

/// One line of the list: a grain, how far from the original it is, and when it
/// was enumerated, which decides between equals.
struct Candidate {
  Grain grain;
  unsigned cost;
  size_t order;

  bool operator<(const Candidate &other) const {
    return std::tie(cost, order) < std::tie(other.cost, other.order);
  }
};

unsigned product(const Factors &factors) {
  return std::accumulate(factors.begin(), factors.end(), 1u, std::multiplies<>());
}

unsigned dimensionsChanged(const Grain &grain) {
  auto above1 = [](uint32_t factor) { return factor > 1; };
  return llvm::count_if(grain.block, above1) + llvm::count_if(grain.thread, above1);
}

/// Work per launched thread, with thread factors counted double (they shrink
/// blocks, which costs occupancy) and each further dimension as much again.
unsigned costOf(const Grain &grain) {
  return product(grain.block) * product(grain.thread) * product(grain.thread) *
         dimensionsChanged(grain);
}

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

} // namespace

std::vector<Grain> regrain::enumerateGrains(const CoordinateUse &use, size_t limit) {
  constexpr uint32_t blockFactors[] = {2, 3, 4, 5, 6, 7, 8, 9, 16};
  constexpr uint32_t threadFactors[] = {2, 4, 8};
  std::vector<Candidate> candidates;
  for (const Factors &block : triples(blockFactors, use.block, 16))
    for (const Factors &thread : triples(threadFactors, use.thread, 8)) {
      Grain grain;
      grain.block = block;
      grain.thread = thread;
      if (!grain.isOriginal() && product(block) * product(thread) <= 32)
        candidates.push_back({grain, costOf(grain), candidates.size()});
    }
  llvm::sort(candidates);
  std::vector<Grain> grains;
  for (const Candidate &candidate : candidates) {
    if (grains.size() == limit)
      break;
    grains.push_back(candidate.grain);
  }
  return grains;
}
