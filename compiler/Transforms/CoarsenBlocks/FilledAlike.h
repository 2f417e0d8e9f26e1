//===- FilledAlike.h - Shared memory that blocks fill alike ----*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Blocks that are joined run in step: what they do under the same control they do
// together. An allocation into which they then all write the same values at the
// same places holds the same in each of them at any time, and one will do for
// all. So is the memory saved, and loads from it are done once.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Analysis/Uniformity.h"

namespace regrain {

/// The static allocations of `blocks` that are filled alike by blocks that differ
/// in `varying`: only loaded from and stored to, each store of a value to a place
/// under control that are the same for all of them.
llvm::DenseSet<mlir::Operation *> findFilledAlike(grain::BlocksOp blocks, Dependence varying);

} // namespace regrain
