//===- Refusal.h - Why a transform left a kernel alone ----------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Refusal/RefusalKind.h"
#include "mlir/IR/Location.h"
#include "llvm/Support/LogicalResult.h"
#include <string>

namespace mlir {
class Operation;
} // namespace mlir

namespace regrain {

/// The first thing in a kernel that a transform may not touch.
struct Refusal {
  RefusalKind kind = RefusalKind::UnknownSynchronisation;
  std::string stage;   ///< the transform, "coarsen-threads"
  std::string file;    ///< of the source; empty where unknown
  unsigned line = 0;   ///< 0 where unknown
  unsigned column = 0; ///< 0 where unknown
  std::string reason;  ///< one clause, without a full stop
  mlir::LocationAttr location;
};

/// The position of `op`, or of what holds it, in the kernel's own source; null where
/// it is not known.
mlir::FileLineColLoc positionInKernel(mlir::Operation *op);

/// Fills `refusal` with the kind, the position of `op` and the reason, and fails. Code
/// that was inlined is reported where the kernel's own source calls it.
llvm::LogicalResult refuse(Refusal &refusal, mlir::Operation *op, RefusalKind kind,
                           llvm::StringRef reason);

/// Refuses a barrier that `control`, which may differ between threads, decides about.
llvm::LogicalResult refuseDivergentBarrier(Refusal &refusal, mlir::Operation *control);

/// Tells the user the reason and the remedy, as a remark at the refused operation.
void emitRemark(const Refusal &refusal);

} // namespace regrain
