//===- RegionFunction.cpp - A region for all threads of a block -----------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   entry:  arguments, sizes, uniform values
//   z, y, x loops:
//     body:   values of this thread from their places, or computed again
//     ...     the region's blocks
//     stop:   values to their places, operands of the wait, the next state
//   exit:   uniform values to their places
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/CPU/KernelEntry.h"
#include "compiler/Target/CPU/KernelRegions.h"
#include "compiler/Target/CPU/Suspension.h"
#include "compiler/Target/CPU/ThreadNest.h"
#include "compiler/Target/CPU/WaitGroups.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/SSAUpdater.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

using namespace llvm;

namespace regrain::cpu {

namespace {

/// Returns whether the instruction calls a function of the plugin that ends the launch.
bool endsLaunch(Instruction &inst) {
  return callOf(inst, "regrain_cpu_trap") || callOf(inst, "regrain_cpu_assertfail");
}

class RegionFunction {
public:
  RegionFunction(const KernelRegions &kernel, unsigned index)
      : kernel(kernel), region(kernel.regions[index]), index(index),
        nest(*kernel.kernel.getParent(),
             (kernel.kernel.getName() + ".region." + Twine(index)).str()) {}

  Function *emit() {
    mapArguments();
    if (kernel.states)
      nest.guard(isCurrent(*nest.bodyBuilder));
    for (Instruction *inst : kernel.live.liveAt(region.start))
      liveAtStart.insert(inst);
    cloneBlocks();
    for (const Stop &stop : region.stops)
      emitStop(stop);
    storeUniforms();
    for (Instruction *inst : created)
      remap(*inst);
    mergeValues();
    nest.finish();
    return nest.function;
  }

private:
  void mapArguments() {
    IRBuilder<> &builder = *nest.entryBuilder;
    SmallVector<Value *> arguments =
        loadArguments(builder, kernel.kernel, nest.function->getArg(0));
    for (auto [argument, value] : zip(kernel.kernel.args(), arguments))
      argumentValues[&argument] = value;
  }

  //===------------------------------------------------------------------===//
  // Places
  //===------------------------------------------------------------------===//

  /// Returns this thread's element of an array in the arena.
  Value *element(IRBuilder<> &builder, unsigned array) {
    Value *&base = bases[array];
    if (!base)
      base = kernel.arena.base(*nest.entryBuilder, nest.arena, nest.threads, array);
    uint64_t bytes = kernel.arena.elementBytes(array);
    return builder.CreateInBoundsGEP(ArrayType::get(builder.getInt8Ty(), bytes), base, nest.linear);
  }

  Value *isCurrent(IRBuilder<> &builder) {
    Value *wait = builder.CreateLoad(builder.getInt32Ty(), element(builder, kernel.wait));
    Value *state = builder.CreateLoad(builder.getInt32Ty(), element(builder, kernel.state));
    return builder.CreateAnd(builder.CreateICmpEQ(wait, builder.getInt32(REGRAIN_RUNNING)),
                             builder.CreateICmpEQ(state, builder.getInt32(index)));
  }

  /// Returns the value of `original` when the thread enters the region.
  Value *atStart(Value *original) {
    if (auto *argument = dyn_cast<Argument>(original))
      return argumentValues.lookup(argument);
    auto *inst = dyn_cast<Instruction>(original);
    if (!inst)
      return original;
    if (Value *known = startValues.lookup(inst))
      return known;
    Value *value = computeAtStart(*inst);
    return startValues[inst] = value;
  }

  Value *computeAtStart(Instruction &inst) {
    IRBuilder<> &builder = *nest.bodyBuilder;
    if (auto *alloca = dyn_cast<AllocaInst>(&inst))
      return place(*alloca);
    if (Value *special = nest.special(inst))
      return special;
    if (kernel.live.isRecomputed(&inst)) {
      Instruction *clone = inst.clone();
      for (Use &operand : clone->operands())
        operand.set(atStart(operand.get()));
      return builder.Insert(clone);
    }
    if (auto *wait = find(region.after, &inst); wait != region.after.end())
      return builder.CreateLoad(inst.getType(),
                                element(builder, kernel.result + (wait - region.after.begin())));
    if (auto uniform = kernel.uniforms.find(&inst); uniform != kernel.uniforms.end())
      return nest.entryBuilder->CreateLoad(
          inst.getType(), nest.entryBuilder->CreateStructGEP(
                              kernel.uniformType, nest.function->getArg(2), uniform->second));
    return builder.CreateLoad(inst.getType(), element(builder, kernel.slots.lookup(&inst)));
  }

