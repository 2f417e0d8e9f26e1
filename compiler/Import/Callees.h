//===- Callees.h - What the functions do that kernels call ------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The one place that knows instructions and functions by their names. What it finds
// goes into grain IR as #grain.callee; analyses ask that.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Dialect/Grain/Grain.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"

namespace regrain {

/// What analyses may rely on; by default nothing.
struct CalleeFacts {
  grain::CalleeKind kind = grain::CalleeKind::Unknown;
  grain::Convergence convergence = grain::Convergence::Unknown;
};

/// By the name of the function.
using CalleeTable = llvm::StringMap<CalleeFacts>;

/// Of an instruction that is a call: an intrinsic, or inline assembly.
[[nodiscard]] CalleeFacts factsOfInstruction(const llvm::CallBase &call);

/// Of the functions in `module` that are not intrinsics and not `kernels`. A device
/// function that is not inlined waits, as far as is known, where control can come
/// back to where it was, in it or in what it calls, and something there sees other
/// threads; it may synchronise where it does so itself, or calls what is not known.
/// One that no other thread takes part in has neither atomic nor volatile accesses, nor
/// fences, and asks for no memory: what it does counts as plain loads and stores.
/// The mark `convergent`, which clang gives all device code, is taken from those that
/// do neither, and mathematical functions get the attributes of pure ones (those that
/// store a second result through a pointer write to that alone).
[[nodiscard]] CalleeTable describeFunctions(llvm::Module &module,
                                            llvm::ArrayRef<llvm::Function *> kernels);

/// Attaches #grain.callee to the functions in `module` that `table` knows.
void attachFacts(mlir::ModuleOp module, const CalleeTable &table);

} // namespace regrain
