//===- SpacedLoads.cpp - Loads from different memories --------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/NVPTX/SpacedLoads.h"

#include "compiler/DeviceIR/AddressSpaces.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Scalar/InferAddressSpaces.h"
#include <set>
#include <utility>

using namespace llvm;

namespace regrain::nvptx {
namespace {

/// Types and the memories that a block loads them from.
using Loads = std::set<std::pair<const Type *, unsigned>>;

/// Adds what the block loads. Arguments and what was loaded count as generic.
void addLoads(const BasicBlock &block, Loads &loads) {
  for (const Instruction &instruction : block)
    if (auto *load = dyn_cast<LoadInst>(&instruction)) {
      const Value *object = getUnderlyingObject(load->getPointerOperand());
      auto *variable = dyn_cast<GlobalVariable>(object);
      unsigned space = variable ? variable->getAddressSpace() : load->getPointerAddressSpace();
      loads.emplace(load->getType(), space);
    }
}

/// Returns whether one type is loaded from two memories in front of `join`, by blocks that lead
/// nowhere else.
bool joinsMemories(const BasicBlock &join) {
  Loads loads;
  unsigned sides = 0;
  for (const BasicBlock *side : predecessors(&join))
    if (side->getSingleSuccessor() && ++sides)
      addLoads(*side, loads);
  return sides > 1 && any_of(loads, [&](const auto &load) {
           auto next = loads.upper_bound(load);
           return next != loads.end() && next->first == load.first;
         });
}

} // namespace

PreservedAnalyses KeepSpacedLoads::run(Function &function, FunctionAnalysisManager &analyses) {
  if (none_of(function, [](const BasicBlock &block) { return joinsMemories(block); }))
    return PreservedAnalyses::all();
  return InferAddressSpacesPass(genericSpace).run(function, analyses);
}

} // namespace regrain::nvptx
