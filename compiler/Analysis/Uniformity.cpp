//===- Uniformity.cpp - What a value depends on in the nest ---------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This is a fixed point over the structured form: dependences flow through operands, through
// control into the results of operations with regions, and through the carried values of loops.
//
//===----------------------------------------------------------------------===//
#include "compiler/Analysis/Uniformity.h"

#include "compiler/Analysis/Callee.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using regrain::Dependence;

regrain::Uniformity::Uniformity(grain::KernelOp kernel, const llvm::DenseSet<Operation *> *common)
    : common(common) {
  do {
    changed = false;
    kernel.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) { visit(op); });
  } while (changed);
}

Dependence regrain::Uniformity::of(Value value) const { return known.lookup(value); }

void regrain::Uniformity::add(Value value, Dependence more) {
  Dependence &dependence = known[value];
  Dependence joined = dependence | more;
  changed |= joined != dependence;
  dependence = joined;
}

Dependence regrain::Uniformity::ofOperands(Operation *op) const {
  Dependence result = Dependence::None;
  for (Value operand : op->getOperands())
    result = result | of(operand);
  return result;
}

Dependence regrain::Uniformity::ofControl(Operation *op) const {
  if (op->getNumRegions() == 0)
    return Dependence::None;
  if (auto branch = dyn_cast<scf::IfOp>(op))
    return of(branch.getCondition());
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return of(loop.getLowerBound()) | of(loop.getUpperBound()) | of(loop.getStep());
  if (auto loop = dyn_cast<scf::WhileOp>(op))
    return of(loop.getConditionOp().getCondition());
  if (auto choice = dyn_cast<scf::IndexSwitchOp>(op))
    return of(choice.getArg());
  return Dependence::All;
}

/// Returns what the results of an operation without regions depend on.
Dependence regrain::Uniformity::ofResults(Operation *op) {
  Dependence operands = ofOperands(op);
  if (isa<grain::SharedOp, grain::DynamicSharedOp>(op))
    return common && common->contains(op) ? Dependence::None : Dependence::Blocks;
  if (auto reduce = dyn_cast<grain::BarrierReduceOp>(op))
    return operands & (Dependence::Blocks | Dependence::BlockMemory);
  if (auto load = dyn_cast<LLVM::LoadOp>(op)) {
    if (load.getVolatile_() || load.getOrdering() != LLVM::AtomicOrdering::not_atomic)
      return Dependence::All;
    return operands | (constantMemory.isReadBy(load) ? Dependence::None : Dependence::Memory);
  }
  if (isa<NVVM::WarpSizeOp>(op))
    return Dependence::None;
  if (isa<NVVM::LaneIdOp>(op))
    return Dependence::Threads;
  if (isa_and_nonnull<NVVM::NVVMDialect>(op->getDialect()) && op->getNumOperands() == 0)
    return Dependence::All;
  return hasEffect(op) ? Dependence::All : operands;
}

void regrain::Uniformity::visit(Operation *op) {
  if (auto blocks = dyn_cast<grain::BlocksOp>(op)) {
    for (auto [index, argument] : llvm::enumerate(blocks.getBody().getArguments()))
      add(argument, Dependence(uint8_t(Dependence::BlockX) << index));
    return;
  }
  if (auto threads = dyn_cast<grain::ThreadsOp>(op)) {
    for (auto [index, argument] : llvm::enumerate(threads.getBody().getArguments()))
      add(argument, Dependence(uint8_t(Dependence::ThreadX) << index));
    return;
  }
  if (op->getNumRegions() != 0)
    return visitRegions(op);
  if (op->getNumResults() == 0)
    return;
  Dependence dependence = ofResults(op);
  for (Value result : op->getResults())
    add(result, dependence);
}

/// Visits the regions of `op`. Its `flow` adds to each target what its source depends on, and
/// `more`.
void regrain::Uniformity::visitRegions(Operation *op) {
  auto flow = [&](ValueRange sources, ValueRange targets, Dependence more = Dependence::None) {
    for (auto [source, target] : llvm::zip_equal(sources, targets))
      add(target, of(source) | more);
  };
  Dependence control = ofControl(op);
  if (auto branch = dyn_cast<scf::IfOp>(op)) {
    if (branch.getNumResults() == 0)
      return;
    flow(branch.thenYield().getOperands(), branch.getResults(), control);
    flow(branch.elseYield().getOperands(), branch.getResults(), control);
  } else if (auto loop = dyn_cast<scf::ForOp>(op)) {
    add(loop.getInductionVar(), of(loop.getLowerBound()) | of(loop.getStep()));
    ValueRange yielded = loop.getBody()->getTerminator()->getOperands();
    flow(loop.getInitArgs(), loop.getRegionIterArgs());
    flow(yielded, loop.getRegionIterArgs());
    flow(loop.getRegionIterArgs(), loop.getResults(), control);
  } else if (auto loop = dyn_cast<scf::WhileOp>(op)) {
    flow(loop.getInits(), loop.getBeforeArguments());
    flow(loop.getYieldOp().getOperands(), loop.getBeforeArguments());
    flow(loop.getConditionOp().getArgs(), loop.getAfterArguments());
    flow(loop.getConditionOp().getArgs(), loop.getResults(), control);
  } else if (auto choice = dyn_cast<scf::IndexSwitchOp>(op)) {
    for (Region &region : choice->getRegions())
      flow(region.front().getTerminator()->getOperands(), choice.getResults(), control);
  } else {
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (Value argument : block.getArguments())
          add(argument, Dependence::All);
    for (Value result : op->getResults())
      add(result, Dependence::All);
  }
}
