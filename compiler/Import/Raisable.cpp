//===- Raisable.cpp - Which kernels grain IR can express ------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Import/Raisable.h"

#include "compiler/DeviceIR/References.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;
using regrain::ImportedModule;
using regrain::Obstacle;
using regrain::RefusalKind;

namespace {

/// Returns the position in the kernel's own file to which inlining has moved `location`.
DILocation *outermost(DILocation *location) {
  while (location && location->getInlinedAt())
    location = location->getInlinedAt();
  return location;
}

/// Returns why an instruction or terminator has no structured form, or nothing if it has one.
std::optional<Obstacle> unstructured(const Instruction &instruction) {
  if (isa<IndirectBrInst>(instruction))
    return Obstacle{RefusalKind::IndirectBranch, "it has an indirect branch"};
  if (isa<CallBrInst>(instruction))
    return Obstacle{RefusalKind::JumpingAssembly, "it has inline assembly that jumps"};
  if (instruction.isEHPad() || isa<InvokeInst, ResumeInst>(instruction))
    return Obstacle{RefusalKind::Exceptions, "it handles exceptions"};
  if (auto *call = dyn_cast<CallBase>(&instruction);
      call && call->hasOperandBundles() && !isa<AssumeInst>(call))
    return Obstacle{RefusalKind::OperandBundles, "it has a call with operand bundles"};
  return std::nullopt;
}

bool isIndirectCall(const Instruction &instruction) {
  auto *call = dyn_cast<CallBase>(&instruction);
  return call && !call->isInlineAsm() && !call->getCalledFunction();
}

/// Returns a function whose address `instruction` takes for another purpose than calling it, or
/// null.
const Function *takenAddress(const Instruction &instruction) {
  auto *call = dyn_cast<CallBase>(&instruction);
  for (const Use &use : instruction.operands())
    if (auto *function = dyn_cast<Function>(use->stripPointerCasts()))
      if (!call || !call->isCallee(&use))
        return function;
  return nullptr;
}

std::optional<Obstacle> obstacleAt(const Instruction &instruction, const Function &kernel) {
  if (std::optional<Obstacle> obstacle = unstructured(instruction))
    return obstacle;
  if (isIndirectCall(instruction))
    return Obstacle{RefusalKind::IndirectCall, "it has an indirect call"};
  if (const Function *function = takenAddress(instruction))
    return Obstacle{RefusalKind::FunctionAddress,
                    "it takes the address of the function '" + demangle(function->getName()) + "'"};
  if (auto *call = dyn_cast<CallBase>(&instruction); call && call->getCalledFunction() == &kernel)
    return Obstacle{RefusalKind::CallsItself, "it calls itself"};
  return std::nullopt;
}

} // namespace

ImportedModule::NotRaised regrain::describeObstacle(const Function &kernel,
                                                    const Instruction *instruction,
                                                    Obstacle obstacle) {
  ImportedModule::NotRaised result;
  result.symbol = kernel.getName().str();
  result.kind = obstacle.kind;
  result.reason = std::move(obstacle.reason);
  DILocation *location = instruction ? outermost(instruction->getDebugLoc().get()) : nullptr;
  if (location && location->getLine()) {
    result.file = location->getFilename().str();
    result.line = location->getLine();
    result.column = location->getColumn();
  } else if (const DISubprogram *subprogram = kernel.getSubprogram()) {
    result.file = subprogram->getFilename().str();
    result.line = subprogram->getLine();
  }
  return result;
}

std::optional<ImportedModule::NotRaised>
regrain::findObstacle(Function &kernel, const DenseSet<const Function *> &cooperating) {
  for (Instruction &instruction : instructions(kernel)) {
    if (std::optional<Obstacle> obstacle = obstacleAt(instruction, kernel))
      return describeObstacle(kernel, &instruction, std::move(*obstacle));
    auto *call = dyn_cast<CallBase>(&instruction);
    Function *callee = call ? call->getCalledFunction() : nullptr;
    if (!callee || callee->isDeclaration())
      continue;
    if (cooperating.contains(callee))
      return describeObstacle(kernel, call,
                              {RefusalKind::RecursiveCooperation,
                               "it calls '" + demangle(callee->getName()) +
                                   "', which is recursive and uses thread coordinates, shared "
                                   "memory or synchronisation"});
    for (const Function *function : functionsReachedFrom(callee))
      for (const Instruction &inner : instructions(*function))
        if (isIndirectCall(inner) || takenAddress(inner))
          return describeObstacle(kernel, call,
                                  {RefusalKind::IndirectCall,
                                   "it calls '" + demangle(callee->getName()) +
                                       "', which makes an indirect call or takes the address of a "
                                       "function"});
  }
  return std::nullopt;
}
