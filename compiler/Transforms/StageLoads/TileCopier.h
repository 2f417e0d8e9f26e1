//===- TileCopier.h - Where the elements of a tile lie ----------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What copies of tiles have in common: how threads share the copies, and the addresses of elements
// in global and in shared memory.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Transforms/StageLoads/FillTile.h"

namespace regrain {

class TileCopier {
public:
  TileCopier(mlir::OpBuilder &builder, const Tile &tile, mlir::Value shared, Filling &filling)
      : builder(builder), tile(tile), shared(shared), filling(filling),
        location(filling.threads.getLoc()), before(filling.known) {}

protected:
  using Coordinates = std::array<mlir::Value, tileDimensions>;

  /// Where an element lies.
  struct Position {
    Coordinates place;
    mlir::Value line; ///< the number of its line in `shared`; null if there is one line
  };

  mlir::Value constant(int64_t value) {
    return builder.create<mlir::arith::ConstantIntOp>(location, value, 32);
  }
  mlir::Value constantBit(bool value) {
    return builder.create<mlir::arith::ConstantIntOp>(location, value, 1);
  }
  template <class Op> mlir::Value create(mlir::Value first, mlir::Value second) {
    return builder.create<Op>(location, first, second);
  }
  mlir::Value compare(mlir::arith::CmpIPredicate predicate, mlir::Value first, mlir::Value second) {
    return builder.create<mlir::arith::CmpIOp>(location, predicate, first, second);
  }
  mlir::Value both(mlir::Value first, mlir::Value second) {
    return first && second ? create<mlir::arith::AndIOp>(first, second) : (first ? first : second);
  }
  mlir::Value isBelow(mlir::Value value, int64_t bound) {
    return compare(mlir::arith::CmpIPredicate::ult, value, constant(bound));
  }
  mlir::Value less(mlir::Value value, int64_t amount) {
    return amount ? create<mlir::arith::SubIOp>(value, constant(amount)) : value;
  }
  mlir::Value wide(mlir::Value value) { return createWide(builder, location, value); }

  /// Creates the number of the thread, the address of the first element, and the strides.
  void start();
  /// Creates `count` copies, which all threads share among them.
  void inRounds(int64_t count, llvm::function_ref<void(mlir::Value)> copyOne);
  /// Creates the copies of all lines. Lines that follow each other are copied by different warps,
  /// which start few copies each then.
  void inLines(llvm::function_ref<void(mlir::Value)> copyOne);
  /// Returns where the part `number` of the tile lies, if each line has `perLine` parts.
  Position positionOf(mlir::Value number, int64_t perLine);
  /// Returns the address of an element in memory, and its place in shared memory.
  std::pair<mlir::Value, mlir::Value> placesOf(const Position &position);
  /// Creates a copy of one or more elements.
  void copy(const Position &position, mlir::Type type, uint64_t alignment);
  /// Creates a copy of so many elements as one access holds, which are aligned.
  void copyPiece(const Position &position);

  mlir::OpBuilder &builder;
  const Tile &tile;
  mlir::Value shared;
  Filling &filling;
  mlir::Location location;

private:
  mlir::Value threadNumber();
  mlir::Value sumOf(const Polynomial &polynomial) {
    return filling.addresses.createSum(builder, location, polynomial, before);
  }
  void createStrides();

  mlir::IRMapping before; ///< values that were created for all threads alike
  mlir::Value thread;     ///< its number in the block
  mlir::Value origin;     ///< address of the first element
  Coordinates steps;      ///< strides in bytes
};

} // namespace regrain
