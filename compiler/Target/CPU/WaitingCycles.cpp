//===- WaitingCycles.cpp - Where a thread may wait for others -------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/CPU/WaitingCycles.h"
#include "compiler/Target/CPU/DeviceLibrary.h"
#include "compiler/Target/CPU/MathCalls.h"
#include "compiler/Target/CPU/Regions.h"
#include "compiler/Target/CPU/Suspension.h"
#include "compiler/Target/Waiting/Decisions.h"
#include "compiler/Target/Waiting/OwnProgress.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/CycleAnalysis.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/TargetParser/Triple.h"

using namespace llvm;

namespace regrain::cpu {

namespace {

/// Returns whether a function that the loader supplies does not depend on what threads share.
/// Whether a heap can provide memory depends on what others have freed.
bool keepsToItself(StringRef name) {
  return isSuppliedAtLoad(name) && name != "regrain_cpu_malloc" && name != "regrain_cpu_pause" &&
         !name.starts_with("regrain_cpu_cluster_");
}

/// The placeholders of Suspension.h.
class Placeholders final : public waiting::Machine {
public:
  Partners partnersOf(const CallBase &call) const override {
    const Function &callee = *call.getCalledFunction();
    StringRef name = callee.getName();
    if (isPlaceholder(name))
      return name == waitName || name == arriveName ? Partners::Block : Partners::None;
    bool isOwn = callee.isIntrinsic() || call.doesNotAccessMemory() || keepsToItself(name);
    return isOwn ? Partners::None : Partners::All;
  }

  bool isMeeting(const Instruction &inst) const override {
    return callOf(const_cast<Instruction &>(inst), waitName);
  }

  Partners partnersAt(const Value &pointer) const override {
    const Value *object = getUnderlyingObject(&pointer, 0);
    if (isa<AllocaInst>(object))
      return Partners::None;
    auto *call = dyn_cast<CallInst>(object);
    const Function *callee = call ? call->getCalledFunction() : nullptr;
    bool isShared = callee && callee->getName() == sharedBaseName;
    return isShared ? Partners::Block : Partners::All;
  }

  bool isSize(const Value &value) const override {
    auto *call = dyn_cast<CallInst>(&value);
    if (!call || !callOf(const_cast<CallInst &>(*call), specialName))
      return false;
    auto *which = dyn_cast<ConstantInt>(call->getArgOperand(0));
    uint64_t index = which ? which->getZExtValue() : 0;
    return (index >= REGRAIN_BLOCK_SIZE && index < REGRAIN_BLOCK_INDEX) ||
           (index >= REGRAIN_GRID_SIZE && index < REGRAIN_DYNAMIC_SHARED_BYTES);
  }
};

const Placeholders machine;

class Finder {
public:
  Finder(Function &function, const Communication &communication)
      : function(function), communication(communication), dominators(function), loops(dominators),
        postDominators(function), assumptions(function),
        libraryInfo(Triple(function.getParent()->getTargetTriple())), library(libraryInfo),
        evolution(function, library, assumptions, dominators, loops) {}

  std::vector<WaitingCycle> find() {
    for (Loop *loop : loops.getLoopsInPreorder())
      addLoop(*loop);
    CycleInfo cycles;
    cycles.compute(function);
    SmallVector<Cycle *> pending(cycles.toplevel_cycles());
    while (!pending.empty()) {
      Cycle *cycle = pending.pop_back_val();
      if (!cycle->isReducible())
        addIrreducible(*cycle);
      append_range(pending, cycle->children());
    }
    return std::move(found);
  }

private:
  bool communicates(BasicBlock *block) const {
    return any_of(*block, [&](Instruction &inst) {
      return communication.partnersOf(inst) != Partners::None;
    });
  }

