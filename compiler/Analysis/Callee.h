//===- Callee.h - What a call does ------------------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads what the import knows of a function that kernels call (#grain.callee) and
// its memory effects. A function of which nothing is said may do anything.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Dialect/Grain/Grain.h"

namespace regrain {

using grain::CalleeKind;
using grain::Convergence;

/// The function that a call names, or null.
[[nodiscard]] mlir::LLVM::LLVMFuncOp calleeOf(mlir::LLVM::CallOp call);

/// What the function stands for that the call names.
[[nodiscard]] CalleeKind kindOf(mlir::LLVM::CallOp call);

/// What the call asks of the threads that run it.
[[nodiscard]] Convergence convergenceOf(mlir::LLVM::CallOp call);

/// True where the call's result is a function of its operands alone, and it
/// does nothing else.
[[nodiscard]] bool isPureCall(mlir::LLVM::CallOp call);

/// True where the call touches no memory that a program can name.
[[nodiscard]] bool touchesNoMemory(mlir::LLVM::CallOp call);

/// Whether `op` has an effect besides its results. Unknown operations have.
[[nodiscard]] bool hasEffect(mlir::Operation *op);

} // namespace regrain
