//===- GuardedCopies.cpp - Copies of a thread that are in flight together -===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/NVPTX/ControlFlow/GuardedCopies.h"

#include "compiler/DeviceIR/AddressSpaces.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace regrain::nvptx {
namespace {

/// ptxas predicates blocks of about this many instructions; others it leaves to branches.
constexpr unsigned mostOfCopy = 12;
/// Copies in flight take registers for what they load.
constexpr unsigned mostCopies = 16;

BranchInst *conditionalBranch(BasicBlock &block) {
  auto *branch = dyn_cast<BranchInst>(block.getTerminator());
  return branch && branch->isConditional() ? branch : nullptr;
}

/// Whether an address names a shared array.
bool isShared(const Value *address) {
  auto *variable = dyn_cast<GlobalVariable>(getUnderlyingObject(address));
  return variable && variable->getAddressSpace() == sharedSpace;
}

/// A chain of blocks, each one of which goes on with the next one or leaves for a common exit.
class Chain {
public:
  /// The chain that begins at the end of `head`, whose branch names the exit.
  Chain(BasicBlock &head, BasicBlock &exit) : head(head), exit(exit) {
    for (BasicBlock *at = next(head); at && copies.size() < mostCopies; at = next(*at))
      copies.push_back(at);
  }

  /// Whether there are several copies, which guards may hold.
  bool isGuardable() {
    return copies.size() > 1 && endsAtExit() &&
           all_of(copies, [&](BasicBlock *copy) { return isCopy(*copy); }) &&
           all_of(exit.phis(), [&](const PHINode &phi) { return isSame(phi); });
  }

  void guard();

private:
  /// Returns the block behind a block of the chain; null if the chain ends there.
  BasicBlock *next(BasicBlock &block) const {
    BranchInst *branch = conditionalBranch(block);
    if (!branch || !is_contained(successors(&block), &exit))
      return nullptr;
    BasicBlock *behind = branch->getSuccessor(branch->getSuccessor(0) == &exit);
    bool isOwn =
        behind != &exit && behind->getSinglePredecessor() && !isa<PHINode>(behind->front());
    return isOwn ? behind : nullptr;
  }

  bool endsAtExit() const { return copies.back()->getSingleSuccessor() == &exit; }

  /// Whether the exit takes the same value from all blocks.
  bool isSame(const PHINode &phi) const {
    return all_of(copies, [&](const BasicBlock *copy) {
      return phi.getIncomingValueForBlock(copy) == phi.getIncomingValueForBlock(&head);
    });
  }

  bool isCopy(BasicBlock &block);

  /// Whether the value can be computed in front of the chain.
  bool isEarly(const Value *value) const {
    auto *instruction = dyn_cast<Instruction>(value);
    return !instruction || !is_contained(copies, instruction->getParent()) ||
           is_contained(early, instruction);
  }

  Value *stays(IRBuilder<> &builder, BasicBlock &block) const;

  BasicBlock &head, &exit;
  SmallVector<BasicBlock *, mostCopies> copies;
  SetVector<Instruction *> early;
};

/// Finds what moves in front of the chain, and whether the rest loads and stores for itself. Only
/// operations of integers move: whether a product of other numbers is fused depends on its block.
bool Chain::isCopy(BasicBlock &block) {
  unsigned rest = 0, loads = 0, stores = 0;
  for (Instruction &instruction : block.instructionsWithoutDebug()) {
    if (instruction.isTerminator())
      break;
    if (instruction.getType()->isIntOrPtrTy() && !instruction.mayReadOrWriteMemory() &&
        isSafeToSpeculativelyExecute(&instruction) &&
        all_of(instruction.operands(), [&](const Use &use) { return isEarly(use); })) {
      early.insert(&instruction);
      continue;
    }
    auto *load = dyn_cast<LoadInst>(&instruction);
    auto *store = dyn_cast<StoreInst>(&instruction);
    if (load    ? !load->isSimple() || isShared(load->getPointerOperand())
        : store ? !store->isSimple() || !isShared(store->getPointerOperand())
                : isa<CallBase>(instruction))
      return false;
    if (instruction.isUsedOutsideOfBlock(&block))
      return false;
    loads += load != nullptr;
    stores += store != nullptr;
    ++rest;
  }
  BranchInst *branch = conditionalBranch(block);
  return loads > 0 && stores > 0 && rest <= mostOfCopy &&
         (!branch || isEarly(branch->getCondition()));
}

/// Returns whether a block goes on with the next one.
Value *Chain::stays(IRBuilder<> &builder, BasicBlock &block) const {
  BranchInst *branch = conditionalBranch(block);
  Value *condition = branch->getCondition();
  return branch->getSuccessor(0) == &exit ? builder.CreateNot(condition) : condition;
}

void Chain::guard() {
  for (Instruction *instruction : early)
    instruction->moveBefore(head.getTerminator());
  IRBuilder<> builder(head.getTerminator());
  SmallVector<Value *, mostCopies> guards = {stays(builder, head)};
  for (BasicBlock *copy : drop_end(copies))
    guards.push_back(builder.CreateLogicalAnd(guards.back(), stays(builder, *copy)));
  BasicBlock *before = &head;
  for (auto [copy, guard] : zip(copies, guards)) {
    bool isLast = copy == copies.back();
    BasicBlock *behind =
        isLast ? &exit
               : BasicBlock::Create(copy->getContext(), "guard", copy->getParent(), copies.back());
    if (Instruction *end = before->getTerminator())
      end->eraseFromParent();
    builder.SetInsertPoint(before);
    builder.CreateCondBr(guard, copy, behind);
    copy->getTerminator()->eraseFromParent();
    builder.SetInsertPoint(copy);
    builder.CreateBr(behind);
    before = behind == &exit ? before : behind;
  }
  for (PHINode &phi : exit.phis()) {
    Value *value = phi.getIncomingValueForBlock(&head);
    phi.removeIncomingValueIf([&](unsigned index) {
      BasicBlock *from = phi.getIncomingBlock(index);
      return from == &head || (from != copies.back() && is_contained(copies, from));
    });
    phi.addIncoming(value, before);
  }
}

} // namespace

PreservedAnalyses GuardCopies::run(Function &function, FunctionAnalysisManager &) {
  bool isChanged = false;
  ReversePostOrderTraversal<Function *> order(&function);
  SmallVector<BasicBlock *, 32> heads(order.begin(), order.end());
  for (BasicBlock *head : heads)
    if (conditionalBranch(*head))
      for (BasicBlock *exit : successors(head))
        if (Chain chain(*head, *exit); chain.isGuardable()) {
          chain.guard();
          isChanged = true;
          break;
        }
  return isChanged ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace regrain::nvptx
