//===- Callee.h - What a call does ------------------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// These functions read the memory effects of a callee and what the import knows of it
// (#grain.callee). A function without such an attribute may do anything.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Dialect/Grain/Grain.h"

namespace regrain {

using grain::CalleeKind;
using grain::Convergence;

/// Returns the function that a call names, or null.
[[nodiscard]] mlir::LLVM::LLVMFuncOp calleeOf(mlir::LLVM::CallOp call);

/// Returns what kind of function the call names.
[[nodiscard]] CalleeKind kindOf(mlir::LLVM::CallOp call);

/// Returns which threads must run the call together.
[[nodiscard]] Convergence convergenceOf(mlir::LLVM::CallOp call);

/// Returns true if the call's result is a function of its operands alone, and the call does nothing
/// else.
[[nodiscard]] bool isPureCall(mlir::LLVM::CallOp call);

/// Returns true if the call touches no memory that a program can name.
[[nodiscard]] bool touchesNoMemory(mlir::LLVM::CallOp call);

/// Returns true if the call is an assertion that has failed, which reads its texts from variables
/// of the module and writes nothing that a kernel can read.
[[nodiscard]] bool isFailedAssertion(mlir::LLVM::CallOp call);

/// Returns true if `op` has an effect besides its results. Unknown operations do.
[[nodiscard]] bool hasEffect(mlir::Operation *op);

} // namespace regrain
