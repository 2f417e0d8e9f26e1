//===- JoinLanes.h - Warp operations of joined lanes ------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where F neighbours in x are joined, a launched lane has F lanes of a warp of the program, and a
// launched warp has F such warps. What a lane gets from another one is then a value of another
// copy, and perhaps of another launched lane:
//
//   b = shuffle down a by 1   =>   b0 = a1
//                                  s = shuffle down a0 by 1, within 16 lanes
//                                  b1 = lane + 1 < 32 ? s : a1
//
// Lane F * l + k of the program is copy k in launched lane l of the 32 / F that have its warp.
// - If all lanes of the warp have the same distance, or the same source, one value moves for each
//   copy, and none if it stays in the launched lane. Otherwise all values of the copies move.
// - Assembly that adds another lane's value (LaneAssembly.h) becomes a shuffle and a sum.
// - Votes and ballots combine the copies.
//
// Lanes of a warp that load at one address in the same control load one value: otherwise a lane
// would have to wait for another one in between, and such kernels are refused. What may change
// meanwhile is loaded by volatile or atomic accesses, which count as different. Warps of a block
// may load different values.
//
// Legality. The mask of the operation names all lanes, and the control around it is the same for
// all lanes of a warp, so all of them run it. A program's block and a launched one have a width
// that is a multiple of 32 (`whole_warps`), so lanes of a warp are neighbours in x, and a launched
// warp is full. If the control is the same for the whole block, all launched lanes take part;
// otherwise those that have the same warp of the program.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Analysis/Neighbours.h"
#include "compiler/Refusal/Refusal.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"
#include <optional>

namespace regrain {

/// Replaces the numbers of lanes in `threads` by x % 32: warps are neighbours in x.
void replaceLaneNumbers(grain::ThreadsOp threads);

class JoinedLanes {
public:
  /// `threads` are those of the program, of which `factor` will be joined: a power of two up to 32.
  JoinedLanes(grain::ThreadsOp threads, uint32_t factor, const Uniformity &uniformity);

  /// Refuses operations of warps that joined lanes cannot run.
  [[nodiscard]] std::optional<Refusal> check() const;

  /// Creates what the operations need to know of the launched lane, from the thread's `x`.
  void describeLane(mlir::OpBuilder &builder, mlir::Value x);

  /// Returns whether the lanes of a warp run `op` together.
  [[nodiscard]] static bool isOfWarp(mlir::Operation *op);

  /// Creates what the copies of `op` do, and maps its results. It has not been refused.
  void join(mlir::Operation *op, mlir::OpBuilder &builder,
            llvm::MutableArrayRef<mlir::IRMapping> mappings) const;

private:
  using Mappings = llvm::MutableArrayRef<mlir::IRMapping>;

  [[nodiscard]] std::optional<Refusal> check(mlir::Operation *op) const;
  bool isSame(mlir::Value value) const;
  bool isOfWholeBlock(mlir::Operation *op) const;
  mlir::Value createMask(mlir::Operation *op, mlir::OpBuilder &builder) const;
  mlir::Value createVote(mlir::Operation *op, mlir::OpBuilder &builder,
                         mlir::Value predicate) const;
  mlir::Value joinVotes(mlir::Operation *op, mlir::OpBuilder &builder, Mappings mappings) const;
  mlir::Value joinBallots(mlir::Operation *op, mlir::OpBuilder &builder, Mappings mappings) const;

  grain::ThreadsOp threads;
  uint32_t factor;
  const Uniformity &uniformity;
  Neighbours warp;   ///< what the lanes of a warp have in common
  mlir::Value place; ///< of the launched lane among those that have its warp of the program
  mlir::Value start; ///< the first of these launched lanes
  mlir::Value group; ///< these launched lanes, as bits
};

} // namespace regrain
