//===- Convergence.cpp - Convergence of lanes -----------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "interpreter/Convergence.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Function.h"
#include <algorithm>

using namespace llvm;
using namespace regrain;

/// Numbers blocks level by level: a cycle is one node of its level.
class ProgramOrder::Numbering {
public:
  Numbering(ProgramOrder &order, const llvm::Function &function) : order(order) {
    for (const BasicBlock &block : function)
      indices[&block] = indices.size();
    // The analysis takes a mutable function, but does not change it.
    cycles.compute(const_cast<llvm::Function &>(function));
    number(function.getEntryBlock(), nullptr, {});
  }

private:
  /// Returns the node of a block in `level`: its cycle in that level, otherwise the
  /// block itself.
  const void *nodeOf(const BasicBlock &block, const Cycle *level) const {
    const Cycle *around = cycles.getCycle(&block);
    if (around == level)
      return &block;
    while (around->getParentCycle() != level)
      around = around->getParentCycle();
    return around;
  }

  void visit(const BasicBlock &block, const Cycle *level, DenseSet<const void *> &seen,
             SmallVectorImpl<const BasicBlock *> &post);
  void number(const BasicBlock &entry, const Cycle *level, ArrayRef<unsigned> around);

  ProgramOrder &order;
  CycleInfo cycles;
  DenseMap<const BasicBlock *, unsigned> indices;
  unsigned next = 0;
};

/// Appends one block of each node that `block` leads to, the last first. The block
/// at which a cycle was entered represents it.
void ProgramOrder::Numbering::visit(const BasicBlock &block, const Cycle *level,
                                    DenseSet<const void *> &seen,
                                    SmallVectorImpl<const BasicBlock *> &post) {
  const void *node = nodeOf(block, level);
  if (!seen.insert(node).second)
    return;
  SmallVector<const BasicBlock *> following;
  if (node == &block) {
    following.append(succ_begin(&block), succ_end(&block));
  } else {
    SmallVector<BasicBlock *> exits;
    static_cast<const Cycle *>(node)->getExitBlocks(exits);
    following.append(exits.begin(), exits.end());
  }
  for (const BasicBlock *next : following)
    if (!level || level->contains(next))
      visit(*next, level, seen, post);
  post.push_back(&block);
}

void ProgramOrder::Numbering::number(const BasicBlock &entry, const Cycle *level,
                                     ArrayRef<unsigned> around) {
  DenseSet<const void *> seen;
  SmallVector<const BasicBlock *> post;
  visit(entry, level, seen, post);
  for (const BasicBlock *block : reverse(post)) {
    const void *node = nodeOf(*block, level);
    if (node == block) {
      Place &place = order.places[indices.lookup(block)];
      place.number = ++next;
      place.cycles.assign(around.begin(), around.end());
      place.isHeader = level && level->getHeader() == block;
      continue;
    }
    auto *cycle = static_cast<const Cycle *>(node);
    SmallVector<unsigned> inside(around);
    inside.push_back(order.cycleCount++);
    number(*cycle->getHeader(), cycle, inside);
  }
}

ProgramOrder::ProgramOrder(const llvm::Function &function) : places(function.size()) {
  Numbering(*this, function);
}

void ProgramOrder::jump(Iterations &iterations, unsigned from, unsigned to) const {
  const Place &source = places[from], &target = places[to];
  for (auto [depth, cycle] : enumerate(target.cycles))
    if (depth >= source.cycles.size() || source.cycles[depth] != cycle)
      iterations[cycle] = 0;
    else if (target.isHeader && depth + 1 == target.cycles.size())
      ++iterations[cycle];
}

int ProgramOrder::compare(const Iterations &iterations, unsigned block,
                          const Iterations &otherIterations, unsigned otherBlock) const {
  const Place &place = places[block], &other = places[otherBlock];
  size_t depth = std::min(place.cycles.size(), other.cycles.size());
  for (size_t i = 0; i < depth && place.cycles[i] == other.cycles[i]; ++i) {
    unsigned cycle = place.cycles[i];
    if (iterations[cycle] != otherIterations[cycle])
      return iterations[cycle] < otherIterations[cycle] ? -1 : 1;
  }
  return int(place.number) - int(other.number);
}
