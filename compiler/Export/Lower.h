//===- Lower.h - Grain IR to the LLVM dialect -------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Dialect/Grain/Grain.h"

namespace regrain {

/// Replaces `kernel` by an llvm.func `symbol` whose body is that of one thread; shared allocations
/// become globals of the module around it. Fails with an error if the kernel has alternatives,
/// which no launch can run.
mlir::FailureOr<mlir::LLVM::LLVMFuncOp> lowerNest(grain::KernelOp kernel, llvm::StringRef symbol);

/// Lowers scf, cf and arith in `function` to the LLVM dialect. The increments of `scf.for` become
/// nsw; loop hints move to the latches.
mlir::LogicalResult lowerControlFlow(mlir::LLVM::LLVMFuncOp function);

} // namespace regrain
