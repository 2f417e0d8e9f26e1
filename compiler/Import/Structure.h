//===- Structure.h - LLVM dialect to structured control flow ----*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace regrain {

/// Turns loop metadata on branches into grain.loop_hint in the loops' headers.
void parkLoopHints(mlir::LLVM::LLVMFuncOp function);

/// Removes edges to blocks that contain only `unreachable`, and turns every other `unreachable`
/// into a return. Each would otherwise count as one more exit of the function.
void removeUnreachable(mlir::LLVM::LLVMFuncOp function);

/// Rewrites branches and operations on scalar integers to cf and arith, which the lift and its
/// clean-ups know.
void convertToArith(mlir::LLVM::LLVMFuncOp function);

/// Wraps acyclic regions that are no nest of ifs (fall-through switches, shared join points) in
/// scf.execute_region, because lifting them would make them grow quadratically. A region that
/// contains an operation for which `keepsOut` is true is not wrapped.
void wrapUnstructured(mlir::LLVM::LLVMFuncOp function,
                      llvm::function_ref<bool(mlir::Operation &)> keepsOut);

/// Does all of the above and then lifts: `function` becomes a single block of scf. On failure the
/// function is in an unspecified state.
mlir::LogicalResult structure(mlir::LLVM::LLVMFuncOp function,
                              llvm::function_ref<bool(mlir::Operation &)> isBarrier);

} // namespace regrain
