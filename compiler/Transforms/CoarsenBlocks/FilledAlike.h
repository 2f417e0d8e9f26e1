//===- FilledAlike.h - Shared memory that blocks fill alike ----*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Joined blocks run in step: what they do under the same control, they do together. An allocation
// into which they all write the same values at the same places has the same contents in each of
// them at any time, so one allocation serves all. That saves memory, and loads from it run once.
// Where blocks are joined in two dimensions, an allocation may be filled alike along one of them,
// as the rows and the columns of a product are.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Analysis/Uniformity.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace regrain {

/// Gathers the stores through `address`; fails on any use other than a plain load or store.
llvm::LogicalResult collectStores(mlir::Value address,
                                  llvm::SmallVectorImpl<mlir::LLVM::StoreOp> &stores);

/// Returns the static allocations of `blocks` that are filled alike by blocks that differ in no
/// coordinates but `alike`, if blocks that differ in `varying` are joined. These are only loaded
/// from and stored to. The value and the place of each store are the same for blocks that differ in
/// `alike`, and its control is the same for all that are joined, so that it runs in step.
llvm::DenseSet<mlir::Operation *> findFilledAlike(grain::BlocksOp blocks, Dependence alike,
                                                  Dependence varying);

/// Returns whether each static allocation is filled alike by the blocks of a row or by those of a
/// column, and there are allocations of both kinds.
[[nodiscard]] bool haveCommonRowsAndColumns(grain::BlocksOp blocks);

} // namespace regrain
