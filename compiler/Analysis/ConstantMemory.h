//===- ConstantMemory.h - Memory that a launch cannot write -----*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Dialect/Grain/Grain.h"
#include "llvm/ADT/DenseMap.h"

namespace regrain {

/// Finds loads from memory that nobody writes while the kernel runs: loads that are marked
/// invariant, and loads from constant memory, from a constant variable, or through a `noalias` or
/// `byval` parameter that the kernel only loads through.
class ConstantMemory {
public:
  /// Returns true if the memory is proved constant. False means unknown.
  [[nodiscard]] bool isReadBy(mlir::LLVM::LoadOp load);

private:
  bool isReadOnly(mlir::BlockArgument parameter);

  llvm::DenseMap<mlir::Value, bool> readOnly;
};

/// Returns the value that an address is computed from by casts and offsets.
[[nodiscard]] mlir::Value baseOf(mlir::Value address);

} // namespace regrain