  Value *place(AllocaInst &alloca) {
    if (auto slot = kernel.slots.find(&alloca); slot != kernel.slots.end())
      return element(*nest.bodyBuilder, slot->second);
    return nest.entryBuilder->Insert(alloca.clone());
  }

  //===------------------------------------------------------------------===//
  // Blocks
  //===------------------------------------------------------------------===//

  void cloneBlocks() {
    for (const Stop &stop : region.stops) {
      stopBlocks.insert(stop.block);
      if (stop.kind == Stop::Wait)
        blocks[stop.block] = nest.addBlock("wait");
    }
    for (BasicBlock *block : region.blocks)
      blocks[block] = nest.addBlock(block->getName());
    nest.bodyBuilder->CreateBr(blocks.lookup(region.start));
    nest.bodyBuilder->SetInsertPoint(nest.bodyBuilder->GetInsertBlock()->getTerminator());
    for (BasicBlock *block : region.blocks)
      for (Instruction &inst : *block)
        cloneInstruction(inst);
  }

  bool isStop(const BasicBlock *block) const { return stopBlocks.contains(block); }

  void cloneInstruction(Instruction &inst) {
    BasicBlock *block = inst.getParent();
    if ((inst.isTerminator() && isStop(block)) || isa<AllocaInst>(inst))
      return;
    if (Value *special = nest.special(inst)) {
      clones[&inst] = special;
      return;
    }
    if (inst.isLifetimeStartOrEnd() || isa<DbgInfoIntrinsic>(inst))
      return;
    if (endsLaunch(inst)) {
      IRBuilder<> builder(blocks.lookup(block));
      nest.noteThread(builder);
    }
    Instruction *clone = inst.clone();
    clone->insertInto(blocks.lookup(block), blocks.lookup(block)->end());
    clone->setName(inst.getName());
    if (auto *phi = dyn_cast<PHINode>(clone))
      dropForeignEdges(*phi);
    clones[&inst] = clone;
    created.push_back(clone);
  }

  void dropForeignEdges(PHINode &phi) {
    for (unsigned i = phi.getNumIncomingValues(); i-- > 0;) {
      BasicBlock *from = phi.getIncomingBlock(i);
      if (!region.blocks.contains(from) || isStop(from))
        phi.removeIncomingValue(i, /*DeletePHIIfEmpty=*/false);
    }
  }

  //===------------------------------------------------------------------===//
  // Stops
  //===------------------------------------------------------------------===//

  void emitStop(const Stop &stop) {
    IRBuilder<> builder(blocks.lookup(stop.block));
    SmallSetVector<Instruction *, 16> stored;
    for (unsigned next : kernel.after(stop))
      for (Instruction *inst : kernel.live.liveAt(kernel.regions[next].start))
        if (kernel.slots.contains(inst) && isDefinedHere(inst))
          stored.insert(inst);
    for (Instruction *inst : stored)
      store(builder, inst, element(builder, kernel.slots.lookup(inst)));
    if (stop.kind == Stop::Wait)
      storeOperands(builder, groupAt(*waitIn(*stop.block)));
    if (kernel.states)
      storeState(builder, stop);
    builder.CreateBr(nest.latch());
  }

  /// Stores `value`, which is one of the kernel's and is mapped later.
  void store(IRBuilder<> &builder, Value *value, Value *address) {
    created.push_back(builder.CreateStore(value, address));
  }

  void storeOperands(IRBuilder<> &builder, ArrayRef<CallInst *> group) {
    CallInst &wait = *group[0];
    bool barrier = waitKind(wait) == REGRAIN_BARRIER;
    if (handsOverValues(wait) || (kernel.states && !barrier)) {
      store(builder, wait.getArgOperand(1), element(builder, kernel.mask));
      for (auto [i, member] : enumerate(group))
        store(builder, member->getArgOperand(2), element(builder, kernel.a + i));
    }
    if (kernel.hasSteps())
      store(builder, builder.getInt32(REGRAIN_STEPS(group.size(), 0)),
            element(builder, kernel.steps));
    if (handsOverValues(wait) || kernel.states) {
      store(builder, wait.getArgOperand(3), element(builder, kernel.b));
      store(builder, wait.getArgOperand(4), element(builder, kernel.c));
    }
  }

  void storeState(IRBuilder<> &builder, const Stop &stop) {
    bool waits = stop.kind == Stop::Wait;
    unsigned kind = waits ? waitKind(*waitIn(*stop.block)) : unsigned(REGRAIN_EXITED);
    builder.CreateStore(builder.getInt32(kind), element(builder, kernel.wait));
    if (waits)
      builder.CreateStore(builder.getInt32(kernel.after(stop).front()),
                          element(builder, kernel.state));
  }

