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

/// Returns whether `loop` goes on only if a compare-and-exchange in it has failed in the same
/// iteration, where the exchange compares with exactly the value last seen at its address and
/// nothing else in the loop writes there. Then another thread has succeeded. Other conditions may
/// end the loop earlier.
[[nodiscard]] bool isRetryLoop(mlir::scf::WhileOp loop, Accesses &accesses);

} // namespace regrain
