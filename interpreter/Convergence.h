//===- Convergence.h - Which lanes meet at an instruction -------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lanes meet in the same dynamic instance of an instruction: where they have come
// by the same calls and are in the same iteration of every cycle around it (LLVM's
// "Convergence And Uniformity", the maximal converged-with relation). What a wave
// runs first is what comes first in an order of the blocks in which the blocks of
// a cycle lie together and that goes forwards but for the way back to a header: so
// lanes that have left a cycle wait for those in it, and both sides of a branch
// are run before what follows it.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/CycleInfo.h"
#include <cstdint>
#include <vector>

namespace regrain {

/// How often each cycle of a function has come round since it was entered.
using Iterations = std::vector<uint32_t>;

class ProgramOrder {
public:
  explicit ProgramOrder(const llvm::Function &function);

  Iterations start() const { return Iterations(cycleCount); }

  /// Counts a jump; blocks are numbered as they lie in the function.
  void jump(Iterations &iterations, unsigned from, unsigned to) const;

  /// Below 0 where a lane in `block` comes before another in `otherBlock`, above 0
  /// where it comes after it, 0 where both are in the same instance of the block.
  int compare(const Iterations &iterations, unsigned block, const Iterations &otherIterations,
              unsigned otherBlock) const;

private:
  using Cycle = llvm::CycleInfo::CycleT;
  class Numbering;

  struct Place {
    unsigned number = 0;
    llvm::SmallVector<unsigned, 2> cycles; ///< around it, the outermost first
    bool isHeader = false;                 ///< of the innermost
  };
  std::vector<Place> places;
  unsigned cycleCount = 0;
};

} // namespace regrain
