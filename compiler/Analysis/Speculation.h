//===- Speculation.h - What may run where the program does not --*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Dialect/Grain/Grain.h"

namespace regrain {

/// Returns whether `op`, with everything in its regions, may run where the program does not run it:
/// it has no effect and is defined for all operands. A division or a remainder qualifies only if
/// its divisor is a constant other than 0 and, for signed operands, other than -1.
[[nodiscard]] bool mayRunAnywhere(mlir::Operation *op);

} // namespace regrain
