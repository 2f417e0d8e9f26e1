//===- Callee.cpp - What a call does --------------------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Analysis/Callee.h"

#include "mlir/IR/SymbolTable.h"

using namespace mlir;
using namespace regrain;

LLVM::LLVMFuncOp regrain::calleeOf(LLVM::CallOp call) {
  FlatSymbolRefAttr callee = call.getCalleeAttr();
  if (!callee)
    return {};
  return SymbolTable::lookupNearestSymbolFrom<LLVM::LLVMFuncOp>(call, callee);
}

static grain::CalleeAttr factsOf(LLVM::CallOp call) {
  LLVM::LLVMFuncOp callee = calleeOf(call);
  return callee ? callee->getAttrOfType<grain::CalleeAttr>(grain::CalleeAttr::name)
                : grain::CalleeAttr();
}

CalleeKind regrain::kindOf(LLVM::CallOp call) {
  grain::CalleeAttr facts = factsOf(call);
  return facts ? facts.getKind() : CalleeKind::Unknown;
}

Convergence regrain::convergenceOf(LLVM::CallOp call) {
  grain::CalleeAttr facts = factsOf(call);
  return facts ? facts.getConvergence() : Convergence::Unknown;
}

static bool saysNoMemory(LLVM::CallOp call, bool inaccessibleToo) {
  LLVM::LLVMFuncOp callee = calleeOf(call);
  LLVM::MemoryEffectsAttr memory = callee ? callee.getMemoryAttr() : LLVM::MemoryEffectsAttr();
  auto none = LLVM::ModRefInfo::NoModRef;
  return memory && memory.getOther() == none && memory.getArgMem() == none &&
         (!inaccessibleToo || memory.getInaccessibleMem() == none);
}

/// A call without operands that touches no memory reads a register of the running thread; otherwise
/// it could only return a constant.
static bool readsRegister(LLVM::CallOp call) { return call.getArgOperands().empty(); }

bool regrain::isPureCall(LLVM::CallOp call) {
  return convergenceOf(call) == Convergence::None && kindOf(call) != CalleeKind::Clock &&
         !readsRegister(call) && saysNoMemory(call, /*inaccessibleToo=*/true);
}

bool regrain::touchesNoMemory(LLVM::CallOp call) {
  return saysNoMemory(call, /*inaccessibleToo=*/false);
}

bool regrain::hasEffect(Operation *op) {
  if (auto call = dyn_cast<LLVM::CallOp>(op))
    return !isPureCall(call);
  return !isMemoryEffectFree(op);
}

/// Returns whether the address is that of a variable of the module, or lies in one.
static bool isOfVariable(Value address) {
  while (Operation *op = address.getDefiningOp()) {
    if (isa<LLVM::AddressOfOp>(op))
      return true;
    if (!isa<LLVM::AddrSpaceCastOp, LLVM::GEPOp>(op))
      return false;
    address = op->getOperand(0);
  }
  return false;
}

bool regrain::isFailedAssertion(LLVM::CallOp call) {
  LLVM::LLVMFuncOp callee = calleeOf(call);
  return callee && callee.isExternal() && callee.getName() == "__assertfail" &&
         llvm::all_of(call.getArgOperands(), [](Value operand) {
           return !isa<LLVM::LLVMPointerType>(operand.getType()) || isOfVariable(operand);
         });
}
