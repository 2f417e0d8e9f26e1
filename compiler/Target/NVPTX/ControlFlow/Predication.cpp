//===- Predication.cpp - Short guarded code without branches --------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/NVPTX/ControlFlow/Predication.h"

#include "compiler/Target/NVPTX/Memory/SafeLoads.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace regrain::nvptx {
namespace {

/// A branch over one or two blocks that do nothing but compute values for the block behind them.
struct GuardedRegion {
  BranchInst *branch;
  BasicBlock *taken;    ///< runs if the condition holds; null if nothing does
  BasicBlock *notTaken; ///< runs if it does not hold; null if nothing does
  BasicBlock *join;
};

/// Finds the regions of a function that may run without their guards.
class Finder {
public:
  Finder(Function &function, FunctionAnalysisManager &analyses)
      : function(function), loads(function, analyses),
        costs(analyses.getResult<TargetIRAnalysis>(function)) {}

  SmallVector<GuardedRegion> run() {
    SmallVector<GuardedRegion> regions;
    for (BasicBlock &block : function)
      if (auto *branch = dyn_cast<BranchInst>(block.getTerminator()))
        if (std::optional<GuardedRegion> region = regionOf(*branch))
          regions.push_back(*region);
    return regions;
  }

private:
  std::optional<GuardedRegion> regionOf(BranchInst &branch) const {
    // A latch says how its loop is unrolled.
    if (!branch.isConditional() || branch.getMetadata(LLVMContext::MD_loop))
      return std::nullopt;
    BasicBlock *yes = branch.getSuccessor(0), *no = branch.getSuccessor(1);
    BasicBlock *behindYes = behind(*yes, branch), *behindNo = behind(*no, branch);
    GuardedRegion region = {&branch, yes, no, behindYes};
    if (behindYes == no) {
      region.notTaken = nullptr;
    } else if (behindNo == yes) {
      region.taken = nullptr;
      region.join = yes;
    } else if (!behindYes || behindYes != behindNo) {
      return std::nullopt;
    }
    bool isShort = isShortAndSafe(region.taken) && isShortAndSafe(region.notTaken);
    return isShort && region.join != branch.getParent() ? std::optional(region) : std::nullopt;
  }

  /// Returns the only successor of a block that only `branch` reaches; null for other blocks.
  static BasicBlock *behind(BasicBlock &block, const BranchInst &branch) {
    auto *end = dyn_cast<BranchInst>(block.getTerminator());
    bool isSide = block.getSinglePredecessor() == branch.getParent() && end &&
                  end->isUnconditional() && !end->getMetadata(LLVMContext::MD_loop) &&
                  !block.hasAddressTaken() && !isa<PHINode>(block.front());
    return isSide ? end->getSuccessor(0) : nullptr;
  }

  bool isShortAndSafe(const BasicBlock *block) const {
    if (!block)
      return true;
    InstructionCost cost = 0;
    for (const Instruction &instruction : block->instructionsWithoutDebug()) {
      if (instruction.isTerminator())
        break;
      if (!isSafe(instruction))
        return false;
      cost += costs.getInstructionCost(&instruction, TargetTransformInfo::TCK_SizeAndLatency);
    }
    return cost.isValid() && cost <= mostGuarded * TargetTransformInfo::TCC_Basic;
  }

  bool isSafe(const Instruction &instruction) const {
    if (auto *load = dyn_cast<LoadInst>(&instruction))
      return loads.isSafe(*load);
    if (auto *call = dyn_cast<CallBase>(&instruction); call && call->isConvergent())
      return false;
    return !isLong(instruction) && isSafeToSpeculativelyExecute(&instruction);
  }

  /// Divisions of floats are sequences of instructions, of which LLVM's costs do not know.
  static bool isLong(const Instruction &instruction) {
    if (auto *call = dyn_cast<IntrinsicInst>(&instruction))
      return !isTriviallyShort(call->getIntrinsicID());
    return is_contained({Instruction::FDiv, Instruction::FRem, Instruction::UDiv, Instruction::SDiv,
                         Instruction::URem, Instruction::SRem},
                        instruction.getOpcode());
  }

  static bool isTriviallyShort(Intrinsic::ID id) {
    return is_contained({Intrinsic::fabs, Intrinsic::fma, Intrinsic::fmuladd, Intrinsic::minnum,
                         Intrinsic::maxnum, Intrinsic::umin, Intrinsic::umax, Intrinsic::smin,
                         Intrinsic::smax, Intrinsic::abs, Intrinsic::ctpop, Intrinsic::fshl,
                         Intrinsic::fshr, Intrinsic::bitreverse, Intrinsic::bswap},
                        id);
  }

  Function &function;
  SafeLoads loads;
  const TargetTransformInfo &costs;
};

/// Returns the value that arrives in `phi` from `side`, or over the branch itself if it is null.
Value *arriving(const PHINode &phi, const BasicBlock *side, const BasicBlock *head) {
  return phi.getIncomingValueForBlock(side ? side : head);
}

/// Runs both sides of a region, and selects what arrives behind it.
void predicate(const GuardedRegion &region) {
  BasicBlock *head = region.branch->getParent();
  for (BasicBlock *side : {region.taken, region.notTaken})
    if (side)
      hoistAllInstructionsInto(head, region.branch, side);
  IRBuilder<> builder(region.branch);
  for (PHINode &phi : region.join->phis()) {
    Value *yes = arriving(phi, region.taken, head), *no = arriving(phi, region.notTaken, head);
    Value *selected =
        yes == no ? yes : builder.CreateSelect(region.branch->getCondition(), yes, no);
    for (BasicBlock *side : {region.taken, region.notTaken})
      if (side)
        phi.removeIncomingValue(side, /*DeletePHIIfEmpty=*/false);
    if (int index = phi.getBasicBlockIndex(head); index >= 0)
      phi.setIncomingValue(index, selected);
    else
      phi.addIncoming(selected, head);
  }
  builder.CreateBr(region.join);
  region.branch->eraseFromParent();
  for (BasicBlock *side : {region.taken, region.notTaken})
    if (side)
      side->eraseFromParent();
}

} // namespace

/// A region that becomes straight code may be the side of another branch, so this repeats. The
/// regions of one round are disjoint, and the proofs hold for all of them.
PreservedAnalyses PredicateBranches::run(Function &function, FunctionAnalysisManager &analyses) {
  bool changed = false;
  while (true) {
    SmallVector<GuardedRegion> regions = Finder(function, analyses).run();
    if (regions.empty())
      return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
    for (const GuardedRegion &region : regions)
      predicate(region);
    // A block that two regions join has two predecessors, so none is merged twice.
    for (const GuardedRegion &region : regions)
      MergeBlockIntoPredecessor(region.join);
    analyses.invalidate(function, PreservedAnalyses::none());
    changed = true;
  }
}

} // namespace regrain::nvptx
