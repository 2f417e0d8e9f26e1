//===- Raisable.cpp - Which kernels grain IR can express ------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Import/Raisable.h"

#include "compiler/DeviceIR/Annotations.h"
#include "compiler/DeviceIR/References.h"
#include "compiler/Refusal/DebugPosition.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;
using regrain::Refusal;
using regrain::RefusalKind;

namespace {

/// Returns why an instruction or terminator has no structured form, or nothing if it has one.
std::optional<Refusal> unstructured(const Instruction &instruction) {
  if (isa<IndirectBrInst>(instruction))
    return Refusal{RefusalKind::IndirectBranch, "it jumps to a computed label (goto *p)"};
  if (isa<CallBrInst>(instruction))
    return Refusal{RefusalKind::JumpingAssembly, "it has inline assembly that jumps"};
  if (instruction.isEHPad() || isa<InvokeInst, ResumeInst>(instruction))
    return Refusal{RefusalKind::Exceptions,
                   "it contains exception handling (LLVM's invoke, resume or landing pad)"};
  if (auto *call = dyn_cast<CallBase>(&instruction);
      call && call->hasOperandBundles() && !isa<AssumeInst>(call))
    return Refusal{RefusalKind::OperandBundles,
                   "it has a call with LLVM operand bundles, which grain IR cannot represent"};
  return std::nullopt;
}

bool isIndirectCall(const Instruction &instruction) {
  auto *call = dyn_cast<CallBase>(&instruction);
  return call && !call->isInlineAsm() && !call->getCalledFunction();
}

/// Returns a function whose address is `value` or a part of it, if that is a constant; null if
/// there is none. The address of a block is none: it names its function only for the place.
const Function *functionIn(const Value *value) {
  if (auto *function = dyn_cast<Function>(value))
    return function;
  auto *constant = dyn_cast<Constant>(value);
  if (!constant || isa<GlobalValue, BlockAddress>(constant))
    return nullptr;
  for (const Value *operand : constant->operand_values())
    if (const Function *function = functionIn(operand))
      return function;
  return nullptr;
}

/// Returns a function whose address `instruction` takes for another purpose than calling it, or
/// null.
const Function *takenAddress(const Instruction &instruction) {
  auto *call = dyn_cast<CallBase>(&instruction);
  for (const Use &use : instruction.operands())
    if (const Function *function = functionIn(use))
      if (!call || !call->isCallee(&use))
        return function;
  return nullptr;
}

std::optional<Refusal> refusalAt(const Instruction &instruction, const Function &kernel) {
  if (auto refusal = unstructured(instruction))
    return refusal;
  if (isIndirectCall(instruction))
    return Refusal{RefusalKind::IndirectCall,
                   "it calls a virtual function or a function through a pointer"};
  if (const Function *function = takenAddress(instruction))
    return Refusal{RefusalKind::FunctionAddress,
                   "it takes the address of the function '" + demangle(function->getName()) + "'"};
  if (auto *call = dyn_cast<CallBase>(&instruction); call && call->getCalledFunction() == &kernel)
    return Refusal{RefusalKind::CallsItself, "it calls itself"};
  return std::nullopt;
}

/// Returns the position of `instruction` in `kernel`, or that of the kernel.
regrain::SourcePosition positionOf(const Instruction &instruction, const Function &kernel) {
  auto where = regrain::positionOf(regrain::outermost(instruction.getDebugLoc()));
  return where.isKnown() ? where : regrain::definitionOf(kernel);
}

bool isRecursive(const Function &function) {
  return any_of(instructions(function), [&](const Instruction &instruction) {
    auto *call = dyn_cast<CallBase>(&instruction);
    Function *callee = call ? call->getCalledFunction() : nullptr;
    return callee && regrain::functionsReachedFrom(callee).contains(&function);
  });
}

/// Returns why a kernel cannot contain a call of `callee`, or nothing if it can.
std::optional<Refusal> refusalOf(Function *callee, const DenseSet<const Function *> &cooperating) {
  if (!callee || callee->isDeclaration())
    return std::nullopt;
  if (cooperating.contains(callee))
    return isRecursive(*callee)
               ? Refusal{RefusalKind::RecursiveCooperation,
                         "it calls '" + demangle(callee->getName()) +
                             "', which is recursive and uses thread coordinates, shared memory or "
                             "synchronisation"}
               : Refusal{RefusalKind::LargeCooperation,
                         "it calls '" + demangle(callee->getName()) +
                             "', which is too large for a copy at each call and uses thread "
                             "coordinates, shared memory or synchronisation"};
  for (const Function *function : regrain::functionsReachedFrom(callee))
    for (const Instruction &inner : instructions(*function))
      if (isIndirectCall(inner) || takenAddress(inner))
        return Refusal{
            RefusalKind::IndirectCall,
            "it calls '" + demangle(callee->getName()) +
                "', which calls a function through a pointer or takes the address of a function"};
  return std::nullopt;
}

} // namespace

std::optional<Refusal> regrain::checkRaisable(Function &kernel,
                                              const DenseSet<const Function *> &cooperating) {
  if (clusterExtent(kernel))
    return Refusal{RefusalKind::Clusters,
                   "its blocks form clusters (__cluster_dims__), in which another grain would give "
                   "them other ranks",
                   regrain::definitionOf(kernel)};
  for (Instruction &instruction : instructions(kernel)) {
    std::optional<Refusal> refusal = refusalAt(instruction, kernel);
    if (auto *call = dyn_cast<CallBase>(&instruction); call && !refusal)
      refusal = refusalOf(call->getCalledFunction(), cooperating);
    if (refusal) {
      refusal->where = ::positionOf(instruction, kernel);
      return refusal;
    }
  }
  return std::nullopt;
}
