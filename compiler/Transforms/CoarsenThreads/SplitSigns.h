//===- SplitSigns.h - A case for numbers below zero -------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   i = block * size + thread;        i = block * size + thread;
//   A(i / n, i % n)              =>   if (i >= 0) { A(i / n, i % n) } else { A(i / n, i % n) }
//
// Signed numbers of neighbours have the same quotient only if they are not negative (Neighbours.h).
// A number of threads may be too large for a signed number, so that is tested where it decides. The
// else does not run in practice.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Analysis/Neighbours.h"

namespace regrain {

/// Divides the code behind numbers whose sign decides whether joined threads divide alike, unless
/// threads meet there, or the code is long. Returns the conditions.
llvm::SmallVector<mlir::Operation *> splitSigns(grain::ThreadsOp threads,
                                                const JoinedThreads &joined);

} // namespace regrain
