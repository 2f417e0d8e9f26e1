//===- References.h - What functions and variables refer to -----*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A function refers to what the operands of its instructions name, in constant expressions too. A
// variable refers to what its initialiser names, an alias to its aliasee. Calls are in Calls.h.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/Module.h"

namespace regrain {

/// Functions, variables and aliases in the order in which they are found, breadth first. Each has
/// the first instruction that leads to it: the instruction names it, or names a variable through
/// whose initialiser it is found. The roots have none.
using References = llvm::MapVector<const llvm::GlobalValue *, const llvm::Instruction *>;

/// Whether a call through a pointer leads to every function of the module whose address is taken.
/// It does not need to where the caller looks at such calls itself.
enum class PointerCalls { Ignored, Followed };

/// Returns `roots` and all to which they refer, directly or through others.
[[nodiscard]] References findReferences(llvm::ArrayRef<const llvm::GlobalValue *> roots,
                                        PointerCalls calls = PointerCalls::Ignored);

/// Returns every function, variable and alias to which `kernel` refers, directly or through others,
/// including itself.
[[nodiscard]] llvm::SetVector<const llvm::GlobalValue *>
reachableFrom(const llvm::Function &kernel);

/// Returns the functions to which `roots` refer, directly or through others, including `roots`.
[[nodiscard]] llvm::SetVector<const llvm::Function *>
functionsReachedFrom(llvm::ArrayRef<llvm::Function *> roots);

} // namespace regrain
