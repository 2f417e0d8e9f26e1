//===- Retry.h - Loops around a compare-and-exchange ------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Analysis/Access.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace regrain {

/// Whether `loop` goes on only where a compare-and-exchange in it has failed, in the
/// same round, that compared with exactly what was last seen at its address, and
/// nothing else in the loop writes there: then another thread has. Other conditions
/// may end it earlier.
[[nodiscard]] bool isRetryLoop(mlir::scf::WhileOp loop, Accesses &accesses);

} // namespace regrain
