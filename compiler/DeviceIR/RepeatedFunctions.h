//===- RepeatedFunctions.h - Functions that are called again ----*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel that holds many copies of a function may no longer fit into the instruction cache
// (docs/decisions/0107). Where a program says `__noinline__`, it has seen this.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/ADT/DenseSet.h"
#include "llvm/IR/Module.h"

namespace regrain {

using FunctionsOfModule = llvm::DenseSet<const llvm::Function *>;

/// Returns the functions that are `__noinline__`, and whose copies would be a large part of some
/// kernel's code if everything were inlined. Recursive functions are not among them. Of two that
/// call each other, the inner one is found first, and then counts as a call in the outer one.
[[nodiscard]] FunctionsOfModule findRepeatedFunctions(llvm::Module &module);

/// Returns whether some function of the program that has branches is called more than once. LLVM
/// compares calls, but no longer their branches once they are inlined.
[[nodiscard]] bool hasRepeatedBranches(const llvm::Module &module);

} // namespace regrain
