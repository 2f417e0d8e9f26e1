//===- LockstepAccesses.cpp - Volatile accesses in step -------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/CPU/LockstepAccesses.h"
#include "compiler/Target/CPU/Library/Machine.h"
#include "compiler/Target/CPU/Suspension.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"

using namespace llvm;

namespace regrain::cpu {
namespace {

/// The kinds of the last access on the ways to a place.
enum Last : unsigned { None = 0, Load = 1, Store = 2 };

class Stepper {
public:
  explicit Stepper(Function &function) : function(function) {}

  /// Inserts the steps, and numbers them from `place` on.
  void run(uint32_t &place) {
    findAccesses();
    if (kinds.empty())
      return;
    orderBlocks();
    findLast();
    for (BasicBlock *block : order) {
      unsigned last = in.lookup(block);
      for (Instruction &inst : make_early_inc_range(*block)) {
        if (kinds.lookup(&inst) == Store ? last != None : kinds.lookup(&inst) && (last & Store))
          insertStep(inst, ++place);
        last = behind(inst, last);
      }
    }
  }

private:
  /// Returns what stands for the memory at an underlying object of a pointer; null for memory of
  /// the thread. Without optimisation, pointers lie in variables.
  static const Value *memoryOf(const Value *object) {
    if (isa<AllocaInst>(object))
      return nullptr;
    if (auto *load = dyn_cast<LoadInst>(object))
      if (const Value *variable = getUnderlyingObject(load->getPointerOperand());
          isa<AllocaInst>(variable))
        return variable;
    auto *call = dyn_cast<CallInst>(object);
    const Function *callee = call ? call->getCalledFunction() : nullptr;
    return callee && callee->getName() == sharedBaseName ? callee : object;
  }

  /// Finds the accesses to memory that has volatile loads and volatile stores.
  void findAccesses() {
    SmallVector<std::tuple<Instruction *, unsigned, SmallVector<const Value *>>> found;
    DenseMap<const Value *, unsigned> kindsOf;
    for (BasicBlock &block : function)
      for (Instruction &inst : block) {
        const Value *pointer = getLoadStorePointerOperand(&inst);
        if (!pointer || !inst.isVolatile() || inst.isAtomic())
          continue;
        SmallVector<const Value *> objects;
        getUnderlyingObjects(pointer, objects, nullptr, /*MaxLookup=*/0);
        unsigned kind = isa<StoreInst>(inst) ? Store : Load;
        for (const Value *&object : objects)
          if ((object = memoryOf(object)))
            kindsOf[object] |= kind;
        found.push_back({&inst, kind, std::move(objects)});
      }
    for (auto &[inst, kind, objects] : found)
      if (any_of(objects,
                 [&](const Value *object) { return kindsOf.lookup(object) == (Load | Store); }))
        kinds[inst] = kind;
  }

  /// Orders the blocks such that lanes in a loop are behind those that have left it.
  void orderBlocks() {
    DominatorTree dominators(function);
    LoopInfo loops(dominators);
    SmallPtrSet<BasicBlock *, 16> seen = {&function.getEntryBlock()};
    struct Visit {
      BasicBlock *block;
      SmallVector<BasicBlock *> successors; ///< the last one is visited next
    };
    // The depth of the innermost loop in which a branch from one block to another stays.
    auto depthOf = [&](BasicBlock *block, BasicBlock *successor) {
      Loop *loop = loops.getLoopFor(block);
      while (loop && !loop->contains(successor))
        loop = loop->getParentLoop();
      return loop ? loop->getLoopDepth() : 0;
    };
    auto begin = [&](BasicBlock *block) {
      Visit visit{block, {}};
      for (unsigned depth = loops.getLoopDepth(block) + 1; depth-- > 0;)
        for (BasicBlock *successor : successors(block))
          if (depthOf(block, successor) == depth)
            visit.successors.push_back(successor);
      return visit;
    };
    SmallVector<Visit> stack = {begin(&function.getEntryBlock())};
    while (!stack.empty()) {
      if (stack.back().successors.empty()) {
        order.push_back(stack.pop_back_val().block);
      } else if (BasicBlock *next = stack.back().successors.pop_back_val();
                 seen.insert(next).second) {
        stack.push_back(begin(next));
      }
    }
    std::reverse(order.begin(), order.end());
  }

  unsigned behind(Instruction &inst, unsigned last) const {
    if (unsigned kind = kinds.lookup(&inst))
      return kind;
    CallInst *wait = callOf(inst, waitName);
    return wait && waitKind(*wait) >= REGRAIN_BARRIER && waitKind(*wait) <= REGRAIN_BARRIER_COUNT
               ? None
               : last;
  }

  void findLast() {
    for (bool changed = true; changed;) {
      changed = false;
      for (BasicBlock *block : order) {
        unsigned last = in.lookup(block);
        for (Instruction &inst : *block)
          last = behind(inst, last);
        for (BasicBlock *successor : successors(block)) {
          unsigned &known = in[successor];
          changed |= (known | last) != known;
          known |= last;
        }
      }
    }
  }

  void insertStep(Instruction &before, uint32_t place) {
    IRBuilder<> builder(&before);
    Value *zero = builder.getInt32(0);
    builder.CreateCall(waitFunction(*function.getParent()),
                       {builder.getInt32(REGRAIN_WARP_SYNC), zero, builder.getInt64(0),
                        builder.getInt32(place), zero});
  }

  Function &function;
  DenseMap<const Instruction *, unsigned> kinds; ///< of the accesses
  DenseMap<const BasicBlock *, unsigned> in;     ///< kinds of the last access
  SmallVector<BasicBlock *> order;
};

} // namespace

void stepThroughVolatiles(Module &module) {
  uint32_t place = 0;
  for (Function &function : module)
    if (!function.isDeclaration())
      Stepper(function).run(place);
}

} // namespace regrain::cpu
