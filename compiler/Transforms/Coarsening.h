//===- Coarsening.h - What coarsening either nest needs ---------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Analysis/Uniformity.h"
#include "compiler/Dialect/Grain/Parameters.h"
#include "compiler/Transforms/Refusal.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"
#include "runtime/image/grain.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace regrain {

/// One factor after another: the factors of the product.
[[nodiscard]] std::array<int32_t, 3> multiply(llvm::ArrayRef<int32_t> old, const Factors &factors);

/// The iterations that one iteration comes to stand for, x fastest.
[[nodiscard]] llvm::SmallVector<Factors> iterationsOf(const Factors &factors);

/// `first`, shifted by the dimensions whose factor is not 1: the coordinates in
/// which copies differ.
[[nodiscard]] Dependence varyingIn(const Factors &factors, Dependence first);

/// value + count * step, without wrapping.
[[nodiscard]] mlir::Value offsetBy(mlir::OpBuilder &builder, mlir::Location location,
                                   mlir::Value value, uint32_t count, mlir::Value step);

[[nodiscard]] mlir::Value constant(mlir::OpBuilder &builder, mlir::Location location,
                                   uint32_t value);

/// The thread nest of a block nest.
[[nodiscard]] grain::ThreadsOp threadsOf(grain::BlocksOp blocks);

/// How many blocks the nest around `threads` has in a dimension before blocks are
/// coarsened: the program's, or those that its iteration space is cut into.
[[nodiscard]] mlir::Value createBlockCount(mlir::OpBuilder &builder, mlir::Location location,
                                           grain::ThreadsOp threads, unsigned dimension);

/// How many threads the nest has in a dimension before threads are coarsened.
[[nodiscard]] mlir::Value createBlockSize(mlir::OpBuilder &builder, mlir::Location location,
                                          grain::ThreadsOp threads, unsigned dimension);

using grain::isCoarse;

/// Refuses loops that wait for other threads and operations that synchronise in
/// ways that are not understood.
llvm::LogicalResult checkCoarsenable(grain::BlocksOp blocks, Refusal &refusal);

/// Refuses warp operations of different places that lanes may run together, of which
/// copies in one thread would not keep the order.
llvm::LogicalResult checkMeetings(grain::BlocksOp blocks, Refusal &refusal);

/// Takes `noalias` from the kernel of a coarsened nest in which threads meet: it says of each
/// of the program's threads what it accesses by one pointer alone, and one thread now runs
/// several of them, with barriers, fences or atomic operations between.
void forgetRestrict(grain::BlocksOp blocks);

/// Refuses effects that stand beside the thread nest, not in it.
llvm::LogicalResult checkEffectsInThreads(grain::BlocksOp blocks, Refusal &refusal);

/// Clones the stack memory of a constant size that stands at the top of the
/// threads, for each of `mappings`. Gives the originals.
llvm::SmallVector<mlir::LLVM::AllocaOp>
cloneAllocations(mlir::OpBuilder &builder, grain::ThreadsOp threads,
                 llvm::MutableArrayRef<mlir::IRMapping> mappings);

/// Refuses dynamic shared memory of which copies would not lie as the program asks.
llvm::LogicalResult checkSharedCopies(grain::BlocksOp blocks, Refusal &refusal);

/// What decides whether a barrier is met and depends on something in `reasons`,
/// or null.
[[nodiscard]] mlir::Operation *findControlOfBarrier(grain::BlocksOp blocks, Dependence reasons);

/// Runs `transform` on a clone of `blocks`. Where it succeeds the clone takes
/// the place of the original, else nothing has changed.
llvm::LogicalResult
tryOn(grain::BlocksOp &blocks,
      llvm::function_ref<llvm::LogicalResult(grain::BlocksOp &clone)> transform);

} // namespace regrain
