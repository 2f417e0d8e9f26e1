//===- RegionFlow.h - How values flow through regions -----------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace regrain {

using VisitFlow = llvm::function_ref<void(mlir::ValueRange sources, mlir::ValueRange targets)>;

/// Calls `flow` for each way by which values reach the arguments and the results of scf.for or
/// scf.while, with the sources and as many targets. Returns false, without a call, if `op` is
/// neither.
[[nodiscard]] bool visitLoopFlow(mlir::Operation *op, VisitFlow flow);

/// Does the same for loops and for the results of scf.if and scf.index_switch. For any other
/// operation with regions it calls `unknown` with each argument of its regions and each result.
void visitRegionFlow(mlir::Operation *op, VisitFlow flow,
                     llvm::function_ref<void(mlir::Value)> unknown);

} // namespace regrain
