//===- Outside.h - What threads bring that did not run it -------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Dialect/Grain/Grain.h"
#include "mlir/IR/Builders.h"

namespace regrain {

/// A value of each type for threads that do not compute it and do not use it.
[[nodiscard]] llvm::SmallVector<mlir::Value>
createMissing(mlir::OpBuilder &builder, mlir::Location location, mlir::ValueRange like);

/// The predicate of a thread that is to change nothing for the others.
[[nodiscard]] mlir::Value createNeutral(mlir::OpBuilder &builder, mlir::Location location,
                                        grain::Reduction kind);

} // namespace regrain
