//===- LaneValues.h - Integers of each lane of a warp -----------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// If the size of a launched block is known, many integers of its threads are known as well: those
// that are computed from the thread's coordinates and constants alone. This analysis computes them
// lane by lane, which covers shifts, masks and divisions alike.
//
// Legality. Each number is what the operations fold to for the numbers of the operands. A poison
// value may have any number. What depends on anything else is not known.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Analysis/AddressSum.h"
#include "compiler/Dialect/Grain/Grain.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include "runtime/image/launch_limits.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/MathExtras.h"
#include <optional>
#include <vector>

namespace regrain {

/// Some lanes, as bits.
using LaneSet = uint32_t;

constexpr LaneSet laneBit(unsigned lane) { return LaneSet(1) << lane; }

/// One number for each lane; none if they are not known.
using LaneNumbers = llvm::SmallVector<llvm::APInt, 0>;

/// The integers of one warp of a launched block. The object is valid until the kernel changes.
class LaneValues {
public:
  /// The number of threads of a launched block is known (threadsIn), and the block has that warp.
  LaneValues(grain::ThreadsOp threads, unsigned warp);

  /// Returns the number of threads of a launched block, if it is the same for every launch.
  [[nodiscard]] static std::optional<int64_t> threadsIn(grain::ThreadsOp threads);

  /// Returns the values of each warp of such a block.
  [[nodiscard]] static std::vector<LaneValues> ofBlock(grain::ThreadsOp threads);

  [[nodiscard]] unsigned lanes() const { return count; }
  [[nodiscard]] LaneSet all() const { return llvm::maskTrailingOnes<LaneSet>(count); }

  /// Returns the numbers of an integer of at most 64 bits, or of an index.
  [[nodiscard]] LaneNumbers of(mlir::Value value);

  /// Returns the number that all lanes have, or nothing.
  [[nodiscard]] std::optional<llvm::APInt> commonOf(mlir::Value value);

  /// Returns the lanes in which `condition` may have the value `holds`.
  [[nodiscard]] LaneSet lanesWhere(mlir::Value condition, bool holds);

  /// Returns the lanes that may run `op`, as far as the conditions around it are known.
  [[nodiscard]] LaneSet lanesAt(mlir::Operation *op);

  /// Returns the bytes behind the base of the address in each lane, or nothing if an index is not
  /// known.
  [[nodiscard]] std::optional<llvm::SmallVector<int64_t>> offsetsOf(const AddressSum &sum);

private:
  LaneNumbers compute(mlir::Value value);
  LaneNumbers ofCoordinate(unsigned dimension, unsigned width) const;
  LaneNumbers ofOperation(mlir::Operation *op, unsigned width);

  grain::ThreadsOp threads;
  std::array<unsigned, 3> sizes = {1, 1, 1};
  unsigned first; ///< the number of the first lane's thread
  unsigned count; ///< of lanes
  llvm::DenseMap<mlir::Value, LaneNumbers> known;
};

} // namespace regrain
