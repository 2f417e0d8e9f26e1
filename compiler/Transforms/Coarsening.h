//===- Coarsening.h - What coarsening either nest needs ---------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Analysis/Uniformity.h"
#include "compiler/Dialect/Grain/Parameters.h"
#include "compiler/Refusal/Refuse.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"
#include "runtime/image/grain.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <optional>

namespace regrain {

/// Returns the factors of applying `old` and `factors` one after the other.
[[nodiscard]] std::array<int32_t, 3> multiply(llvm::ArrayRef<int32_t> old, const Factors &factors);

/// Returns the iterations that one coarsened iteration stands for, with x varying fastest.
[[nodiscard]] llvm::SmallVector<Factors> iterationsOf(const Factors &factors);

/// Returns the coordinates in which copies differ: `first`, shifted to each dimension whose factor
/// is not 1.
[[nodiscard]] Dependence varyingIn(const Factors &factors, Dependence first);

/// Creates value + count * step, which does not wrap.
[[nodiscard]] mlir::Value offsetBy(mlir::OpBuilder &builder, mlir::Location location,
                                   mlir::Value value, uint32_t count, mlir::Value step);

[[nodiscard]] mlir::Value constant(mlir::OpBuilder &builder, mlir::Location location,
                                   uint32_t value);

/// Creates the number of blocks that the nest around `threads` has in a dimension before blocks are
/// coarsened: the program's, or those into which its iteration space is reshaped.
[[nodiscard]] mlir::Value createBlockCount(mlir::OpBuilder &builder, mlir::Location location,
                                           grain::ThreadsOp threads, unsigned dimension);

/// Creates the number of threads that the nest has in a dimension before threads are coarsened.
[[nodiscard]] mlir::Value createBlockSize(mlir::OpBuilder &builder, mlir::Location location,
                                          grain::ThreadsOp threads, unsigned dimension);

using grain::isCoarse;

/// Refuses loops that wait for other threads and operations that may synchronise in ways that are
/// not understood.
[[nodiscard]] std::optional<Refusal> checkCoarsenable(grain::BlocksOp blocks);

/// Refuses warp operations at different places that lanes may run together, because copies in one
/// thread would not keep their order.
[[nodiscard]] std::optional<Refusal> checkMeetings(grain::BlocksOp blocks);

/// Removes `noalias` from the parameters of a coarsened nest in which threads synchronise. The
/// attribute holds for each of the program's threads, and one thread now runs several of them, with
/// barriers, fences or atomic operations in between. Of arguments in different allocations
/// (DisjointArguments.h), it holds for all threads together.
void forgetRestrict(grain::BlocksOp blocks);

/// Refuses effects outside of the thread nest.
[[nodiscard]] std::optional<Refusal> checkEffectsInThreads(grain::BlocksOp blocks);

/// Clones the stack allocations of constant size at the top of the thread body, once for each of
/// `mappings`. Returns the originals.
llvm::SmallVector<mlir::LLVM::AllocaOp>
cloneAllocations(mlir::OpBuilder &builder, grain::ThreadsOp threads,
                 llvm::MutableArrayRef<mlir::IRMapping> mappings);

/// Refuses dynamic shared memory whose copies would not have the alignment that the program asks
/// for.
[[nodiscard]] std::optional<Refusal> checkSharedCopies(grain::BlocksOp blocks);

/// Returns an operation that decides whether a barrier is reached and depends on something in
/// `reasons`, or null.
[[nodiscard]] mlir::Operation *findControlOfBarrier(grain::BlocksOp blocks, Dependence reasons);

/// Returns the refusal because `control`, which may differ between threads, decides whether a
/// barrier runs.
[[nodiscard]] Refusal refuseDivergentBarrier(mlir::Operation *control);

/// Runs `transform` on a clone of `blocks`. If it is refused, nothing has changed; otherwise the
/// clone takes the place of the original.
[[nodiscard]] std::optional<Refusal>
tryOn(grain::BlocksOp &blocks,
      llvm::function_ref<std::optional<Refusal>(grain::BlocksOp &clone)> transform);

} // namespace regrain
