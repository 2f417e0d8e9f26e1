//===- Callees.h - What the functions that kernels call do ------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This is the one place that knows instructions and functions by their names. What it finds goes
// into grain IR as #grain.callee, which analyses read.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Dialect/Grain/Grain.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"

namespace regrain {

/// What analyses may rely on; by default nothing is known.
struct CalleeFacts {
  grain::CalleeKind kind = grain::CalleeKind::Unknown;
  grain::Convergence convergence = grain::Convergence::Unknown;
};

/// The facts of each function, by its name.
using CalleeTable = llvm::StringMap<CalleeFacts>;

/// Returns the facts of an instruction that is a call: an intrinsic, or inline assembly.
[[nodiscard]] CalleeFacts factsOfInstruction(const llvm::CallBase &call);

/// Returns the facts of the functions in `module` that are neither intrinsics nor `kernels`, by
/// these rules:
/// - A device function that is not inlined may wait if it, or a function that it calls, contains a
///   loop or recursion, and one of them sees other threads.
/// - It may synchronise if it does so itself or calls a function that is not known.
/// - It is a PlainFunction if no other thread interacts with it: it has no atomic or volatile
///   accesses and no fences, and it allocates no memory. What it does counts as plain loads and
///   stores.
///
/// The attribute `convergent`, which clang gives to all device code, is removed from functions that
/// neither wait nor synchronise. Mathematical functions get the attributes of pure ones; those that
/// store a second result through a pointer write only to that.
[[nodiscard]] CalleeTable describeFunctions(llvm::Module &module,
                                            llvm::ArrayRef<llvm::Function *> kernels);

/// Attaches #grain.callee to the functions in `module` that `table` knows.
void attachFacts(mlir::ModuleOp module, const CalleeTable &table);

} // namespace regrain
