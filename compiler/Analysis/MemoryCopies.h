//===- MemoryCopies.h - Calls that copy or fill memory ----------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Analysis/Access.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include <optional>

namespace regrain {

/// Returns the call if it copies or fills memory, otherwise null.
mlir::LLVM::CallOp asCopy(mlir::Operation *op);

/// Returns the call if it is an asynchronous copy to the memory of the block, otherwise null.
mlir::LLVM::CallOp asAsynchronousCopy(mlir::Operation *op);

/// Returns the memory from which a copy reads, or nothing if it fills memory with a byte.
std::optional<Access> sourceOf(mlir::LLVM::CallOp copy, Accesses &accesses);

/// Returns the alignment that a store or a copy promises, in bytes, or nothing if it promises that
/// of the type.
std::optional<uint64_t> statedAlignmentOf(mlir::Operation *op);

} // namespace regrain
