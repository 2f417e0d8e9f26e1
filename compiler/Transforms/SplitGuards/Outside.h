//===- Outside.h - Values of threads outside a guard ------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Dialect/Grain/Grain.h"
#include "mlir/IR/Builders.h"

namespace regrain {

/// Creates a value of each type for threads that neither compute it nor use it.
[[nodiscard]] llvm::SmallVector<mlir::Value>
createMissing(mlir::OpBuilder &builder, mlir::Location location, mlir::ValueRange like);

/// Creates the predicate of a thread that must not influence the reduction of the others.
[[nodiscard]] mlir::Value createNeutral(mlir::OpBuilder &builder, mlir::Location location,
                                        grain::Reduction kind);

} // namespace regrain
