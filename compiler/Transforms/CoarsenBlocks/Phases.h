//===- Phases.h - What joined blocks do before and after counting -*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   clear; barrier; COUNT(b); barrier; flush
//     =>  clear; barrier; COUNT(b0), COUNT(b1) ...; barrier; flush
//
// Joined blocks that accumulate in common arrays need not be interleaved, if what stands before the
// barrier in front of all updates, and behind the barrier after them, is the same for all blocks.
// These parts run once then, and only the part between them runs for each block: interleaved, one
// after the other at the end of a grid, or in steps.
//
// Legality. Blocks have no order, and run the first part at the same time in the program as well:
// it writes the same values to the same places, or clears. Each thread has updated for all blocks
// when it reaches the barrier in front of the last part.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Transforms/CoarsenBlocks/Accumulators.h"
#include "mlir/Support/LLVM.h"
#include "llvm/ADT/STLExtras.h"

namespace regrain {

struct Phases {
  llvm::SmallVector<mlir::Operation *> before; ///< run once; the last one is a barrier
  llvm::SmallVector<mlir::Operation *> during; ///< run for each block
  llvm::SmallVector<mlir::Operation *> after;  ///< run once; what they use is among them
};

/// Divides `ops`, the operations of a thread in order, into phases; nothing if that is not
/// possible. `isOwnOfCopy` tells whether each block must run an operation.
[[nodiscard]] std::optional<Phases>
findPhases(llvm::ArrayRef<mlir::Operation *> ops, const Accumulators &accumulators,
           llvm::function_ref<bool(mlir::Operation *)> isOwnOfCopy);

} // namespace regrain
