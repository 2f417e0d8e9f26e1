//===- LaneOperations.cpp - Operations of the lanes of a mask -------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/AMDGPU/LaneOperations.h"

#include "compiler/Target/AMDGPU/DeviceLibrary.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"

using namespace llvm;

namespace regrain::amdgpu {

/// Returns whether lanes exchange values in the function, or in what it calls.
static bool exchanges(const Function &function, unsigned depth = 4) {
  return depth != 0 && any_of(instructions(function), [&](const Instruction &inst) {
           auto *call = dyn_cast<CallBase>(&inst);
           const Function *callee = call ? call->getCalledFunction() : nullptr;
           if (!callee)
             return false;
           return callee->isIntrinsic() ? callee->isConvergent() && callee->getIntrinsicID() !=
                                                                        Intrinsic::amdgcn_s_barrier
                                        : exchanges(*callee, depth - 1);
         });
}

static StringRef operationOf(const Function &shared) {
  StringRef name = shared.getName();
  return name.take_front(name.find('_', name.find('_') + 1));
}

/// Returns the mask of an operation; null if it has none, so that the lanes at one place run it
/// together.
static const Value *lanesOf(const CallInst &call, const Function &shared) {
  if (!shared.getName().contains("_sync"))
    return nullptr;
  return call.getArgOperand(operationOf(shared) == "nvvm_redux" ? 1 : 0);
}

bool isShared(const Function &function) {
  return function.hasFnAttribute(ownAttribute) && !function.arg_empty() && exchanges(function);
}

const Function *sharedBy(const Instruction &inst) {
  auto *call = dyn_cast<CallInst>(&inst);
  const Function *callee = call ? call->getCalledFunction() : nullptr;
  return callee && isShared(*callee) ? callee : nullptr;
}

Kinds kindsIn(const Function &kernel) {
  Kinds kinds;
  for (const Instruction &inst : instructions(kernel))
    if (const Function *shared = sharedBy(inst))
      if (const Value *lanes = lanesOf(cast<CallInst>(inst), *shared))
        kinds.insert({&inst, {operationOf(*shared), lanes}});
  return kinds;
}

} // namespace regrain::amdgpu
