//===- LoopHints.h - What LLVM is told of loops -----------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace regrain {

/// Keeps LLVM from unrolling a loop, such as one of which a thread runs an iteration or two.
void keepRolled(mlir::scf::ForOp loop);

} // namespace regrain
