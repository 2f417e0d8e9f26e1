//===- Communication.h - What may see other threads' actions ----*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A thread hears of what other threads, other blocks or the host do while it runs
// through atomic and volatile accesses, through plain ones beside a fence, through
// barriers and warp operations, and through calls that may do any of these. What is
// not known communicates.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Target/Waiting/Machine.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/Module.h"

namespace regrain::waiting {

class Communication {
public:
  /// `machine` has to live as long.
  Communication(llvm::Module &module, const Machine &machine);

  /// With whom `inst` may order, or take part in, an exchange.
  Partners partnersOf(const llvm::Instruction &inst) const;
  /// With whom `function`, or what it calls, may.
  Partners partnersOf(const llvm::Function &function) const { return partners.lookup(&function); }
  /// Whether `function` may run again before it has returned.
  bool isRecursive(const llvm::Function &function) const { return recursive.contains(&function); }
  /// What `function` calls, itself or through other functions. Behind a pointer there
  /// may be each function whose address is taken.
  const llvm::SmallSetVector<llvm::Function *, 8> &reachedFrom(llvm::Function &function) const {
    return reached.find(&function)->second;
  }

private:
  void addCallees(llvm::Function &function);
  Partners partnersOfCall(const llvm::CallBase &call) const;

  const Machine &machine;
  llvm::SmallVector<llvm::Function *> defined, behindPointers;
  llvm::MapVector<const llvm::Function *, llvm::SmallSetVector<llvm::Function *, 8>> reached;
  llvm::DenseMap<const llvm::Function *, Partners> partners;
  llvm::SmallPtrSet<const llvm::Function *, 16> recursive;
};

} // namespace regrain::waiting
