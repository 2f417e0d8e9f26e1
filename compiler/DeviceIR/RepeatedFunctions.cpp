//===- RepeatedFunctions.cpp - Functions that are called again ------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/DeviceIR/RepeatedFunctions.h"

#include "compiler/DeviceIR/Annotations.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SCCIterator.h"
#include "llvm/Analysis/CallGraph.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using regrain::FunctionsOfModule;

namespace {

/// From how many instructions on copies of one function are a large part of a kernel. The
/// instruction caches of an SM hold some thousands.
constexpr uint64_t largePart = 1000;

/// Smaller functions are always copied, because a call takes as long as they do.
constexpr uint64_t smallest = 50;

/// The calls of a module, without those of recursive functions.
class Repetition {
public:
  explicit Repetition(Module &module);
  FunctionsOfModule find() const;

private:
  void countPlaces(const Function &kernel);

  struct Body {
    uint64_t instructions = 0;
    SmallVector<const Function *> callees; ///< one for each call
  };
  std::vector<const Function *> order; ///< what is called stands before its callers
  DenseMap<const Function *, Body> bodies;
  DenseMap<const Function *, uint64_t> places; ///< the most in one kernel
};

/// Returns whether something remains of an instruction once a thread's variables are in registers.
bool isWork(const Instruction &instruction) {
  if (isa<AllocaInst>(instruction) || instruction.isDebugOrPseudoInst() ||
      instruction.isLifetimeStartOrEnd())
    return false;
  const Value *address = getLoadStorePointerOperand(&instruction);
  return !address || !isa<AllocaInst>(address->stripInBoundsConstantOffsets());
}

} // namespace

Repetition::Repetition(Module &module) {
  CallGraph graph(module);
  for (auto component = scc_begin(&graph); !component.isAtEnd(); ++component) {
    const Function *function = component->front()->getFunction();
    if (component.hasCycle() || !function || function->isDeclaration())
      continue;
    order.push_back(function);
    Body &body = bodies[function];
    for (const Instruction &instruction : instructions(*function)) {
      body.instructions += isWork(instruction);
      if (auto *call = dyn_cast<CallBase>(&instruction);
          call && call->getCalledFunction() && !call->getCalledFunction()->isDeclaration())
        body.callees.push_back(call->getCalledFunction());
    }
  }
  for (const GlobalValue *kernel : regrain::annotatedWith(module, "kernel"))
    if (auto *function = dyn_cast<Function>(kernel))
      countPlaces(*function);
}

/// Counts at how many places of the kernel each function would stand.
void Repetition::countPlaces(const Function &kernel) {
  DenseMap<const Function *, uint64_t> here = {{&kernel, 1}};
  for (const Function *caller : reverse(order)) {
    uint64_t copies = here.lookup(caller);
    if (copies == 0)
      continue;
    for (const Function *callee : bodies.find(caller)->second.callees)
      here[callee] = SaturatingAdd(here.lookup(callee), copies);
  }
  for (auto [function, copies] : here)
    places[function] = std::max(places.lookup(function), copies);
}

FunctionsOfModule Repetition::find() const {
  FunctionsOfModule found;
  DenseMap<const Function *, uint64_t> sizes; ///< with what is inlined
  for (const Function *function : order) {
    const Body &body = bodies.find(function)->second;
    uint64_t size = body.instructions;
    for (const Function *callee : body.callees)
      size = SaturatingAdd(size, found.contains(callee) ? 0 : sizes.lookup(callee));
    sizes[function] = size;
    uint64_t copies = places.lookup(function);
    if (copies > 1 && size >= smallest && function->hasFnAttribute(Attribute::NoInline) &&
        SaturatingMultiply(copies, size) > largePart)
      found.insert(function);
  }
  return found;
}

regrain::FunctionsOfModule regrain::findRepeatedFunctions(Module &module) {
  if (none_of(module, [](const Function &function) {
        return !function.isDeclaration() && function.hasFnAttribute(Attribute::NoInline);
      }))
    return {};
  return Repetition(module).find();
}

bool regrain::hasRepeatedBranches(const Module &module) {
  return any_of(module, [](const Function &function) {
    return function.size() > 1 && function.hasNUsesOrMore(2);
  });
}
