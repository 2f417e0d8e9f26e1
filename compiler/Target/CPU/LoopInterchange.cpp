//===- LoopInterchange.cpp - Loops around the loops over threads ----------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/CPU/LoopInterchange.h"
#include "compiler/Target/CPU/Suspension.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace regrain::cpu {

namespace {

/// The limit of carried values: each costs a load and a store per thread and iteration.
constexpr unsigned mostCarriedValues = 4;

/// Computes by how much values change from one threadIdx.x to the next.
class ThreadStride {
public:
  ThreadStride(const Uniformity &uniformity, const DataLayout &layout)
      : uniformity(uniformity), layout(layout) {}

  std::optional<int64_t> of(Value *value) {
    if (uniformity.isUniform(value))
      return 0;
    auto *inst = dyn_cast<Instruction>(value);
    if (!inst)
      return std::nullopt;
    // The stride is unknown while it is being computed, as in a cycle that no step explains.
    auto [entry, isNew] = known.try_emplace(inst, std::nullopt);
    if (!isNew)
      return entry->second;
    std::optional<int64_t> stride = compute(inst);
    return known[inst] = stride;
  }

private:
  std::optional<int64_t> compute(Instruction *inst) {
    if (CallInst *special = callOf(*inst, specialName))
      return ofSpecial(*special);
    if (isa<SExtInst, ZExtInst, TruncInst, FreezeInst>(inst))
      return of(inst->getOperand(0));
    if (auto *gep = dyn_cast<GetElementPtrInst>(inst))
      return ofAddress(*gep);
    if (auto *phi = dyn_cast<PHINode>(inst))
      return ofPhi(*phi);
    return ofArithmetic(*inst);
  }

  static std::optional<int64_t> ofSpecial(const CallInst &special) {
    switch (cast<ConstantInt>(special.getArgOperand(0))->getZExtValue()) {
    case REGRAIN_THREAD_INDEX:
    case REGRAIN_LINEAR_THREAD:
      return 1;
    default:
      return 0;
    }
  }

  std::optional<int64_t> ofAddress(GetElementPtrInst &gep) {
    MapVector<Value *, APInt> offsets;
    unsigned bits = layout.getIndexTypeSizeInBits(gep.getType());
    APInt constant(bits, 0);
    if (!gep.collectOffset(layout, bits, offsets, constant))
      return std::nullopt;
    std::optional<int64_t> total = of(gep.getPointerOperand());
    for (auto &[index, scale] : offsets) {
      std::optional<int64_t> stride = of(index);
      if (!total || !stride)
        return std::nullopt;
      *total += *stride * scale.getSExtValue();
    }
    return total;
  }

  /// Returns the stride of a phi: a value that each iteration changes alike for all threads keeps
  /// its stride.
  std::optional<int64_t> ofPhi(PHINode &phi) {
    std::optional<int64_t> stride;
    for (Value *incoming : phi.incoming_values()) {
      auto *step = dyn_cast<Instruction>(incoming);
      bool steps = step && is_contained(step->operands(), &phi) &&
                   isa<BinaryOperator, GetElementPtrInst>(step) &&
                   all_of(step->operands(), [&](Value *operand) {
                     return operand == &phi || uniformity.isUniform(operand);
                   });
      if (steps && (isa<GetElementPtrInst>(step) || step->getOpcode() == Instruction::Add))
        continue;
      std::optional<int64_t> start = of(incoming);
      if (!start || (stride && *stride != *start))
        return std::nullopt;
      stride = start;
    }
    return stride;
  }

  std::optional<int64_t> ofArithmetic(Instruction &inst) {
    if (inst.getNumOperands() != 2 || !isa<BinaryOperator>(inst))
      return std::nullopt;
    std::optional<int64_t> a = of(inst.getOperand(0));
    std::optional<int64_t> b = of(inst.getOperand(1));
    auto *factor = dyn_cast<ConstantInt>(inst.getOperand(1));
    if (!a || !b)
      return std::nullopt;
    switch (inst.getOpcode()) {
    case Instruction::Or:
      if (!cast<PossiblyDisjointInst>(inst).isDisjoint())
        return std::nullopt;
      return *a + *b;
    case Instruction::Add:
      return *a + *b;
    case Instruction::Sub:
      return *a - *b;
    case Instruction::Mul:
      if (*a == 0 && *b == 0)
        return 0;
      return factor ? std::optional(*a * factor->getSExtValue()) : std::nullopt;
    case Instruction::Shl:
      return factor ? std::optional(*a << factor->getZExtValue()) : std::nullopt;
    default:
      return *a == 0 && *b == 0 ? std::optional<int64_t>(0) : std::nullopt;
    }
  }

  const Uniformity &uniformity;
  const DataLayout &layout;
  DenseMap<const Instruction *, std::optional<int64_t>> known;
};

/// Returns whether all threads run the loop and leave it in the same iteration.
bool isCommon(const Loop &loop, const Uniformity &uniformity) {
  if (!uniformity.isUniform(loop.getHeader()) || !loop.getLoopLatch() ||
      !uniformity.isUniform(loop.getLoopLatch()))
    return false;
  SmallVector<BasicBlock *, 4> exiting;
  loop.getExitingBlocks(exiting);
  return !exiting.empty() && all_of(exiting, [&](BasicBlock *block) {
    return uniformity.isUniform(block) && uniformity.isUniform(block->getTerminator());
  });
}

bool isPlain(Instruction &inst, ThreadStride &strides, const DataLayout &layout) {
  if (auto *call = dyn_cast<CallInst>(&inst))
    return call->doesNotAccessMemory() || call->isLifetimeStartOrEnd();
  if (!inst.mayReadOrWriteMemory())
    return true;
  Value *pointer = getLoadStorePointerOperand(&inst);
  if (!pointer || inst.isVolatile() || inst.isAtomic())
    return false;
  std::optional<int64_t> stride = strides.of(pointer);
  int64_t bytes = layout.getTypeStoreSize(getLoadStoreType(&inst));
  return stride && (*stride == 0 || *stride == bytes || *stride == -bytes);
}

bool isWorthwhile(const Loop &loop, const Uniformity &uniformity, const DataLayout &layout) {
  ThreadStride strides(uniformity, layout);
  unsigned carried = 0;
  for (PHINode &phi : loop.getHeader()->phis())
    carried += !uniformity.isUniform(&phi) && !strides.of(&phi);
  if (carried > mostCarriedValues)
    return false;
  bool accesses = false;
  for (BasicBlock *block : loop.blocks())
    for (Instruction &inst : *block) {
      if (!isPlain(inst, strides, layout))
        return false;
      accesses |= inst.mayReadOrWriteMemory();
    }
  return accesses;
}

} // namespace

bool interchangeLoops(Function &kernel, const Uniformity &uniformity) {
  DominatorTree dominators(kernel);
  LoopInfo loops(dominators);
  const DataLayout &layout = kernel.getParent()->getDataLayout();
  SmallVector<BasicBlock *> latches;
  for (Loop *loop : loops.getLoopsInPreorder())
    if (loop->isInnermost() && isCommon(*loop, uniformity) &&
        isWorthwhile(*loop, uniformity, layout))
      latches.push_back(loop->getLoopLatch());
  FunctionCallee wait = waitFunction(*kernel.getParent());
  for (BasicBlock *latch : latches) {
    IRBuilder<> builder(latch->getTerminator());
    Value *zero = builder.getInt32(0);
    builder.CreateCall(wait,
                       {builder.getInt32(REGRAIN_BARRIER), zero, builder.getInt64(0), zero, zero});
  }
  return !latches.empty();
}

} // namespace regrain::cpu
