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

/// The first reason in a kernel for which a transform leaves it alone.
struct Refusal {
  RefusalKind kind = RefusalKind::UnknownSynchronisation;
  std::string stage;   ///< name of the transform, such as "coarsen-threads"
  std::string file;    ///< of the source; empty if unknown
  unsigned line = 0;   ///< 0 if unknown
  unsigned column = 0; ///< 0 if unknown
  std::string reason;  ///< one clause, without a full stop
  mlir::LocationAttr location;
};

/// Returns the position of `op`, or of what contains it, in the kernel's own source; null if it is
/// not known.
mlir::FileLineColLoc positionInKernel(mlir::Operation *op);

/// Fills `refusal` with the kind, the position of `op` and the reason, and fails. Inlined code is
/// reported where the kernel's own source calls it.
llvm::LogicalResult refuse(Refusal &refusal, mlir::Operation *op, RefusalKind kind,
                           llvm::StringRef reason);

/// Refuses because `control`, which may differ between threads, decides whether a barrier runs.
llvm::LogicalResult refuseDivergentBarrier(Refusal &refusal, mlir::Operation *control);

/// Tells the user the reason and the remedy, as a remark at the refused operation.
void emitRemark(const Refusal &refusal);

} // namespace regrain
