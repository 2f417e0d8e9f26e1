//===- KernelRegions.cpp - A kernel cut into regions ----------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/CPU/KernelRegions.h"
#include "compiler/Target/CPU/Suspension.h"

using namespace llvm;

namespace regrain::cpu {

bool handsOverValues(const CallInst &wait) {
  unsigned kind = waitKind(wait);
  return kind != REGRAIN_BARRIER && kind != REGRAIN_WARP_SYNC && !wait.use_empty();
}

KernelRegions::KernelRegions(Function &kernel, std::vector<Region> found,
                             const Uniformity *uniformity)
    : kernel(kernel), regions(std::move(found)), live(kernel, regions, uniformity),
      states(!uniformity) {
  placeValues();
  placeOperands();
  arena.finish();
}

void KernelRegions::placeValues() {
  const DataLayout &layout = kernel.getParent()->getDataLayout();
  SmallVector<Type *> uniformTypes;
  auto place = [&](Instruction *inst) {
    if (isa<AllocaInst>(inst) || live.isRecomputed(inst) || slots.contains(inst) ||
        uniforms.contains(inst))
      return;
    if (live.isUniform(inst)) {
      uniforms[inst] = uniformTypes.size();
      uniformTypes.push_back(inst->getType());
      return;
    }
    slots[inst] = arena.add(layout.getTypeAllocSize(inst->getType()),
                            layout.getABITypeAlign(inst->getType()));
  };
  for (const Region &region : regions) {
    for (Instruction *inst : live.liveAt(region.start))
      place(inst);
    // The code between the loops reads the condition of a common branch.
    for (const Stop &stop : region.stops)
      if (stop.kind == Stop::Branch)
        if (auto *inst = dyn_cast<Instruction>(stop.block->getTerminator()->getOperand(0)))
          if (!uniforms.contains(inst)) {
            uniforms[inst] = uniformTypes.size();
            uniformTypes.push_back(inst->getType());
          }
  }
  for (Instruction &inst : kernel.getEntryBlock())
    if (auto *alloca = dyn_cast<AllocaInst>(&inst); alloca && live.isKept(alloca))
      slots[alloca] = arena.add(*alloca->getAllocationSize(layout), alloca->getAlign());
  uniformType = StructType::get(kernel.getContext(), uniformTypes);
}

void KernelRegions::placeOperands() {
  for (const Region &region : regions) {
    exchanges |= !region.after.empty() && handsOverValues(*region.after[0]);
    mostValues = std::max<unsigned>(mostValues, region.after.size());
  }
  if (states || exchanges) {
    a = addOperands();
    result = addOperands();
    mask = arena.add(4, Align(4));
    b = arena.add(4, Align(4));
    c = arena.add(4, Align(4));
  }
  if (states) {
    wait = arena.add(4, Align(4));
    state = arena.add(4, Align(4));
    steps = hasSteps() ? arena.add(4, Align(4)) : 0;
  }
}

/// Adds arrays that lie one behind the other: they have one alignment and neighbouring numbers.
unsigned KernelRegions::addOperands() {
  unsigned first = arena.add(8, Align(8));
  for (unsigned i = 1; i < mostValues; ++i)
    arena.add(8, Align(8));
  return first;
}

unsigned KernelRegions::indexOf(const BasicBlock *start) const {
  for (auto [index, region] : enumerate(regions))
    if (region.start == start)
      return index;
  llvm_unreachable("every successor of a stop starts a region");
}

SmallVector<unsigned> KernelRegions::after(const Stop &stop) const {
  SmallVector<unsigned> result;
  if (stop.kind != Stop::Return)
    for (const BasicBlock *successor : successors(stop.block))
      result.push_back(indexOf(successor));
  return result;
}

} // namespace regrain::cpu
