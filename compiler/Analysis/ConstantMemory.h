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

/// Finds loads whose memory nobody writes while the kernel runs: marked
/// invariant, in constant memory, of a constant variable, or through a
/// `noalias` or `byval` parameter that the kernel only loads through.
class ConstantMemory {
public:
  /// True: proved constant. False: unknown.
  [[nodiscard]] bool isReadBy(mlir::LLVM::LoadOp load);

private:
  bool isReadOnly(mlir::BlockArgument parameter);

  llvm::DenseMap<mlir::Value, bool> readOnly;
};

/// The value that an address is computed from by casts and offsets.
[[nodiscard]] mlir::Value baseOf(mlir::Value address);

} // namespace regrain
