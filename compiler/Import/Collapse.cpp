//===- Collapse.cpp - Keep unstructured acyclic regions whole -------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A region starts below a branching block `head` and ends at its immediate post-dominator `join`.
// It is a nest of ifs unless some join point inside is not the immediate post-dominator of its
// immediate dominator.
//
//===----------------------------------------------------------------------===//
#include "compiler/Import/Structure.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Dominance.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace {

/// Larger regions are lifted, because wrapping them would hide too much.
constexpr unsigned maxBlocks = 200;

class Collapse {
public:
  Collapse(LLVM::LLVMFuncOp function, function_ref<bool(Operation &)> keepsOut)
      : body(function.getBody()), keepsOut(keepsOut), dominance(function), postDominance(function) {
  }

  /// Wraps one region; afterwards the dominance information is outdated.
  bool wrapOne() {
    for (Block &head : body) {
      Block *join = postDominator(&head);
      if (head.getNumSuccessors() < 2 || !join || join == &head)
        continue;
      if (collect(&head, join) && isEnteredFrom(&head) && isTangled() && isAcyclic() &&
          isClosed()) {
        wrap(&head, join);
        return true;
      }
    }
    return false;
  }

private:
  Block *postDominator(Block *block) {
    auto *node = postDominance.getNode(block);
    return node && node->getIDom() ? node->getIDom()->getBlock() : nullptr;
  }

  /// Gathers the blocks between `head` and `join`; returns false if they cannot be wrapped.
  bool collect(Block *head, Block *join) {
    inside.clear();
    SmallVector<Block *> work;
    auto push = [&](Block *from) {
      for (Block *successor : from->getSuccessors())
        if (successor != join)
          work.push_back(successor);
    };
    push(head);
    while (!work.empty()) {
      Block *block = work.pop_back_val();
      if (block == head)
        return false;
      if (!inside.insert(block))
        continue;
      if (!dominance.properlyDominates(head, block) || inside.size() > maxBlocks ||
          llvm::any_of(*block, keepsOut))
        return false;
      push(block);
    }
    return !inside.empty();
  }

  /// Returns whether the region is entered through `head` alone: a cycle through the join may lead
  /// back into it.
  bool isEnteredFrom(Block *head) {
    return llvm::all_of(inside, [&](Block *block) {
      return llvm::all_of(block->getPredecessors(), [&](Block *predecessor) {
        return predecessor == head || inside.contains(predecessor);
      });
    });
  }

  bool isTangled() {
    return llvm::any_of(inside, [&](Block *block) {
      if (llvm::hasSingleElement(block->getPredecessors()))
        return false;
      auto *node = dominance.getNode(block);
      Block *dominator = node && node->getIDom() ? node->getIDom()->getBlock() : nullptr;
      return !dominator || postDominator(dominator) != block;
    });
  }

  /// Returns whether the blocks can be ordered so that each comes after all its predecessors.
  bool isAcyclic() {
    llvm::DenseMap<Block *, unsigned> waitingFor;
    SmallVector<Block *> ready;
    for (Block *block : inside) {
      waitingFor[block] =
          llvm::count_if(block->getPredecessors(), [&](Block *b) { return inside.contains(b); });
      if (waitingFor[block] == 0)
        ready.push_back(block);
    }
    unsigned taken = 0;
    for (; !ready.empty(); ++taken)
      for (Block *successor : ready.pop_back_val()->getSuccessors())
        if (inside.contains(successor) && --waitingFor[successor] == 0)
          ready.push_back(successor);
    return taken == inside.size();
  }

  /// Returns whether values leave the region only as arguments of its join.
  bool isClosed() {
    auto usedInside = [&](Operation *user) {
      Block *block = body.findAncestorBlockInRegion(*user->getBlock());
      return block && inside.contains(block);
    };
    return llvm::all_of(inside, [&](Block *block) {
      return llvm::all_of(block->getArguments(),
                          [&](BlockArgument argument) {
                            return llvm::all_of(argument.getUsers(), usedInside);
                          }) &&
             llvm::all_of(*block,
                          [&](Operation &op) { return llvm::all_of(op.getUsers(), usedInside); });
    });
  }

  void wrap(Block *head, Block *join) {
    Operation *terminator = head->getTerminator();
    Location location = terminator->getLoc();
    OpBuilder builder = OpBuilder::atBlockEnd(head);
    auto region = builder.create<scf::ExecuteRegionOp>(location, join->getArgumentTypes());
    builder.create<cf::BranchOp>(location, join, region.getResults());
    Block *entry = builder.createBlock(&region.getRegion());
    terminator->moveBefore(entry, entry->end());
    for (Block *block : inside)
      block->moveBefore(&region.getRegion(), region.getRegion().end());
    SmallVector<Location> locations(join->getNumArguments(), location);
    Block *exit = builder.createBlock(&region.getRegion(), region.getRegion().end(),
                                      join->getArgumentTypes(), locations);
    builder.create<scf::YieldOp>(location, exit->getArguments());
    for (Block &block : region.getRegion())
      for (BlockOperand &successor : block.getTerminator()->getBlockOperands())
        if (successor.get() == join)
          successor.set(exit);
  }

  Region &body;
  function_ref<bool(Operation &)> keepsOut;
  DominanceInfo dominance;
  PostDominanceInfo postDominance;
  llvm::SetVector<Block *> inside;
};

} // namespace

void regrain::wrapUnstructured(LLVM::LLVMFuncOp function,
                               function_ref<bool(Operation &)> keepsOut) {
  while (!function.getBody().hasOneBlock() && Collapse(function, keepsOut).wrapOne()) {
  }
}
