//===- Convergence.h - Convergence of lanes ---------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lanes meet in the same dynamic instance of an instruction if they have reached
// it by the same calls and are in the same iteration of every cycle around it
// (LLVM's "Convergence And Uniformity", the maximal converged-with relation). A
// wave runs its lanes in an order of the blocks in which the blocks of a cycle are
// adjacent, and which follows every edge but the back edges to a header: so lanes
// that have left a cycle wait for those in it, and both sides of a branch run
// before what follows it.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/CycleInfo.h"
#include <cstdint>
#include <vector>

namespace regrain {

/// The number of iterations that each cycle of a function has made since it was
/// entered.
using Iterations = std::vector<uint32_t>;

class ProgramOrder {
public:
  explicit ProgramOrder(const llvm::Function &function);

  Iterations start() const { return Iterations(cycleCount); }

  /// Counts a jump; blocks are numbered in the order of the function.
  void jump(Iterations &iterations, unsigned from, unsigned to) const;

  /// Returns a negative number if a lane in `block` precedes another in
  /// `otherBlock`, a positive one if it follows it, and 0 if both are in the same
  /// instance of the block.
  int compare(const Iterations &iterations, unsigned block, const Iterations &otherIterations,
              unsigned otherBlock) const;

private:
  using Cycle = llvm::CycleInfo::CycleT;
  class Numbering;

  struct Place {
    unsigned number = 0;
    llvm::SmallVector<unsigned, 2> cycles; ///< those around it, the outermost first
    bool isHeader = false;                 ///< of the innermost cycle
  };
  std::vector<Place> places;
  unsigned cycleCount = 0;
};

} // namespace regrain
