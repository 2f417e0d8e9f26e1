//===- Partings.cpp - Where the lanes of a warp diverge -------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/AMDGPU/Partings.h"

#include "compiler/Target/AMDGPU/LaneOperations.h"
#include "compiler/Target/AMDGPU/ThreadValues.h"
#include "runtime/image/launch_limits.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace regrain::amdgpu {

namespace {

/// Returns whether the value is a library function's result that is the same for all the lanes of
/// its mask.
bool isVoteOfAll(const Value &value) {
  auto *call = dyn_cast<CallInst>(&value);
  auto *mask = call && sharedBy(*call) ? dyn_cast<ConstantInt>(call->getArgOperand(0)) : nullptr;
  return mask && mask->isMinusOne() && call->getType()->isIntegerTy(1);
}

/// Returns whether `value` is a warp's number, or compares x with one, in a block of one row.
bool isNumberOfWarp(const Instruction &value) {
  const APInt *number;
  auto x = m_Intrinsic<Intrinsic::amdgcn_workitem_id_x>();
  ICmpInst::Predicate predicate;
  return (match(&value, m_LShr(x, m_APInt(number))) && number->uge(Log2_64(warpThreads))) ||
         (match(&value, m_IDiv(x, m_APInt(number))) && number->urem(warpThreads) == 0) ||
         (match(&value, m_ICmp(predicate, x, m_APInt(number))) &&
          ICmpInst::isRelational(predicate) &&
          number->urem(warpThreads) ==
              (ICmpInst::isLT(predicate) || ICmpInst::isGE(predicate) ? 0 : warpThreads - 1));
}

/// Determines which values all lanes of a warp share, and where lanes diverge.
class WarpValues {
public:
  WarpValues(const Function &kernel, const UniformityInfo &uniformity, const LoopInfo &loops)
      : uniformity(uniformity), loops(loops),
        mayHaveRows((coordinatesIn(kernel) & (Y | Z)) != None) {}
  bool partsAt(const BasicBlock &block);
  /// As SingleDimensions: the dimensions on which the absence of divergence depends.
  unsigned singleDimensions() const { return restsOnRow ? Y | Z : None; }

private:
  bool isOfOtherRounds(const Instruction &value, const Use &use) const;
  bool isOfWholeWarp(const Use &use, unsigned depth = 8);

  const UniformityInfo &uniformity;
  const LoopInfo &loops;
  bool mayHaveRows;
  bool restsOnRow = false;
};

/// Returns whether all lanes leave the loop in the same iteration; `parts` says at which blocks
/// lanes diverge.
bool leavesTogether(const Loop &loop, function_ref<bool(const BasicBlock *)> parts) {
  SmallVector<BasicBlock *> exiting;
  loop.getExitingBlocks(exiting);
  return none_of(exiting, parts);
}

/// Returns whether lanes may use values of different iterations of a loop that they have left.
bool WarpValues::isOfOtherRounds(const Instruction &value, const Use &use) const {
  const BasicBlock *where = cast<Instruction>(use.getUser())->getParent();
  auto parts = [&](const BasicBlock *block) {
    return !uniformity.isUniform(block->getTerminator());
  };
  const Loop *loop = loops.getLoopFor(value.getParent());
  while (loop && !loop->contains(where) && leavesTogether(*loop, parts))
    loop = loop->getParentLoop();
  return loop && !loop->contains(where);
}

/// Returns whether all lanes of a warp have the same value there.
bool WarpValues::isOfWholeWarp(const Use &use, unsigned depth) {
  if (!uniformity.isDivergentUse(use))
    return true;
  auto *inst = dyn_cast<Instruction>(use);
  if (!inst || depth == 0 || isOfOtherRounds(*inst, use))
    return false;
  if (isVoteOfAll(*inst))
    return true;
  if (!mayHaveRows && isNumberOfWarp(*inst))
    return restsOnRow = true;
  return isa<BinaryOperator, CmpInst, CastInst, SelectInst>(inst) &&
         all_of(inst->operands(),
                [&](const Use &operand) { return isOfWholeWarp(operand, depth - 1); });
}

bool WarpValues::partsAt(const BasicBlock &block) {
  const Instruction *end = block.getTerminator();
  if (end->getNumSuccessors() < 2 || uniformity.isUniform(end))
    return false;
  auto *branch = dyn_cast<BranchInst>(end);
  return !branch || !isOfWholeWarp(branch->getOperandUse(0));
}

/// The blocks at whose ends lanes of a warp diverge.
using PartingBlocks = SmallSetVector<const BasicBlock *, 8>;

/// Returns the innermost loop around the end of `block` of which not all lanes run the same
/// iterations, or in which it does not decide alike in each iteration.
const Loop *driftingLoop(const BasicBlock &block, const LoopInfo &loops,
                         const PartingBlocks &parting) {
  auto *branch = dyn_cast<BranchInst>(block.getTerminator());
  auto parts = [&](const BasicBlock *exiting) { return parting.contains(exiting); };
  const Loop *loop = loops.getLoopFor(&block);
  while (loop && branch && loop->isLoopInvariant(branch->getCondition()) &&
         leavesTogether(*loop, parts))
    loop = loop->getParentLoop();
  return loop;
}

} // namespace

Partings findPartings(const Function &kernel, const UniformityInfo &uniformity,
                      const LoopInfo &loops) {
  WarpValues values(kernel, uniformity, loops);
  PartingBlocks blocks;
  for (const BasicBlock &block : kernel)
    if (values.partsAt(block))
      blocks.insert(&block);
  Partings partings = {{}, values.singleDimensions()};
  for (const BasicBlock *block : blocks) {
    const Loop *loop = driftingLoop(*block, loops, blocks);
    do {
      partings.all.push_back({block, loop});
      loop = loop ? loop->getParentLoop() : nullptr;
    } while (loop);
  }
  return partings;
}

} // namespace regrain::amdgpu
