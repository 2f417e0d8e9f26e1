//===- Regions.cpp - The code between two waits ---------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/CPU/Regions.h"
#include "compiler/Target/CPU/Suspension.h"
#include "compiler/Target/CPU/WaitGroups.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace regrain::cpu {

namespace {

bool isReturn(const BasicBlock &block) { return isa<ReturnInst>(block.getTerminator()); }

/// Returns whether paths end at the block: it contains a wait or the return.
bool endsPaths(const BasicBlock &block) { return waitIn(block) || isReturn(block); }

/// For each block, the stops that are reached next, and the blocks through which all paths to them
/// lead.
class Paths {
public:
  explicit Paths(Function &kernel) {
    for (BasicBlock &block : kernel)
      numbers[&block] = blocks.size(), blocks.push_back(&block);
    ends.resize(blocks.size(), BitVector(blocks.size()));
    common.resize(blocks.size(), BitVector(blocks.size(), true));
    for (bool changed = true; changed;) {
      changed = false;
      for (BasicBlock *block : reverse(blocks))
        changed |= update(*block);
    }
  }

  unsigned endCount(const BasicBlock *block) const { return ends[numbers.lookup(block)].count(); }

  /// Returns the last block through which all paths from `start` lead before they diverge.
  BasicBlock *lastCommon(const BasicBlock *start) const {
    BasicBlock *last = nullptr;
    unsigned fewest = ~0u;
    for (unsigned index : common[numbers.lookup(start)].set_bits())
      if (common[index].count() < fewest) {
        fewest = common[index].count();
        last = blocks[index];
      }
    return last;
  }

private:
  bool update(BasicBlock &block) {
    unsigned number = numbers[&block];
    BitVector newEnds(blocks.size()), newCommon(blocks.size(), true);
    if (endsPaths(block)) {
      newEnds.set(number);
      newCommon.reset();
    } else {
      for (BasicBlock *successor : successors(&block)) {
        newEnds |= ends[numbers[successor]];
        newCommon &= common[numbers[successor]];
      }
    }
    newCommon.set(number);
    if (newEnds == ends[number] && newCommon == common[number])
      return false;
    ends[number] = newEnds;
    common[number] = newCommon;
    return true;
  }

  DenseMap<const BasicBlock *, unsigned> numbers;
  std::vector<BasicBlock *> blocks;
  std::vector<BitVector> ends, common;
};

/// Lets a path that ends in a trap rejoin the path beside it: the path never gets there, and
/// control flow stays uniform around it.
void rejoinTraps(Function &kernel) {
  for (BasicBlock &block : kernel) {
    auto *end = dyn_cast<UnreachableInst>(block.getTerminator());
    BasicBlock *before = block.getSinglePredecessor();
    auto *branch = before ? dyn_cast<BranchInst>(before->getTerminator()) : nullptr;
    if (!end || !branch || !branch->isConditional())
      continue;
    BasicBlock *beside = branch->getSuccessor(branch->getSuccessor(0) == &block ? 1 : 0);
    if (beside == &block)
      continue;
    for (PHINode &phi : beside->phis())
      phi.addIncoming(PoisonValue::get(phi.getType()), &block);
    BranchInst::Create(beside, end->getIterator());
    end->eraseFromParent();
  }
}

void uniteReturns(Function &kernel) {
  SmallVector<ReturnInst *> returns;
  for (BasicBlock &block : kernel)
    if (auto *ret = dyn_cast<ReturnInst>(block.getTerminator()))
      returns.push_back(ret);
  BasicBlock *last = BasicBlock::Create(kernel.getContext(), "return", &kernel);
  ReturnInst::Create(kernel.getContext(), last);
  for (ReturnInst *ret : returns) {
    BranchInst::Create(last, ret->getIterator());
    ret->eraseFromParent();
  }
}

void isolateWaits(Function &kernel) {
  SmallVector<SmallVector<CallInst *>> groups;
  for (BasicBlock &block : kernel)
    for (Instruction *inst = &block.front(); inst; inst = inst->getNextNode())
      if (CallInst *wait = callOf(*inst, waitName)) {
        groups.push_back(groupAt(*wait));
        inst = groups.back().back();
      }
  for (const SmallVector<CallInst *> &group : groups) {
    SplitBlock(group.front()->getParent(), group.front());
    SplitBlock(group.back()->getParent(), group.back()->getNextNode());
  }
}

SmallVector<CallInst *> groupOf(CallInst *first) {
  return first ? groupAt(*first) : SmallVector<CallInst *>();
}

Stop stopAt(BasicBlock *block) { return {waitIn(*block) ? Stop::Wait : Stop::Return, block}; }

/// Collects the blocks from `region.start` to its stops; `last`, if not null, is one of the stops.
void collect(Region &region, BasicBlock *last) {
  SmallVector<BasicBlock *> pending = {region.start};
  SmallSetVector<BasicBlock *, 4> stops;
  while (!pending.empty()) {
    BasicBlock *block = pending.pop_back_val();
    bool isEnd = endsPaths(*block) || block == last;
    if (isEnd)
      stops.insert(block);
    if (waitIn(*block) || !region.blocks.insert(block) || isEnd)
      continue;
    SmallVector<BasicBlock *, 4> next(successors(block));
    pending.append(next.rbegin(), next.rend());
  }
  for (BasicBlock *stop : stops)
    region.stops.push_back(stop == last ? Stop{Stop::Branch, stop} : stopAt(stop));
}

} // namespace