  void addLoop(Loop &loop) {
    if (none_of(loop.blocks(), [&](BasicBlock *block) { return communicates(block); }) ||
        waiting::retriesExchange(loop, dominators))
      return;
    Partners partners =
        waiting::Decisions(loop, dominators, postDominators, evolution, machine).partners();
    if (partners == Partners::None)
      return;
    WaitingCycle cycle = {loop.getHeader(), {}, partners, false};
    loop.getLoopLatches(cycle.latches);
    for (BasicBlock *block : loop.blocks())
      cycle.suspends |= holdsWait(*block) && all_of(cycle.latches, [&](BasicBlock *latch) {
                          return dominators.dominates(block, latch);
                        });
    found.push_back(std::move(cycle));
  }

  static bool holdsWait(BasicBlock &block) {
    return any_of(block, [](Instruction &inst) { return callOf(inst, waitName) != nullptr; });
  }

  void addIrreducible(const Cycle &cycle) {
    if (none_of(cycle.blocks(), [&](BasicBlock *block) { return communicates(block); }))
      return;
    WaitingCycle waiting = {cycle.getHeader(), {}, Partners::All, false};
    for (BasicBlock *before : predecessors(cycle.getHeader()))
      if (cycle.contains(before) && !is_contained(waiting.latches, before))
        waiting.latches.push_back(before);
    found.push_back(std::move(waiting));
  }

  Function &function;
  const Communication &communication;
  DominatorTree dominators;
  LoopInfo loops;
  PostDominatorTree postDominators;
  AssumptionCache assumptions;
  TargetLibraryInfoImpl libraryInfo;
  TargetLibraryInfo library;
  ScalarEvolution evolution;
  std::vector<WaitingCycle> found;
};

void insertYield(BasicBlock &block) {
  IRBuilder<> builder(&block, block.getFirstNonPHIOrDbgOrAlloca());
  Value *zero = builder.getInt32(0);
  builder.CreateCall(waitFunction(*block.getModule()),
                     {builder.getInt32(REGRAIN_YIELDED), zero, builder.getInt64(0), zero, zero});
}

/// Inserts yields; returns whether there is a cycle whose iterations do not suspend by themselves.
bool insertYields(ArrayRef<WaitingCycle> cycles) {
  SetVector<std::pair<BasicBlock *, BasicBlock *>> edges;
  for (const WaitingCycle &cycle : cycles)
    if (!cycle.suspends)
      for (BasicBlock *latch : cycle.latches)
        edges.insert({latch, cycle.header});
  for (auto [latch, header] : edges)
    insertYield(*insertBlock(latch, header));
  return !edges.empty();
}

bool callsThroughPointer(Function &function) {
  return any_of(instructions(function), [](Instruction &inst) {
    auto *call = dyn_cast<CallBase>(&inst);
    return call && !call->isInlineAsm() && !call->getCalledFunction();
  });
}

} // namespace

std::vector<WaitingCycle> waitingCycles(Function &function, const Communication &communication) {
  return Finder(function, communication).find();
}

Yields::Yields(Module &module) : communication(module, machine) {
  MapVector<Function *, std::vector<WaitingCycle>> cycles;
  for (Function &function : module)
    if (!function.isDeclaration() && !isLibraryFunction(function) &&
        communication.partnersOf(function) != Partners::None)
      cycles[&function] = waitingCycles(function, communication);
  for (auto &[function, found] : cycles) {
    Partners &partners = waiting[function];
    for (const WaitingCycle &cycle : found)
      partners = std::max(partners, cycle.partners);
    if (insertYields(found))
      yielding.insert(function);
    if (communication.isRecursive(*function)) {
      insertYield(function->getEntryBlock());
      yielding.insert(function);
      partners = Partners::All;
    }
    if (callsThroughPointer(*function))
      partners = Partners::All; // may belong to another module
  }
}

bool Yields::mayWaitForOthers(Function &kernel) const {
  Partners partners = waiting.lookup(&kernel);
  for (const Function *callee : communication.reachedFrom(kernel))
    partners = std::max(partners, waiting.lookup(callee));
  // A thread of the block may have waited for what it tells the others.
  return partners != Partners::None && communication.partnersOf(kernel) == Partners::All;
}

} // namespace regrain::cpu