  void storeUniforms() {
    IRBuilder<> builder(nest.exit);
    for (auto [inst, field] : sortedUniforms()) {
      if (!isCondition(inst) && !(isDefinedHere(inst) && isLiveBehind(inst)))
        continue;
      store(builder, const_cast<Instruction *>(inst),
            builder.CreateStructGEP(kernel.uniformType, nest.function->getArg(2), field));
    }
    builder.CreateRetVoid();
  }

  std::vector<std::pair<const Instruction *, unsigned>> sortedUniforms() const {
    std::vector<std::pair<const Instruction *, unsigned>> result(kernel.uniforms.begin(),
                                                                 kernel.uniforms.end());
    llvm::sort(result, [](auto &a, auto &b) { return a.second < b.second; });
    return result;
  }

  /// Returns whether the region computes the value, or receives it from the wait before it.
  bool isDefinedHere(const Instruction *inst) const {
    return clones.contains(inst) || is_contained(region.after, inst);
  }

  /// Returns whether the value decides the branch at the region's end.
  bool isCondition(const Instruction *inst) const {
    return any_of(region.stops, [&](const Stop &stop) {
      return stop.kind == Stop::Branch && stop.block->getTerminator()->getOperand(0) == inst;
    });
  }

  bool isLiveBehind(const Instruction *inst) const {
    return any_of(region.stops, [&](const Stop &stop) {
      return any_of(kernel.after(stop), [&](unsigned next) {
        return is_contained(kernel.live.liveAt(kernel.regions[next].start), inst);
      });
    });
  }

  //===------------------------------------------------------------------===//
  // Values
  //===------------------------------------------------------------------===//

  /// Replaces operands of the kernel by those of the region. A value that may come from before the
  /// region or from inside it is left to mergeValues.
  void remap(Instruction &inst) {
    for (Use &use : inst.operands()) {
      Value *operand = use.get();
      if (auto *block = dyn_cast<BasicBlock>(operand)) {
        if (BasicBlock *mapped = blocks.lookup(block))
          use.set(mapped);
        continue;
      }
      auto *original = dyn_cast<Instruction>(operand);
      if (!original || original->getFunction() != &kernel.kernel) {
        if (isa<Argument>(operand) && argumentValues.contains(cast<Argument>(operand)))
          use.set(atStart(operand));
        continue;
      }
      Value *clone = clones.lookup(original);
      if (!clone) {
        use.set(atStart(original));
        continue;
      }
      use.set(clone);
      if (liveAtStart.contains(original) && isa<Instruction>(clone) && !nest.special(*original))
        merged[original].push_back(&use);
    }
    if (auto *phi = dyn_cast<PHINode>(&inst))
      for (unsigned i = 0; i < phi->getNumIncomingValues(); ++i)
        if (BasicBlock *mapped = blocks.lookup(phi->getIncomingBlock(i)))
          phi->setIncomingBlock(i, mapped);
  }

  void mergeValues() {
    for (auto &[original, uses] : merged) {
      auto *clone = cast<Instruction>(clones.lookup(original));
      SSAUpdater updater;
      updater.Initialize(original->getType(), original->getName());
      updater.AddAvailableValue(nest.bodyBuilder->GetInsertBlock(), atStart(original));
      updater.AddAvailableValue(clone->getParent(), clone);
      for (Use *use : uses) {
        auto *user = cast<Instruction>(use->getUser());
        bool behind = !isa<PHINode>(user) && user->getParent() == clone->getParent() &&
                      clone->comesBefore(user);
        if (!behind)
          updater.RewriteUse(*use);
      }
    }
  }

  const KernelRegions &kernel;
  const Region &region;
  unsigned index;
  ThreadNest nest;
  DenseMap<const Argument *, Value *> argumentValues;
  DenseMap<unsigned, Value *> bases; ///< base addresses of arrays in the arena
  DenseMap<const Instruction *, Value *> startValues, clones;
  DenseMap<const BasicBlock *, BasicBlock *> blocks;
  SmallPtrSet<const BasicBlock *, 4> stopBlocks;
  SmallPtrSet<const Instruction *, 16> liveAtStart;
  std::vector<Instruction *> created; ///< these have operands of the kernel
  MapVector<Instruction *, std::vector<Use *>> merged;
};

} // namespace

Function *emitRegion(const KernelRegions &kernel, unsigned index) {
  return RegionFunction(kernel, index).emit();
}

} // namespace regrain::cpu
