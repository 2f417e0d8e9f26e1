//===- LoopSlice.cpp - What a value in a loop is computed from ------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Analysis/LoopSlice.h"

#include "compiler/Analysis/Callee.h"
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

/// Adds the operands of `op` and of the terminators in its regions. This is coarse, but sufficient.
void LoopSlice::addAllOf(Operation *op) {
  for (Value operand : op->getOperands())
    add(operand);
  for (Region &region : op->getRegions())
    for (Block &block : region)
      for (Value operand : block.getTerminator()->getOperands())
        add(operand);
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
    addAllOf(holder);
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
  if (Operation *op = value.getDefiningOp()) {
    addAllOf(op);
    if (auto load = dyn_cast<LLVM::LoadOp>(op))
      addStored(load);
    return;
  }
  auto argument = cast<BlockArgument>(value);
  Operation *parent = argument.getOwner()->getParentOp();
  auto inner = dyn_cast<scf::WhileOp>(parent);
  if (!inner) {
    addAllOf(parent);
  } else if (argument.getOwner() == inner.getBeforeBody()) {
    add(inner.getYieldOp().getOperand(argument.getArgNumber()));
    if (parent != loop)
      addAllOf(parent);
  } else {
    add(inner.getConditionOp().getArgs()[argument.getArgNumber()]);
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
