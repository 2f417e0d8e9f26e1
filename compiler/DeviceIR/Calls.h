//===- Calls.h - Which functions call which ---------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Only functions that the module defines count. A call through a pointer may reach each of them
// whose address is taken; inline assembly calls none.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/ADT/SetVector.h"
#include "llvm/IR/Module.h"
#include <map>
#include <optional>

namespace regrain {

using FunctionSet = llvm::SmallSetVector<llvm::Function *, 8>;

/// The calls of a module, which must not change while this object is used. The instructions of a
/// function are read when it is first asked for.
class Calls {
public:
  explicit Calls(llvm::Module &module) : module(module) {}

  /// Returns what the instructions of `function` may call.
  [[nodiscard]] const FunctionSet &calleesOf(llvm::Function &function);

  /// Returns what `function` may call, directly or through others, breadth first. It is among them
  /// only if it may call itself.
  [[nodiscard]] FunctionSet calledFrom(llvm::Function &function);

private:
  const FunctionSet &behindPointers();

  llvm::Module &module;
  std::map<llvm::Function *, FunctionSet> callees;
  std::optional<FunctionSet> taken; ///< the functions whose address is taken
};

} // namespace regrain
