//===- LaneGroup.h - The lanes that share a thread --------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Dialect/Grain/Grain.h"
#include "mlir/IR/Builders.h"

namespace regrain {

/// Creates code for groups of lanes: neighbours in x, aligned to their number. A group is a part of
/// a warp, a warp, or a block of several warps. Or it is one lane of each warp of a block, with the
/// same number in its warp.
class LaneGroup {
public:
  /// Creates the number of the lane at the start of `threads`, whose coordinate in x will be that
  /// of the launched thread. If lanes `areApart`, each is in a warp of its own.
  LaneGroup(grain::ThreadsOp threads, uint32_t lanes, bool areApart);

  /// Returns what stands for the coordinate of the launched thread in x.
  [[nodiscard]] mlir::Value getX() const { return x; }
  [[nodiscard]] uint32_t getLanes() const { return lanes; }
  /// Returns whether each lane of the group is in a warp of its own.
  [[nodiscard]] bool areApart() const { return apart; }
  /// Returns the number of the lane in the group, of 64 bits.
  [[nodiscard]] mlir::Value getNumber() const { return number; }
  /// Returns a condition that holds in the first lane of the group.
  [[nodiscard]] mlir::Value isFirst() const { return first; }

  /// Creates a meeting of the lanes, at which each sees what all have written.
  void createMeeting(mlir::OpBuilder &builder, mlir::Location location) const;

  /// Returns the number of warps of a group whose lanes are not apart.
  [[nodiscard]] uint32_t getWarps() const { return lanes / lanesInWarp; }
  /// Returns the number of lanes of the group in each of its warps.
  [[nodiscard]] uint32_t getLanesInWarp() const { return lanesInWarp; }

  /// Creates what `value` is in the lane of the warp whose number differs in the bits of
  /// `distance`.
  [[nodiscard]] mlir::Value createAcross(mlir::OpBuilder &builder, mlir::Location location,
                                         mlir::Value value, uint32_t distance) const;

  /// Creates what `value` is in one lane of the group in this warp.
  [[nodiscard]] mlir::Value createFrom(mlir::OpBuilder &builder, mlir::Location location,
                                       mlir::Value value, uint32_t lane) const;

  /// Creates, for each of `values`, what the first lane of another warp has: lane i gets that of
  /// warp i, and so on from the first warp again. If the code `isRepeated`, lanes meet behind it.
  [[nodiscard]] llvm::SmallVector<mlir::Value> createOfWarps(mlir::OpBuilder &builder,
                                                             mlir::Location location,
                                                             mlir::ValueRange values,
                                                             bool isRepeated) const;

  /// Of lanes that are apart: creates, for each of `values`, what the lanes of one group have, in
  /// neighbours of a warp.
  [[nodiscard]] llvm::SmallVector<mlir::Value>
  createGathered(mlir::OpBuilder &builder, mlir::Location location, mlir::ValueRange values) const;

  /// Creates, for each of `values`, what the first of these neighbours has, in all lanes of their
  /// group.
  [[nodiscard]] llvm::SmallVector<mlir::Value>
  createSpread(mlir::OpBuilder &builder, mlir::Location location, mlir::ValueRange values) const;

private:
  /// Where lanes write to shared memory, and read from there when they have met.
  struct Places {
    llvm::StringRef name;
    uint32_t count;     ///< of places
    mlir::Value writes; ///< in which lanes
    mlir::Value to, from;
  };
  llvm::SmallVector<mlir::Value> createThroughShared(mlir::OpBuilder &builder,
                                                     mlir::Location location,
                                                     mlir::ValueRange values,
                                                     const Places &places) const;
  mlir::Value getArray(mlir::Location location, llvm::StringRef name, mlir::Type type,
                       uint32_t size, unsigned number) const;
  mlir::Value createPart(mlir::OpBuilder &builder, mlir::Location location, uint32_t count) const;
  mlir::Value createQuotient(mlir::OpBuilder &builder, mlir::Location location,
                             uint32_t divisor) const;
  mlir::Value createIsZero(mlir::OpBuilder &builder, mlir::Location location,
                           mlir::Value number) const;

  grain::ThreadsOp threads;
  uint32_t lanes, lanesInWarp;
  bool apart;
  mlir::Value x, number, first;
  mlir::Value mask; ///< the lanes of the group in a warp
};

} // namespace regrain
