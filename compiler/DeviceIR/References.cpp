//===- References.cpp - What functions and variables refer to -------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/DeviceIR/References.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace regrain {

namespace {

class Search {
public:
  explicit Search(PointerCalls calls) : followsPointers(calls == PointerCalls::Followed) {}

  References run(ArrayRef<const GlobalValue *> roots) {
    for (const GlobalValue *root : roots)
      found.insert({root, nullptr});
    for (size_t next = 0; next < found.size(); ++next) {
      auto [value, by] = *(found.begin() + next);
      addOperands(*value, by);
      if (auto *function = dyn_cast<Function>(value))
        for (const Instruction &instruction : instructions(*function)) {
          if (auto *call = dyn_cast<CallBase>(&instruction); call && call->isIndirectCall())
            addTaken(*call);
          addOperands(instruction, &instruction);
        }
    }
    return std::move(found);
  }

private:
  void addOperands(const User &user, const Instruction *by) {
    for (const Use &operand : user.operands())
      if (auto *constant = dyn_cast_or_null<Constant>(operand))
        add(*constant, by);
  }

  void add(const Constant &constant, const Instruction *by) {
    if (auto *value = dyn_cast<GlobalValue>(&constant))
      found.insert({value, by});
    else if (seen.insert(&constant).second)
      addOperands(constant, by);
  }

  void addTaken(const CallBase &call) {
    if (!std::exchange(followsPointers, false))
      return;
    for (const Function &function : *call.getModule())
      if (function.hasAddressTaken())
        found.insert({&function, &call});
  }

  References found;
  SmallPtrSet<const Constant *, 32> seen;
  bool followsPointers; ///< false once a call through a pointer has been found
};

} // namespace

References findReferences(ArrayRef<const GlobalValue *> roots, PointerCalls calls) {
  return Search(calls).run(roots);
}

SetVector<const GlobalValue *> reachableFrom(const Function &kernel) {
  SetVector<const GlobalValue *> reached;
  for (const auto &[value, by] : findReferences(&kernel))
    reached.insert(value);
  return reached;
}

SetVector<const Function *> functionsReachedFrom(ArrayRef<Function *> roots) {
  SetVector<const Function *> functions;
  SmallVector<const GlobalValue *> values(roots);
  for (const auto &[value, by] : findReferences(values))
    if (auto *function = dyn_cast<Function>(value))
      functions.insert(function);
  return functions;
}

} // namespace regrain
