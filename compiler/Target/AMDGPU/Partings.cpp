//===- Partings.cpp - Where the lanes of a warp part ----------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/AMDGPU/Partings.h"

#include "compiler/Target/AMDGPU/LaneOperations.h"
#include "compiler/Target/AMDGPU/ThreadValues.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace regrain::amdgpu {

namespace {

/// A function of the library that gives one bit for all the lanes of its mask.
bool isVoteOfAll(const Value &value) {
  auto *call = dyn_cast<CallInst>(&value);
  auto *mask = call && sharedBy(*call) ? dyn_cast<ConstantInt>(call->getArgOperand(0)) : nullptr;
  return mask && mask->isMinusOne() && call->getType()->isIntegerTy(1);
}

/// Whether `value` is a warp's number, or compares x with one, in a block of one row.
bool isNumberOfWarp(const Instruction &value) {
  constexpr uint64_t warp = 32;
  const APInt *number;
  auto x = m_Intrinsic<Intrinsic::amdgcn_workitem_id_x>();
  ICmpInst::Predicate predicate;
  return (match(&value, m_LShr(x, m_APInt(number))) && number->uge(Log2_64(warp))) ||
         (match(&value, m_IDiv(x, m_APInt(number))) && number->urem(warp) == 0) ||
         (match(&value, m_ICmp(predicate, x, m_APInt(number))) &&
          ICmpInst::isRelational(predicate) &&
          number->urem(warp) ==
              (ICmpInst::isLT(predicate) || ICmpInst::isGE(predicate) ? 0 : warp - 1));
}

/// Asks of a kernel which values all lanes of a warp have, and where lanes part.
class WarpValues {
public:
  WarpValues(const Function &kernel, const UniformityInfo &uniformity, const LoopInfo &loops)
      : uniformity(uniformity), loops(loops),
        mayHaveRows((coordinatesIn(kernel) & (Y | Z)) != None) {}
  bool partsAt(const BasicBlock &block);
  /// As SingleDimensions: for what was found not to part.
  unsigned singleDimensions() const { return restsOnRow ? Y | Z : None; }

private:
  bool isOfOtherRounds(const Instruction &value, const Use &use) const;
  bool isOfWholeWarp(const Use &use, unsigned depth = 8);

  const UniformityInfo &uniformity;
  const LoopInfo &loops;
  bool mayHaveRows;
  bool restsOnRow = false;
};

/// Whether all lanes leave the loop in one round, by what is said of the blocks that leave it.
bool leavesTogether(const Loop &loop, function_ref<bool(const BasicBlock *)> parts) {
  SmallVector<BasicBlock *> exiting;
  loop.getExitingBlocks(exiting);
  return none_of(exiting, parts);
}

/// Whether lanes may use values of different rounds of a loop that they have left.
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

/// Whether all lanes of a warp have the value there.
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

/// Blocks at whose ends lanes of a warp part.
using PartingBlocks = SmallSetVector<const BasicBlock *, 8>;

/// The innermost loop around the end of `block` whose rounds not all lanes run, or in which it
/// does not decide alike each time.
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
