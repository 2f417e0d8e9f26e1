//===- LaneOffsets.h - Integers in the lanes of a warp ----------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The values are those of the first warp of a block. A block whose size is not known counts as at
// least a warp wide in x. So the values estimate what an access costs, and prove nothing.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Analysis/Uniformity.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "runtime/image/launch_limits.h"
#include "llvm/ADT/DenseMap.h"
#include <array>
#include <optional>

namespace regrain {

/// An integer in each lane: the numbers, plus an unknown one that is the same in all lanes.
struct Offsets {
  std::array<int64_t, warpThreads> at = {};
  bool hasUnknown = false;

  /// Returns whether all lanes have the same number.
  [[nodiscard]] bool areEqual() const;
};

/// Evaluates integers of a nest. The object is valid until the kernel changes.
class LaneOffsets {
public:
  LaneOffsets(grain::ThreadsOp threads, const Uniformity &uniformity);

  /// Returns the values of an integer of at most 64 bits in the lanes, or nothing if they are not
  /// known to each other.
  [[nodiscard]] std::optional<Offsets> of(mlir::Value value);

  /// Returns the number of lanes that run.
  [[nodiscard]] unsigned count() const { return lanes; }

private:
  std::optional<Offsets> compute(mlir::Value value);
  std::optional<Offsets> ofArgument(mlir::BlockArgument argument);
  std::optional<Offsets> ofCarried(mlir::scf::WhileOp loop, mlir::BlockArgument argument);
  std::optional<Offsets> ofOperation(mlir::Operation *op);
  Offsets ofCoordinate(unsigned dimension) const;

  grain::ThreadsOp threads;
  const Uniformity &uniformity;
  std::array<int64_t, 3> sizes = {warpThreads, 1, 1}; ///< of the block
  unsigned lanes = warpThreads;
  Dependence varying = Dependence::ThreadX; ///< the coordinates in which lanes differ
  llvm::DenseMap<mlir::Value, std::optional<Offsets>> known;
};

} // namespace regrain
