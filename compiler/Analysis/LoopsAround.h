//===- LoopsAround.h - How often code of a kernel runs ----------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Dialect/Grain/Grain.h"
#include "runtime/image/footprint.h"
#include "llvm/ADT/MapVector.h"

namespace regrain {

/// Numbers the loops of a kernel whose length is not known, in the order of the code. Loops over
/// threads and blocks are none of a thread's.
class LoopsAround {
public:
  explicit LoopsAround(grain::KernelOp kernel);

  /// Where an operation is.
  struct Place {
    llvm::SmallVector<mlir::Operation *> loops; ///< the outermost first
    bool isConditional = false;                 ///< a condition is around it
  };
  [[nodiscard]] Place of(mlir::Operation *op) const;

  /// Returns what the image tells of the loops; none varies.
  [[nodiscard]] std::vector<FootprintLoop> describe(llvm::ArrayRef<mlir::Operation *> loops) const;

  /// Returns the numbers of the loops whose length is not known, from 1 in the order of the code.
  [[nodiscard]] const llvm::MapVector<mlir::Operation *, unsigned> &ofUnknownLength() const {
    return numbers;
  }

private:
  llvm::MapVector<mlir::Operation *, unsigned> numbers;
};

} // namespace regrain
