//===- LoopFlow.h - How values go round a loop ------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace regrain {

/// Calls `flow` for each way by which values reach the arguments and the results
/// of scf.for or scf.while: sources and, as many, targets. False, and nothing is
/// called, where `op` is neither.
[[nodiscard]] bool
visitLoopFlow(mlir::Operation *op,
              llvm::function_ref<void(mlir::ValueRange sources, mlir::ValueRange targets)> flow);

} // namespace regrain
