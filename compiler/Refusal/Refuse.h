//===- Refuse.h - Refusals at operations ------------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Refusal/Refusal.h"
#include "mlir/IR/Location.h"

namespace regrain {

/// Returns the position of `op`, or of what contains it, in the kernel's own source: inlined code
/// is where the kernel calls it.
[[nodiscard]] SourcePosition positionInKernel(mlir::Operation *op);

/// Returns the location of diagnostics for `where`.
[[nodiscard]] mlir::Location locationOf(const SourcePosition &where, mlir::MLIRContext *context);

/// Returns a refusal because of `op`.
[[nodiscard]] Refusal refuse(mlir::Operation *op, RefusalKind kind, const llvm::Twine &reason);

} // namespace regrain
