//===- Speculation.h - What may run where the program does not --*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Dialect/Grain/Grain.h"

namespace regrain {

/// Whether `op`, with what its regions hold, may run where the program does not
/// run it: it has no effect and no operands for which it is undefined. A division
/// or a remainder may only if its divisor is a constant other than 0 and, where it
/// is signed, other than -1.
[[nodiscard]] bool mayRunAnywhere(mlir::Operation *op);

} // namespace regrain
