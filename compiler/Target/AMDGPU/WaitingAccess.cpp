//===- WaitingAccess.cpp - Reads and writes of an instruction -------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/AMDGPU/WaitingAccess.h"

#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;
using namespace regrain;

/// Returns whether an atomic operation leaves memory unchanged.
static bool changesNothing(const AtomicRMWInst &inst) {
  auto *operand = dyn_cast<ConstantInt>(inst.getValOperand());
  if (!operand)
    return false;
  switch (inst.getOperation()) {
  case AtomicRMWInst::Add:
  case AtomicRMWInst::Sub:
  case AtomicRMWInst::Or:
  case AtomicRMWInst::Xor:
  case AtomicRMWInst::UMax:
    return operand->isZero();
  case AtomicRMWInst::And:
  case AtomicRMWInst::UMin:
    return operand->isMinusOne();
  default:
    return false;
  }
}

bool amdgpu::looks(const Instruction &inst, bool fenced) {
  if (auto *load = dyn_cast<LoadInst>(&inst))
    return fenced || load->isVolatile() || load->isAtomic();
  return isa<CallBase, AtomicRMWInst, AtomicCmpXchgInst>(inst) && !isa<IntrinsicInst>(inst);
}

const Value *amdgpu::writtenAddress(const Instruction &inst) {
  if (auto *store = dyn_cast<StoreInst>(&inst))
    return store->getPointerOperand();
  if (auto *update = dyn_cast<AtomicRMWInst>(&inst))
    return changesNothing(*update) ? nullptr : update->getPointerOperand();
  if (auto *exchange = dyn_cast<AtomicCmpXchgInst>(&inst))
    return exchange->getPointerOperand();
  return nullptr;
}

Value *amdgpu::readAddress(Instruction &read) {
  if (auto *load = dyn_cast<LoadInst>(&read))
    return load->getPointerOperand();
  if (auto *update = dyn_cast<AtomicRMWInst>(&read))
    return update->getPointerOperand();
  auto *exchange = dyn_cast<AtomicCmpXchgInst>(&read);
  return exchange ? exchange->getPointerOperand() : nullptr;
}

bool amdgpu::takes(const Instruction &read) {
  auto *update = dyn_cast<AtomicRMWInst>(&read);
  return isa<AtomicCmpXchgInst>(read) || (update && !changesNothing(*update));
}
