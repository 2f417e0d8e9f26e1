//===- LoopSlice.cpp - What a value in a loop is computed from ------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Analysis/LoopSlice.h"

#include "compiler/Analysis/Callee.h"
#include "compiler/Analysis/MemoryUse.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace regrain;

Value regrain::writtenBy(Operation *op) {
  if (auto store = dyn_cast<LLVM::StoreOp>(op))
    return store.getValue();
  if (auto update = dyn_cast<LLVM::AtomicRMWOp>(op))
    return update.getVal();
  if (auto exchange = dyn_cast<LLVM::AtomicCmpXchgOp>(op))
    return exchange.getVal();
  return {};
}

LoopSlice::LoopSlice(Operation *loop, Value root, Accesses &accesses)
    : loop(loop), accesses(accesses) {
  add(root);
  for (size_t next = 0; next < slice.size(); ++next)
    follow(slice[next]);
}

bool LoopSlice::isWithin(Value value) const {
  return loop->isAncestor(value.getParentBlock()->getParentOp());
}

void LoopSlice::add(Value value) {
  if (isWithin(value))
    slice.insert(value);
}

/// Adds the operands of `op` and of the terminators in its regions. For an operation that is not
/// known this is all on which its results and the control in it may depend.
void LoopSlice::addAllOf(Operation *op) {
  for (Value operand : op->getOperands())
    add(operand);
  for (Region &region : op->getRegions())
    for (Block &block : region)
      for (Value operand : block.getTerminator()->getOperands())
        add(operand);
}

/// Adds what decides which regions of `op` run, and how often.
void LoopSlice::addControlOf(Operation *op) {
  if (auto branch = dyn_cast<scf::IfOp>(op)) {
    add(branch.getCondition());
  } else if (auto branch = dyn_cast<scf::IndexSwitchOp>(op)) {
    add(branch.getArg());
  } else if (auto inner = dyn_cast<scf::ForOp>(op)) {
    for (Value bound : {inner.getLowerBound(), inner.getUpperBound(), inner.getStep()})
      add(bound);
  } else if (auto inner = dyn_cast<scf::WhileOp>(op)) {
    add(inner.getConditionOp().getCondition());
  } else {
    addAllOf(op);
  }
}

/// Adds on what one result of an operation with regions depends.
void LoopSlice::addResult(Operation *op, unsigned index) {
  addControlOf(op);
  if (auto inner = dyn_cast<scf::WhileOp>(op))
    return add(inner.getConditionOp().getArgs()[index]);
  if (!isa<scf::IfOp, scf::IndexSwitchOp, scf::ForOp>(op))
    return;
  for (Region &region : op->getRegions())
    if (!region.empty())
      add(region.front().getTerminator()->getOperand(index));
  if (auto inner = dyn_cast<scf::ForOp>(op))
    add(inner.getInitArgs()[index]);
}

ArrayRef<Operation *> LoopSlice::writersFor(LLVM::LoadOp load) {
  auto [known, isNew] = found.try_emplace(load);
  if (!isNew)
    return known->second;
  std::optional<Access> read = accesses.of(load);
  SmallVector<Operation *> writers;
  loop->walk([&](Operation *op) {
    std::optional<Access> access = accesses.of(op);
    auto call = dyn_cast<LLVM::CallOp>(op);
    if (access && access->writes && !(call && touchesNoMemory(call)) && !isa<LLVM::FenceOp>(op) &&
        accesses.mayShareMemory(*access, *read))
      writers.push_back(op);
  });
  return known->second = std::move(writers);
}

SmallVector<Value> LoopSlice::storedFor(LLVM::LoadOp load) {
  SmallVector<Value> stored;
  for (Operation *writer : writersFor(load))
    if (Value value = writtenBy(writer))
      stored.push_back(value);
  return stored;
}

/// Adds what may be written where `load` reads, and what decides that it is written.
void LoopSlice::addStored(LLVM::LoadOp load) {
  for (Operation *writer : writersFor(load)) {
    addWriter(writer);
    if (!writtenBy(writer))
      addAllWriters();
  }
}

/// Adds what `writer` writes and where, and what decides that it runs.
void LoopSlice::addWriter(Operation *writer) {
  if (!writtenBy(writer))
    unknownWriters.insert(writer);
  addAllOf(writer);
  for (Operation *holder = writer->getParentOp(); holder != loop; holder = holder->getParentOp())
    addControlOf(holder);
}

/// A copy or an operation that is not known may have read anything that the loop writes.
void LoopSlice::addAllWriters() {
  if (std::exchange(hasAllWriters, true))
    return;
  loop->walk([&](Operation *op) {
    std::optional<Access> access = accesses.of(op);
    if (access && access->writes)
      addWriter(op);
  });
}

void LoopSlice::follow(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value))
    return addArgument(argument);
  Operation *op = value.getDefiningOp();
  if (op->getNumRegions() != 0)
    return addResult(op, cast<OpResult>(value).getResultNumber());
  addAllOf(op);
  if (auto load = dyn_cast<LLVM::LoadOp>(op))
    addStored(load);
  else if (isSharedAssembly(op))
    addAllWriters();
}

/// Adds on what a value depends with which a block is entered.
void LoopSlice::addArgument(BlockArgument argument) {
  Operation *parent = argument.getOwner()->getParentOp();
  unsigned index = argument.getArgNumber();
  addControlOf(parent);
  if (auto inner = dyn_cast<scf::ForOp>(parent)) {
    if (index >= inner.getNumInductionVars()) {
      add(inner.getInitArgs()[index - inner.getNumInductionVars()]);
      add(inner.getBody()->getTerminator()->getOperand(index - inner.getNumInductionVars()));
    }
  } else if (auto inner = dyn_cast<scf::WhileOp>(parent)) {
    if (argument.getOwner() != inner.getBeforeBody())
      return add(inner.getConditionOp().getArgs()[index]);
    add(inner.getYieldOp().getOperand(index));
    add(inner.getInits()[index]); // outside of the slice if this is the loop itself
  }
}

bool LoopSlice::isInvariant(Value value) {
  if (!isWithin(value))
    return true;
  Operation *op = value.getDefiningOp();
  if (!op || op->getNumRegions() != 0 ||
      !llvm::all_of(op->getOperands(), [&](Value operand) { return isInvariant(operand); }))
    return false;
  if (auto load = dyn_cast<LLVM::LoadOp>(op))
    return !accesses.of(load)->isOrdered && writersFor(load).empty();
  return isPure(op);
}
