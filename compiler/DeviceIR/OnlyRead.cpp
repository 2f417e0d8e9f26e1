//===- OnlyRead.cpp - Memory that a function does not write ---------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/DeviceIR/OnlyRead.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace regrain {
namespace {

/// Follows the address of a parameter.
class Reads {
public:
  /// A pointer that was seen before counts as read only: its other uses decide.
  bool all(const Value &pointer) {
    return !seen.insert(&pointer).second ||
           all_of(pointer.uses(), [this](const Use &use) { return isRead(use); });
  }

private:
  bool isRead(const Use &use) {
    const User *user = use.getUser();
    if (isa<GetElementPtrInst, AddrSpaceCastInst, PHINode, SelectInst>(user))
      return all(*user);
    if (auto *copy = dyn_cast<MemTransferInst>(user))
      return &use == &copy->getRawSourceUse();
    if (auto *call = dyn_cast<CallBase>(user))
      return isReadBy(*call, use);
    return isa<LoadInst>(user);
  }

  bool isReadBy(const CallBase &call, const Use &use) {
    const Function *callee = call.getCalledFunction();
    if (!callee || callee->isDeclaration() || !callee->hasExactDefinition() ||
        !call.isArgOperand(&use))
      return false;
    unsigned number = call.getArgOperandNo(&use);
    if (number >= callee->arg_size())
      return false;
    const Argument &parameter = *callee->getArg(number);
    return parameter.hasByValAttr() /* a copy of its own */ || all(parameter);
  }

  SmallPtrSet<const Value *, 16> seen;
};

} // namespace

bool isOnlyRead(const Argument &parameter) {
  return parameter.onlyReadsMemory() || Reads().all(parameter);
}

} // namespace regrain
