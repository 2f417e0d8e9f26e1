//===- ForceInline.cpp - Functions that take part in the nest -------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A function that remains a call sees the launched coordinates and sizes instead of the program's,
// and hides its barriers and its shared memory from the transforms. So each function that takes
// part in the nest must be inlined into the kernel's body. A kernel that calls one that is
// recursive, or too large to be copied, has no grains.
//
//===----------------------------------------------------------------------===//
#include "compiler/DeviceIR/AddressSpaces.h"
#include "compiler/DeviceIR/InlinedSizes.h"
#include "compiler/Import/Prepare.h"

#include "llvm/ADT/SCCIterator.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/CallGraph.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"

using namespace llvm;

namespace {

bool readsLaunch(Intrinsic::ID id) {
  switch (id) {
  case Intrinsic::nvvm_read_ptx_sreg_tid_x:
  case Intrinsic::nvvm_read_ptx_sreg_tid_y:
  case Intrinsic::nvvm_read_ptx_sreg_tid_z:
  case Intrinsic::nvvm_read_ptx_sreg_ntid_x:
  case Intrinsic::nvvm_read_ptx_sreg_ntid_y:
  case Intrinsic::nvvm_read_ptx_sreg_ntid_z:
  case Intrinsic::nvvm_read_ptx_sreg_ctaid_x:
  case Intrinsic::nvvm_read_ptx_sreg_ctaid_y:
  case Intrinsic::nvvm_read_ptx_sreg_ctaid_z:
  case Intrinsic::nvvm_read_ptx_sreg_nctaid_x:
  case Intrinsic::nvvm_read_ptx_sreg_nctaid_y:
  case Intrinsic::nvvm_read_ptx_sreg_nctaid_z:
    return true;
  default:
    return false;
  }
}

} // namespace

bool regrain::takesPartInNest(const CallBase &call) {
  if (call.isInlineAsm())
    return call.isConvergent();
  const Function *callee = call.getCalledFunction();
  if (!callee || !callee->isIntrinsic())
    return false;
  return readsLaunch(callee->getIntrinsicID()) || callee->isConvergent();
}

DenseSet<const Function *> regrain::findUsers(const GlobalVariable &global) {
  DenseSet<const Function *> functions;
  SmallPtrSet<const Value *, 16> visited;
  SmallVector<const Value *> work{&global};
  while (!work.empty())
    for (const User *user : work.pop_back_val()->users()) {
      if (!visited.insert(user).second)
        continue;
      if (auto *instruction = dyn_cast<Instruction>(user))
        functions.insert(instruction->getFunction());
      else
        work.push_back(user);
    }
  return functions;
}

DenseSet<const Function *> regrain::findCooperating(const Module &module) {
  DenseSet<const Function *> cooperating;
  for (const GlobalVariable &global : module.globals())
    if (global.getAddressSpace() == regrain::sharedSpace)
      for (const Function *user : findUsers(global))
        cooperating.insert(user);
  for (const Function &function : module)
    for (const Instruction &instruction : instructions(function))
      if (auto *call = dyn_cast<CallBase>(&instruction); call && takesPartInNest(*call))
        cooperating.insert(&function);

  SmallVector<const Function *> work(cooperating.begin(), cooperating.end());
  while (!work.empty()) {
    const Function *callee = work.pop_back_val();
    for (const User *user : callee->users())
      if (auto *call = dyn_cast<CallBase>(user); call && call->getCalledOperand() == callee)
        if (cooperating.insert(call->getFunction()).second)
          work.push_back(call->getFunction());
  }
  return cooperating;
}

void regrain::forceInlining(Module &module, ArrayRef<Function *> kernels,
                            const FunctionsOfModule &staying) {
  DenseSet<const Function *> cooperating = findCooperating(module);
  CallGraph graph(module);
  InlinedSizes sizes;
  for (auto component = scc_begin(&graph); !component.isAtEnd(); ++component) {
    if (component.hasCycle())
      continue;
    CallGraphNode *node = component->front();
    Function *function = node->getFunction();
    if (!function || function->isDeclaration() || !sizes.mayBeCopied(*node) ||
        !cooperating.contains(function) || is_contained(kernels, function) ||
        staying.contains(function))
      continue;
    function->removeFnAttr(Attribute::NoInline);
    function->addFnAttr(Attribute::AlwaysInline);
  }
}
