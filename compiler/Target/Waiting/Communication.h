//===- Communication.h - What may see other threads' actions ----*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// While a thread runs, it can observe what other threads, other blocks or the host do through
// atomic and volatile accesses, through plain accesses beside a fence, through barriers and warp
// operations, and through calls that may do any of these. An instruction that is not known
// communicates.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/DeviceIR/Calls.h"
#include "compiler/Target/Waiting/Machine.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/IR/Module.h"

namespace regrain::waiting {

class Communication {
public:
  /// `machine` must outlive this object.
  Communication(llvm::Module &module, const Machine &machine);

  /// Returns with whom `inst` may exchange information, or order such an exchange.
  Partners partnersOf(const llvm::Instruction &inst) const;
  /// Returns the same for `function` and what it calls.
  Partners partnersOf(const llvm::Function &function) const { return partners.lookup(&function); }
  /// Returns whether `function` may be called again before it has returned.
  bool isRecursive(const llvm::Function &function) const { return recursive.contains(&function); }
  /// Returns what `function` may call, directly or through others.
  const FunctionSet &reachedFrom(llvm::Function &function) const {
    return reached.find(&function)->second;
  }

private:
  Partners partnersOfCall(const llvm::CallBase &call) const;

  const Machine &machine;
  llvm::MapVector<llvm::Function *, FunctionSet> reached; ///< of each function that is defined
  llvm::DenseMap<const llvm::Function *, Partners> partners;
  llvm::SmallPtrSet<const llvm::Function *, 16> recursive;
};

} // namespace regrain::waiting