CallInst *waitIn(const BasicBlock &block) {
  return callOf(const_cast<Instruction &>(block.front()), waitName);
}

BasicBlock *insertBlock(BasicBlock *from, BasicBlock *to) {
  BasicBlock *between = BasicBlock::Create(to->getContext(), "edge", to->getParent(), to);
  BranchInst::Create(to, between);
  Instruction *end = from->getTerminator();
  unsigned count = 0;
  for (unsigned i = 0; i < end->getNumSuccessors(); ++i)
    if (end->getSuccessor(i) == to) {
      end->setSuccessor(i, between);
      ++count;
    }
  for (PHINode &phi : to->phis()) {
    for (unsigned i = 1; i < count; ++i)
      phi.removeIncomingValue(from, false);
    phi.replaceIncomingBlockWith(from, between);
  }
  return between;
}

bool prepareForRegions(Function &kernel) {
  EliminateUnreachableBlocks(kernel);
  rejoinTraps(kernel);
  uniteReturns(kernel);
  isolateWaits(kernel);
  Paths paths(kernel);
  SmallVector<std::pair<BasicBlock *, BasicBlock *>> edges;
  for (BasicBlock &block : kernel) {
    if (paths.endCount(&block) == 0 && !isa<UnreachableInst>(block.getTerminator()))
      return false;
    if (paths.endCount(&block) > 1 && block.getTerminator()->getNumSuccessors() > 1)
      for (BasicBlock *successor :
           SmallSetVector<BasicBlock *, 4>(succ_begin(&block), succ_end(&block)))
        edges.push_back({&block, successor});
  }
  for (auto [from, to] : edges)
    insertBlock(from, to);
  return true;
}

std::optional<std::vector<Region>> commonRegions(Function &kernel, const Uniformity &uniformity) {
  Paths paths(kernel);
  std::vector<Region> regions;
  SmallVector<std::pair<BasicBlock *, CallInst *>> starts = {{&kernel.getEntryBlock(), nullptr}};
  DenseSet<BasicBlock *> known = {&kernel.getEntryBlock()};
  auto addStart = [&](BasicBlock *block, CallInst *after) {
    if (known.insert(block).second)
      starts.push_back({block, after});
  };
  for (size_t i = 0; i < starts.size(); ++i) {
    Region region{starts[i].first, groupOf(starts[i].second), {}, {}};
    BasicBlock *branch = nullptr;
    if (paths.endCount(region.start) > 1) {
      branch = paths.lastCommon(region.start);
      if (!uniformity.isUniform(branch) || !uniformity.isUniform(branch->getTerminator()))
        return std::nullopt;
      for (BasicBlock *successor : successors(branch))
        addStart(successor, nullptr);
    }
    collect(region, branch);
    for (const Stop &stop : region.stops)
      if (stop.kind == Stop::Wait) {
        if (!uniformity.isUniform(stop.block))
          return std::nullopt;
        addStart(stop.block->getSingleSuccessor(), waitIn(*stop.block));
      }
    regions.push_back(std::move(region));
  }
  return regions;
}

std::vector<Region> threadRegions(Function &kernel) {
  std::vector<Region> regions;
  regions.push_back({&kernel.getEntryBlock(), {}, {}, {}});
  DenseSet<BasicBlock *> known;
  for (size_t i = 0; i < regions.size(); ++i) {
    Region region = regions[i];
    collect(region, nullptr);
    for (const Stop &stop : region.stops)
      if (stop.kind == Stop::Wait && known.insert(stop.block).second)
        regions.push_back(
            {stop.block->getSingleSuccessor(), groupAt(*waitIn(*stop.block)), {}, {}});
    regions[i] = std::move(region);
  }
  return regions;
}

} // namespace regrain::cpu
