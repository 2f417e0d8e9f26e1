//===- LoopFlow.h - How values flow through a loop --------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace regrain {

/// Calls `flow` for each way by which values reach the arguments and the results of scf.for or
/// scf.while, with the sources and as many targets. Returns false, without a call, if `op` is
/// neither.
[[nodiscard]] bool
visitLoopFlow(mlir::Operation *op,
              llvm::function_ref<void(mlir::ValueRange sources, mlir::ValueRange targets)> flow);

} // namespace regrain
